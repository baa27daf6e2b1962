"""Flags of `harbor_env`: why a scenario is hard."""

import json
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from parity.driver.task_file import read_toml
from parity.harbor_env.scoring import KEY
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.rule import carried

FLAGS = {
    "harbor": "rewards are scored by Harbor's rules",
    "documented": "rewards are scored as HarborEnv's documentation says",
    "no-tasks": "no folder in the dataset is a task",
    "several-tasks": "more than one folder is a task",
    "unsorted-names": "the tasks do not come in the order of their names",
    "unusual-name": "a task's name has a blank, or is not ASCII",
    "incomplete-folder": "a folder lacks task.toml or instruction.md",
    "filter": "tasks are chosen by name",
    "unknown-name": "no folder has one of the chosen names",
    "empty-filter": "tasks are chosen by an empty list",
    "unlike-tables": "one task.toml has fields that another lacks",
    "padded-instruction": "an instruction has white space around it",
    "carriage-return": "an instruction has carriage returns",
    "unicode-instruction": "an instruction is not ASCII",
    "bad-toml": "a task.toml is not valid TOML",
    "not-utf8": "a task.toml or an instruction is not UTF-8",
    "environment-no-table": "`environment` in a task.toml is not a table",
    "image": "a task names an image",
    "no-image": "a task names no image",
    "empty-image": "a task names an empty image",
    "own-workdir": "a task names a working directory",
    "test-variables": "a task has variables for its sandbox or its tests",
    "no-tests": "a task has no tests",
    "solution": "a task has a solution",
    "failing-script": "the test script exits with another code than 0",
    "call-fails": "a call to the sandbox fails",
    "set-up-fails": "the sandbox cannot be prepared for the agent",
    "call-takes-time": "a call to the sandbox takes time, but ends before its limit",
    "tests-take-long": "the tests take longer than they may",
    "both-files": "the tests leave both reward files",
    "no-reward-file": "the tests leave no file",
    "folder-as-file": "a folder is in place of a reward file",
    "empty-file": "the file that counts has no bytes",
    "padded-reward": "the file that counts has white space around its content",
    "number-in-json": "reward.json counts, and is a bare number",
    "number-in-text": "reward.txt counts, and is a number",
    "number-spelling": "the file that counts is a number, but not in the spelling of JSON",
    "json-in-text": "reward.txt counts, and is JSON",
    "malformed": "the file that counts is neither a number nor JSON",
    "negative-zero": "the reward is -0.0",
    "non-finite": "the reward is nan or infinite",
    "null-document": "the file that counts is `null`",
    "not-object": "the file that counts is JSON, but neither an object nor null",
    "unforeseen-document": "the file that counts is JSON, but a number cannot be read from its place",
    "several-keys": "more than one reward key",
    "no-reward-key": "there are reward keys, but not `reward`",
    "one-other-key": "the only reward key is not `reward`",
    "empty-object": "the file that counts is `{}`",
    "bool-value": "`reward` is true or false",
    "text-value": "`reward` is a string",
    "int-value": "`reward` is an int",
    "huge-int": "a reward is an int beyond the range of a double",
    "no-number": "`reward` is not a number",
    "model": "the rollout has a model",
    "no-model": "the rollout has no model",
    "no-workdir": "the environment has no working directory for its agent",
    "given-variables": "the environment's arguments include variables",
    "given-documented-variables": "the environment's arguments include variables that it sets itself",
}

_DOCUMENTED_SECONDS = 300

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


def flags_of(case: EnvScenario) -> frozenset[str]:
    """Return the flags that a case carries."""
    chosen = [task for task in case.tasks if not case.names or task.name in case.names]
    tasks = [task for task in chosen if {"task.toml", "instruction.md"} <= task.files.keys()]
    flags = {case.scoring, *_dataset_flags(case, chosen, tasks)}
    for task in tasks:
        flags |= {*_task_flags(task), *_left_flags(task, case)}
    return frozenset(flags | _argument_flags(case) if case.scoring == "documented" else flags)


def _dataset_flags(case: EnvScenario, chosen: list[TaskScenario], tasks: list[TaskScenario]) -> set[str]:
    names = [task.name for task in tasks]
    return carried(
        {
            "no-tasks": not tasks,
            "several-tasks": len(tasks) > 1,
            "unsorted-names": names != sorted(names),
            "unusual-name": any(not name.isascii() or " " in name for name in names),
            "incomplete-folder": len(chosen) > len(tasks),
            "filter": case.names,
            "unknown-name": case.names and not {*case.names} <= {task.name for task in case.tasks},
            "empty-filter": case.names == (),
            "unlike-tables": len({_shape(task.files["task.toml"]) for task in tasks}) > 1,
        }
    )


def _task_flags(task: TaskScenario) -> set[str]:
    instruction, toml = task.files["instruction.md"], task.files["task.toml"]
    flags = carried(
        {
            "padded-instruction": instruction.strip() != instruction,
            "carriage-return": b"\r" in instruction,
            "unicode-instruction": not instruction.isascii(),
        }
    )
    config = _parsed(toml)
    if config is None:
        return flags | {"bad-toml" if _is_text(toml) else "not-utf8"}
    environment, verifier = config.get("environment", {}), config.get("verifier", {})
    flags |= carried({"not-utf8": not _is_text(instruction), "environment-no-table": not isinstance(environment, dict)})
    if not isinstance(environment, dict):
        return flags
    image = environment.get("docker_image")
    return flags | carried(
        {
            "no-image": image is None,
            "image": image,
            "empty-image": image is not None and not image,
            "own-workdir": environment.get("workdir"),
            "test-variables": environment.get("env") or (isinstance(verifier, dict) and verifier.get("env")),
            "no-tests": not any(name.startswith("tests/") for name in task.files),
            "solution": any(name.startswith("solution/") for name in task.files),
        }
    )


def _left_flags(task: TaskScenario, case: EnvScenario) -> set[str]:
    """Return the flags of the files that the tests leave, and of the injected fault."""
    fault = task.injected_fault
    seconds = fault.seconds if fault else None
    limit = _DOCUMENTED_SECONDS if case.scoring == "documented" else _limit(task)
    late = fault is not None and fault.moment == "run-tests" and seconds is not None and seconds > limit
    flags = carried(
        {
            "failing-script": task.code,
            "call-fails": fault and seconds is None,
            "set-up-fails": fault and fault.moment == "upload-task",
            "tests-take-long": late,
            "call-takes-time": seconds is not None and not late,
            "both-files": {"reward.txt", "reward.json"} <= task.left.keys(),
            "no-reward-file": not task.left,
            "folder-as-file": any(name.endswith("/") for name in task.left),
        }
    )
    name, content = _counting(task, case)
    return flags if name is None else flags | _content_flags(name, content)


def _limit(task: TaskScenario) -> float:
    config = _parsed(task.files["task.toml"]) or {}
    verifier = config.get("verifier")
    limit = verifier.get("timeout_sec", 600.0) if isinstance(verifier, dict) else 600.0
    return float(limit) if isinstance(limit, int | float) else 600.0


def _counting(task: TaskScenario, case: EnvScenario) -> tuple[str | None, bytes]:
    """Return the name of the file that counts, or None, and its content."""
    if case.scoring == "harbor":
        name = next((name for name in ("reward.json", "reward.txt") if name in task.left), None)
    else:
        name = next((name for name in ("reward.txt", "reward.json") if task.left.get(name)), None)
    return name, b"" if name is None else task.left[name]


def _content_flags(name: str, content: bytes) -> set[str]:
    text = content.decode(errors="replace").strip()
    number = _number(text)
    flags = carried({"empty-file": not content, "padded-reward": content != content.strip()})
    if number is not None:
        return flags | carried(
            {
                "number-in-json": name == "reward.json",
                "number-in-text": name != "reward.json",
                "number-spelling": not _JSON_NUMBER.fullmatch(text),
                "negative-zero": number == 0 and text.startswith("-"),
                "non-finite": number - number != 0,
            }
        )
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return flags | {"malformed"}
    except (ValueError, RecursionError):
        return flags | {"malformed", "unforeseen-document"}
    return flags | carried({"json-in-text": name == "reward.txt"}) | _document_flags(document)


def _document_flags(document: Any) -> set[str]:
    if not isinstance(document, dict):
        return {"null-document" if document is None else "not-object", "unforeseen-document"}
    value = document.get(KEY, 0.0)
    keyless = bool(document) and KEY not in document
    is_float = _is_float(value)
    return carried(
        {
            "several-keys": len(document) > 1,
            "empty-object": not document,
            "no-reward-key": keyless,
            "one-other-key": keyless and len(document) == 1,
            "bool-value": isinstance(value, bool),
            "text-value": isinstance(value, str),
            "int-value": isinstance(value, int) and not isinstance(value, bool),
            "huge-int": any(map(_is_huge, document.values())),
            "unforeseen-document": not is_float,
            "no-number": not is_float and not isinstance(value, int),
        }
    )


def _is_float(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_huge(value: Any) -> bool:
    return isinstance(value, int) and abs(value) > sys.float_info.max


def _argument_flags(case: EnvScenario) -> set[str]:
    return carried(
        {
            "model": case.model,
            "no-model": not case.model,
            "no-workdir": not case.workdir,
            "given-variables": case.variables,
            "given-documented-variables": any(
                name.startswith(("HARBOR_", "AGENT_", "OPENAI_")) for name in case.variables
            ),
        }
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(1000)
def _parsed(toml: bytes) -> dict[str, Any] | None:
    try:
        return read_toml(toml.decode())
    except (ValueError, RecursionError):
        return None


def _shape(toml: bytes) -> frozenset[str]:
    """Return the paths of all keys in a task.toml."""
    return frozenset(_keys(_parsed(toml) or {}))


def _keys(table: dict[str, Any], place: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield f"{place}.{key}"
        if isinstance(value, dict):
            yield from _keys(value, f"{place}.{key}")
