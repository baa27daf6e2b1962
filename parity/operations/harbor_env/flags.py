"""Why a scenario of an environment is hard."""

import json
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from parity.driver.task_toml import read_toml
from parity.harbor_env.scoring import KEY
from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario

FLAGS = {
    "harbor": "rewards are scored by Harbor's rules",
    "documented": "rewards are scored by the rules of HarborEnv's documentation",
    "no-tasks": "no folder is a task",
    "several-tasks": "more than one folder is a task",
    "unsorted-names": "the folders do not come in order of name",
    "unusual-name": "a task's name has a blank, or is not ASCII",
    "incomplete-folder": "a folder lacks task.toml or instruction.md",
    "filter": "tasks are chosen by name",
    "unknown-name": "a chosen name is that of no folder",
    "empty-filter": "tasks are chosen by an empty list",
    "unlike-tables": "one task.toml has fields that another has not",
    "padded-instruction": "an instruction has white space around it",
    "carriage-return": "an instruction has carriage returns",
    "unicode-instruction": "an instruction is not ASCII",
    "bad-toml": "a task.toml is no TOML",
    "not-utf8": "a task.toml or an instruction is not UTF-8",
    "environment-no-table": "`environment` of a task.toml is no table",
    "image": "a task names an image",
    "no-image": "a task names no image",
    "empty-image": "a task names an empty image",
    "own-workdir": "a task names a working directory",
    "test-variables": "a task has variables for its sandbox or its tests",
    "no-tests": "a task has no tests",
    "solution": "a task has a solution",
    "failing-script": "the test script exits with another code than 0",
    "call-fails": "a call to the sandbox fails",
    "call-takes-time": "a call to the sandbox takes a while, but not too long",
    "tests-take-long": "the tests take longer than they may",
    "both-files": "the tests leave both files",
    "no-reward-file": "the tests leave nothing",
    "folder-as-file": "a folder is in place of a reward file",
    "empty-file": "the file that counts has no bytes",
    "padded-reward": "the file that counts has white space around its content",
    "number-in-json": "reward.json counts, and is a bare number",
    "number-in-text": "reward.txt counts, and is a number",
    "number-spelling": "the file that counts is a number, but not as JSON spells one",
    "json-in-text": "reward.txt counts, and is JSON",
    "malformed": "the file that counts is neither a number nor JSON",
    "negative-zero": "the reward is -0.0",
    "non-finite": "the reward is nan or infinite",
    "null-document": "the file that counts is `null`",
    "not-object": "the file that counts is JSON, but neither an object nor null",
    "unforeseen-document": "the file that counts is JSON without a number where one is looked for",
    "several-keys": "more than one reward key",
    "no-reward-key": "reward keys, none of which is `reward`",
    "one-other-key": "one reward key, which is not `reward`",
    "empty-object": "the file that counts is `{}`",
    "bool-value": "`reward` is true or false",
    "text-value": "`reward` is a string",
    "int-value": "`reward` is an int",
    "huge-int": "a reward is an int beyond the range of a double",
    "no-number": "`reward` is no number",
    "model": "the rollout has a model",
    "no-model": "the rollout has no model",
    "no-workdir": "the environment has no folder for its agent",
    "given-variables": "the environment was given variables",
    "given-documented-variables": "the environment was given variables that it sets itself",
}


_DOCUMENTED_SECONDS = 300


_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


def flags_of(case: EnvScenario) -> frozenset[str]:
    """The flags of `parity.operations.harbor_env.flag_sentences` that the case carries."""
    chosen = [task for task in case.tasks if not case.names or task.name in case.names]
    tasks = [task for task in chosen if {"task.toml", "instruction.md"} <= task.files.keys()]
    flags = {case.scoring, *_dataset_flags(case, chosen, tasks)}
    for task in tasks:
        flags |= {*_task_flags(task), *_left_flags(task, case)}
    if case.scoring == "documented":
        flags |= {*_argument_flags(case)}
    return frozenset(flags)


def _dataset_flags(case: EnvScenario, chosen: list[TaskScenario], tasks: list[TaskScenario]) -> Iterator[str]:
    if not tasks:
        yield "no-tasks"
    if len(tasks) > 1:
        yield "several-tasks"
    if [task.name for task in tasks] != sorted(task.name for task in tasks):
        yield "unsorted-names"
    if any(not task.name.isascii() or " " in task.name for task in tasks):
        yield "unusual-name"
    if len(chosen) > len(tasks):
        yield "incomplete-folder"
    if case.names:
        yield "filter"
        if not {*case.names} <= {task.name for task in case.tasks}:
            yield "unknown-name"
    if case.names == ():
        yield "empty-filter"
    if len({_shape(task.files["task.toml"]) for task in tasks}) > 1:
        yield "unlike-tables"


def _task_flags(task: TaskScenario) -> Iterator[str]:
    instruction = task.files["instruction.md"]
    if instruction.strip() != instruction:
        yield "padded-instruction"
    if b"\r" in instruction:
        yield "carriage-return"
    if not instruction.isascii():
        yield "unicode-instruction"
    toml = task.files["task.toml"]
    config = _parsed(toml)
    if config is None:
        yield "bad-toml" if _is_text(toml) else "not-utf8"
        return
    if not _is_text(instruction):
        yield "not-utf8"
    environment = config.get("environment", {})
    if not isinstance(environment, dict):
        yield "environment-no-table"
        return
    image = environment.get("docker_image")
    yield "no-image" if image is None else "image" if image else "empty-image"
    verifier = config.get("verifier", {})
    if environment.get("workdir"):
        yield "own-workdir"
    if environment.get("env") or (isinstance(verifier, dict) and verifier.get("env")):
        yield "test-variables"
    if not any(name.startswith("tests/") for name in task.files):
        yield "no-tests"
    if any(name.startswith("solution/") for name in task.files):
        yield "solution"


def _left_flags(task: TaskScenario, case: EnvScenario) -> Iterator[str]:
    """Of what the tests leave, and of what happens to the calls."""
    if task.code:
        yield "failing-script"
    if task.injected_fault is not None:
        seconds = task.injected_fault.seconds
        limit = _DOCUMENTED_SECONDS if case.scoring == "documented" else _limit(task)
        late = task.injected_fault.moment == "run-tests" and seconds is not None and seconds > limit
        yield "call-fails" if seconds is None else "tests-take-long" if late else "call-takes-time"
    if {"reward.txt", "reward.json"} <= task.left.keys():
        yield "both-files"
    if not task.left:
        yield "no-reward-file"
    if any(name.endswith("/") for name in task.left):
        yield "folder-as-file"
    name, content = _counting(task, case)
    if name is not None:
        yield from _content_flags(name, content, case)


def _limit(task: TaskScenario) -> float:
    config = _parsed(task.files["task.toml"]) or {}
    verifier = config.get("verifier")
    limit = verifier.get("timeout_sec", 600.0) if isinstance(verifier, dict) else 600.0
    return float(limit) if isinstance(limit, int | float) else 600.0


def _counting(task: TaskScenario, case: EnvScenario) -> tuple[str | None, bytes]:
    """The file that counts, with its content."""
    if case.scoring == "harbor":
        name = next((name for name in ("reward.json", "reward.txt") if name in task.left), None)
    else:
        name = next((name for name in ("reward.txt", "reward.json") if task.left.get(name)), None)
    return name, b"" if name is None else task.left[name]


def _content_flags(name: str, content: bytes, case: EnvScenario) -> Iterator[str]:
    text = content.decode(errors="replace").strip()
    if not content:
        yield "empty-file"
    elif content != content.strip():
        yield "padded-reward"
    number = _number(text)
    if number is not None:
        yield "number-in-json" if name == "reward.json" else "number-in-text"
        if not _JSON_NUMBER.fullmatch(text):
            yield "number-spelling"
        if number == 0 and text.startswith("-"):
            yield "negative-zero"
        if number - number != 0:
            yield "non-finite"
        return
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield "malformed"
        if not isinstance(error, json.JSONDecodeError):
            yield "unforeseen-document"
        return
    if name == "reward.txt":
        yield "json-in-text"
    yield from _document_flags(document)


def _document_flags(document: Any) -> Iterator[str]:
    if not isinstance(document, dict):
        yield "null-document" if document is None else "not-object"
        yield "unforeseen-document"
        return
    if len(document) > 1:
        yield "several-keys"
    if not document:
        yield "empty-object"
    elif KEY not in document:
        yield "no-reward-key"
    if len(document) == 1 and KEY not in document:
        yield "one-other-key"
    value = document.get(KEY, 0.0)
    if isinstance(value, bool):
        yield "bool-value"
    elif isinstance(value, str):
        yield "text-value"
    elif isinstance(value, int):
        yield "int-value"
    if any(map(_is_huge, document.values())):
        yield "huge-int"
    try:
        float(value)
    except OverflowError:
        yield "unforeseen-document"
    except (TypeError, ValueError):
        yield "no-number"
        yield "unforeseen-document"


def _is_huge(value: Any) -> bool:
    return isinstance(value, int) and abs(value) > sys.float_info.max


def _argument_flags(case: EnvScenario) -> Iterator[str]:
    yield "model" if case.model else "no-model"
    if not case.workdir:
        yield "no-workdir"
    if case.variables:
        yield "given-variables"
    if any(name.startswith(("HARBOR_", "AGENT_", "OPENAI_")) for name in case.variables):
        yield "given-documented-variables"


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
    """The keys of all tables."""
    return frozenset(_keys(_parsed(toml) or {}))


def _keys(table: dict[str, Any], place: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield f"{place}.{key}"
        if isinstance(value, dict):
            yield from _keys(value, f"{place}.{key}")
