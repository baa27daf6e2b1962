"""Golden inputs of `harbor_env`, rule by rule.

Answers under the documented scoring were recorded from releases of `verifiers` that follow the documentation, and
`documented-env/skipped` was derived from its text. They are kept; nothing records them again.
"""

from collections.abc import Mapping
from typing import Any

from parity.operations.harbor_env.documented_reward_vectors import HUGE, LEFT, in_json, in_text
from parity.operations.harbor_env.recorded.scenario import (
    EnvScenario,
    Files,
    InjectedFault,
    RolloutMoment,
    TaskScenario,
)
from parity.operations.vector import vectors_of

_TASK: Files = {"task.toml": b"", "instruction.md": b"Do it.\n", "environment/": b"", "tests/test.sh": b"#!/bin/sh\n"}


def _task(name: str = "task", toml: str = "", left: Files | None = None, **more: Any) -> TaskScenario:
    return TaskScenario(name, {**_TASK, "task.toml": toml.encode()}, {} if left is None else left, **more)


def _files(name: str, files: Mapping[str, bytes | None], left: Files | None = None) -> TaskScenario:
    """Build a task with other files; None removes one."""
    return TaskScenario(name, {path: text for path, text in {**_TASK, **files}.items() if text is not None}, left or {})


def _harbor(*tasks: TaskScenario) -> EnvScenario:
    return EnvScenario("harbor", tasks)


def _documented(*tasks: TaskScenario, **more: Any) -> EnvScenario:
    return EnvScenario("documented", tasks, **more)


def _scored(*lefts: Files) -> EnvScenario:
    return _harbor(*(_task(f"task-{number}", "", left) for number, left in enumerate(lefts)))


def _read(*lefts: Files) -> EnvScenario:
    return _documented(*(_task(f"task-{number}", "", left) for number, left in enumerate(lefts)))


def _fails(moment: RolloutMoment, seconds: int | None = None) -> TaskScenario:
    return _task(left=in_text(b"1"), injected_fault=InjectedFault(moment, seconds))


_HARBOR: dict[str, dict[str, EnvScenario]] = {
    "refused": {
        "no-toml": _harbor(_task(toml="x =")),
        "wrong-type": _harbor(_task(toml='verifier.timeout_sec = "soon"')),
        "one-of-two": _harbor(_task("a", left=in_text(b"1")), _task("b", "verifier = 1")),
    },
    "test-command": {"plain": _harbor(_task(left=in_text(b"1")))},
    "test-folder": {
        "own": _harbor(_task(toml='environment.workdir = "/w"', left=in_text(b"1"))),
        "none": _harbor(_task(left=in_text(b"0"))),
    },
    "test-variables": {
        "verifier": _harbor(_task(toml='verifier.env = {A = "1"}')),
        "environment": _harbor(_task(toml='environment.env = {A = "1", B = "2"}')),
        "both": _harbor(_task(toml='environment.env = {A = "1", B = "2"}\nverifier.env = {A = "3"}')),
        "default-of-a-template": _harbor(_task(toml='verifier.env = {A = "${PARITY_IS_NOT_SET:-two words}"}')),
    },
    "test-timeout": {
        "late": _harbor(
            _task(toml="verifier.timeout_sec = 20.0", left=in_text(b"1"), injected_fault=InjectedFault("run-tests", 21))
        ),
        "in-time": _harbor(
            _task(toml="verifier.timeout_sec = 20.0", left=in_text(b"1"), injected_fault=InjectedFault("run-tests", 19))
        ),
        "after-documented-time": _harbor(_task(left=in_text(b"1"), injected_fault=InjectedFault("run-tests", 301))),
        "default": _harbor(_task(left=in_text(b"1"), injected_fault=InjectedFault("run-tests", 601))),
    },
    "ambiguous": {
        "two-keys": _scored(in_json(b'{"speed": 2, "accuracy": 0.5}')),
        "other-case": _scored(in_json(b'{"Reward": 1, "rewards": 1}')),
    },
    "huge-int": {
        "alone": _scored(in_json(b'{"reward": ' + HUGE + b"}")),
        "other-key": _scored(in_json(b'{"a": ' + HUGE + b"}")),
        "beside-reward": _scored(in_json(b'{"reward": 1, "a": ' + HUGE + b"}")),
        "beside-another": _scored(in_json(b'{"b": 1, "a": ' + HUGE + b"}")),
    },
    "call-fails": {
        "upload": _harbor(_fails("upload-tests")),
        "tests": _harbor(_fails("run-tests")),
        "download": _harbor(_fails("read-reward")),
    },
    "error": {
        "no-file": _scored({}),
        "empty": _scored(in_text(b"")),
        "empty-json-beside-text": _scored({**in_json(b""), **in_text(b"1")}),
        "no-number": _scored(in_text(b"pass")),
        "no-json": _scored(in_json(b"{reward: 1}")),
        "list": _scored(in_json(b"[1]")),
        "null-value": _scored(in_json(b'{"reward": null}')),
        "failing-script": _harbor(_task(code=1)),
    },
    "message-code": {
        "text": _scored(in_text(b"missing")),
        "string": _scored(in_json(b'{"reward": "missing"}')),
        "key": _scored(in_json(b'{"empty": null}')),
        "list": _scored(in_json(b'["empty"]')),
        "broken": _scored(in_json(b'{"reward": missing')),
        "rewards": _scored(in_json(b'{"missing": 1, "empty": 2}')),
    },
    "rewards": {
        "both-files": _scored({**in_json(b'{"reward": 1}'), **in_text(b"0")}),
        "int": _scored(in_json(b'{"reward": 1}')),
        "several": _scored(in_json(b'{"reward": 1, "speed": 0.1}')),
        "true": _scored(in_json(b'{"reward": true}')),
        "string": _scored(in_json(b'{"reward": "1.5"}')),
        "failing-script": _harbor(_task(left=in_text(b"0.5"), code=1)),
    },
    "one-key": {"accuracy": _scored(in_json(b'{"accuracy": 0.5}')), "int": _scored(in_json(b'{"": 2}'))},
    "several-keys": {
        "first": _scored(in_json(b'{"reward": 0.5, "speed": 2}')),
        "last": _scored(in_json(b'{"a": 3, "reward": 0.25}')),
        "named-mean": _scored(in_json(b'{"mean": 3, "reward": 0.25}')),
    },
    "no-rewards": {"null": _scored(in_json(b"null")), "no-keys": _scored(in_json(b"{}"))},
    "negative-zero": {"text": _scored(in_text(b"-0.0")), "json": _scored(in_json(b'{"reward": -0.0}'))},
    "reward": {
        "tenth": _scored(in_text(b"0.1")),
        "beyond-53-bits": _scored(in_json(b'{"reward": 9007199254740993}')),
        "nan": _scored(in_text(b"nan")),
        "infinite": _scored(in_text(b"-inf")),
    },
    "average": {
        "two": _scored(in_text(b"0.5"), in_text(b"1")),
        "with-a-fault": _scored(in_text(b"1"), {}, in_text(b"1")),
        "with-none": _scored(in_text(b"1"), in_json(b"null")),
        "tenths": _scored(*[in_text(b"0.1")] * 10),
        "large": _scored(in_text(b"1e16"), in_text(b"1"), in_text(b"-1e16"), in_text(b"1")),
        "large-below-zero": _scored(in_text(b"-1e16"), in_text(b"1"), in_text(b"1e16")),
        "divided-at-the-end": _scored(in_text(b"1"), in_text(b"1"), in_text(b"0.1")),
        "small-beside-large": _scored(in_text(b"1"), in_text(b"1e-16"), in_text(b"1e16"), in_text(b"1e-16")),
        "last-of-twelve": _scored(*[in_text(b"0")] * 11, in_text(b"1")),
    },
}

_TWO = (_task("b", left=in_text(b"0.5")), _task("a", left=in_text(b"1")))

_DOCUMENTED: dict[str, dict[str, EnvScenario]] = {
    "filter": {
        "one": _documented(*_TWO, names=("b",)),
        "unknown": _documented(*_TWO, names=("b", "missing")),
        "only-unknown": _documented(*_TWO, names=("missing",)),
        "twice": _documented(*_TWO, names=("a", "a")),
        "nothing": _documented(*_TWO, names=()),
    },
    "incomplete-folder": {
        "no-toml": _documented(_files("a", {"task.toml": None}), _task("b")),
        "no-instruction": _documented(_task("a"), _files("b", {"instruction.md": None})),
        "neither": _documented(_files("a", {"task.toml": None, "instruction.md": None})),
    },
    "refused": {
        "empty": _documented(),
        "no-toml": _documented(_task(toml="x =")),
        "later-toml": _documented(_task(toml='x = "\\e"')),
        "no-utf8": _documented(_files("a", {"task.toml": b"\xff"})),
        "instruction-no-utf8": _documented(_files("a", {"instruction.md": b"\xff"})),
        "environment-no-table": _documented(_task(toml="environment = 1")),
        "two-types": _documented(_task("a", "x = 1"), _task("b", 'x = "1"')),
        "two-types-in-a-list": _documented(_task(toml='x = [1, "1"]')),
        "70-bits": _documented(_task(toml="x = 1180591620717411303424")),
    },
    "instruction": {
        "padded": _documented(_files("a", {"instruction.md": b"\n  Do it.\n\n"})),
        "carriage-return": _documented(_files("a", {"instruction.md": b"Do\r\nit.\rNow."})),
        "unicode": _documented(_files("a", {"instruction.md": " Où? \u2028".encode()})),
        "empty": _documented(_files("a", {"instruction.md": b""})),
    },
    "config": {
        "nested": _documented(_task(toml='[metadata]\ntags = ["a", "b"]\nx = {y = {z = 0.1}}\n')),
        "unlike": _documented(_task("a", "[metadata]\nx = 1\n"), _task("b", "[verifier]\ntimeout_sec = 1.5\n")),
        "int-beside-float": _documented(_task("a", "x = 1"), _task("b", "x = 0.5")),
        "date": _documented(_task(toml="when = 2020-01-02\n")),
    },
    "image": {
        "own": _documented(_task(toml='environment.docker_image = "own:1"')),
        "none": _documented(_task(), image="other"),
        "empty": _documented(_task(toml='environment.docker_image = ""')),
        "one-of-two": _documented(_task("a", 'environment.docker_image = "own:1"'), _task("b")),
    },
    "order": {
        "two": _documented(*_TWO),
        "numbers": _documented(_task("task-10"), _task("task-2"), _task("Task")),
        "unicode": _documented(_task("é"), _task("z"), _task("\U0001f600"), _task("\uff5e")),
    },
    "rows": {"plain": _documented(_task()), "unusual": _documented(_task("two words é"))},
    "given-variables": {
        "other": _documented(_task(), variables={"TOKEN": "x"}),
        "task-name": _documented(_task(), variables={"HARBOR_TASK_NAME": "x", "AGENT_WORKDIR": "/x"}),
        "base-url": _documented(_task(), variables={"OPENAI_BASE_URL": "x"}),
        "model": _documented(_task(), variables={"OPENAI_MODEL": "x"}, model="m"),
        "model-alone": _documented(_task(), variables={"OPENAI_MODEL": "x"}),
    },
    "model": {
        "some": _documented(_task(), model="org/m"),
        "none": _documented(_task()),
        "empty": _documented(_task(), model=""),
    },
    "workdir": {"none": _documented(_task(), workdir=""), "deep": _documented(_task(), workdir="/w/deep")},
    "variables": {"plain": _documented(_task("a b"))},
    "before-the-agent": {"whole-task": _documented(_files("a", {"solution/solve.sh": b"x", "README.md": b"y"}))},
    "after-the-agent": {
        "both": _documented(_files("a", {"solution/solve.sh": b"x", "tests/deep/er": b"y"})),
        "no-solution": _documented(_task()),
        "no-tests": _documented(_files("a", {"tests/test.sh": None}, in_text(b"1"))),
    },
    "test-run": {"plain": _documented(_task(toml='environment.workdir = "/w"\nverifier.env = {A = "1"}'))},
    "timeout": {
        "late": _documented(_fails("run-tests", 301)),
        "in-time": _documented(_fails("run-tests", 299)),
        "own-time": _documented(
            _task(toml="verifier.timeout_sec = 20.0", left=in_text(b"1"), injected_fault=InjectedFault("run-tests", 30))
        ),
    },
    "skipped": {"upload": _documented(_fails("upload-task"))},
    "call-fails": {
        "upload": _documented(_fails("upload-tests")),
        "unpack": _documented(_fails("unpack-tests")),
        "tests": _documented(_fails("run-tests")),
        "read": _documented(_fails("read-reward")),
    },
    "exit-code": {
        "one": _documented(_task(left=in_text(b"0.5"), code=1)),
        "two": _documented(_task(left=in_json(b'{"reward": 1}'), code=2)),
        "killed": _documented(_task(left=in_text(b"1"), code=137)),
        "negative": _documented(_task(left=in_text(b"1"), code=-9)),
        "no-file": _documented(_task(code=1)),
        "one-of-two": _documented(_task("a", left=in_text(b"1"), code=1), _task("b", left=in_text(b"0.5"))),
    },
    **{rule: {name: _read(*lefts) for name, lefts in named.items()} for rule, named in LEFT.items()},
}

VECTORS = vectors_of("harbor-env", _HARBOR) + vectors_of("documented-env", _DOCUMENTED)
