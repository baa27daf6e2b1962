"""Differences of Harbor, HarborEnv's documentation and its releases; each row is verified by asking all of them.

Only one release can be installed at a time, so the answers are kept in `releases.json`. `python -m
tests.harbor_env.differences` adds those of the installed release, and a test compares them. 0.1.9.post3 was asked as
long as an environment for it could be made.
"""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from parity.operations.harbor_env.recorded.execution import run_environment_scenario
from parity.operations.harbor_env.recorded.scenario import EnvScenario, Files, InjectedFault, TaskScenario
from parity.operations.scenarios.records import Record
from parity.reference.released import installed_release, run_released
from parity.reference.wheel import Wheel
from tests.harbor_env.rollout_differences import ROLLOUT_DIFFERENCES

RECORDED = Path(__file__).with_name("releases.json")

_TASK: Files = {"task.toml": b"", "instruction.md": b"Do it.\n", "environment/": b"", "tests/test.sh": b"#!/bin/sh\n"}
_HUGE = b'{"reward": 1' + b"0" * 400 + b"}"

type Shown = Callable[[Record], str]


@dataclass(frozen=True)
class Difference:
    """One input, in words and as a task, and the part of the answers that is shown."""

    case: str
    task: TaskScenario
    of_harbor: Shown
    of_environment: Shown

    def scenario(self, scoring: str) -> EnvScenario:
        """Return a scenario with this task alone."""
        return EnvScenario(scoring, (self.task,))  # type: ignore[arg-type]


def _score(record: Record) -> str:
    """Return Harbor's reward or error, and its rewards if they say more."""
    if "refused" in record:
        return "refused"
    rollout = record["rollouts"][0]
    rewards = rollout["rewards"]
    shown = f"`{rollout['error']}`" if rollout["error"] else repr(rollout["reward"])
    says_more = rewards is not None and (list(rewards) != ["reward"] or type(rewards["reward"]) is int)
    return f"{shown}, of `{json.dumps(rewards)[:40]}`" if says_more else shown


def _reward(record: Record) -> str:
    """Return the environment's reward, and whether there is an error."""
    if "refused" in record:
        return f"refused: {record['refused']}"
    rollout = record["rollouts"][0]
    return f"{rollout['reward']!r}{' and an error' if rollout['failed'] else ''}"


def _run(record: Record) -> str:
    """Return the command and the settings with which the tests are run."""
    rollout = record["rollouts"][0]
    tests = rollout.get("tests") or next(call["run-tests"] for call in rollout["calls"] if "run-tests" in call)
    where = "the task's working directory" if tests["cwd"] is None else tests["cwd"]
    return f"`{tests['command'].split(' > ')[0].strip('()')}` in {where}"


def _variables(record: Record) -> str:
    """Return the variables that the tests get."""
    tests = record["rollouts"][0].get("tests") or {}
    return " ".join(f"`{name}={value}`" for name, value in tests.get("env", {}).items()) or "none"


def _left(case: str, **files: bytes) -> Difference:
    """Return a difference about the reward files of a named case."""
    left = {name.replace("_", "."): content for name, content in files.items()}
    return Difference(case, TaskScenario("task", _TASK, left), _score, _reward)


def _toml(case: str, toml: str, of_harbor: Shown = _score, of_environment: Shown = _reward, **more: Any) -> Difference:
    task = TaskScenario("task", {**_TASK, "task.toml": toml.encode()}, {"reward.txt": b"1"}, **more)
    return Difference(case, task, of_harbor, of_environment)


DIFFERENCES: dict[str, Difference] = {
    "both-files": _left(
        'reward.json is `{"reward": 1}`, reward.txt is `0`', reward_json=b'{"reward": 1}', reward_txt=b"0"
    ),
    "empty-json": _left("reward.json is empty, reward.txt is `1`", reward_json=b"", reward_txt=b"1"),
    "empty-text": _left("reward.txt is empty, reward.json is missing", reward_txt=b""),
    "no-file": _left("neither file"),
    "word": _left("reward.txt is `pass`", reward_txt=b"pass"),
    "not-utf8": _left("reward.txt is `1` and a byte that is not UTF-8", reward_txt=b"1\xff"),
    "json-in-text": _left('reward.txt is `{"reward": 0.5}`', reward_txt=b'{"reward": 0.5}'),
    "number-in-json": _left("reward.json is `0.75`", reward_json=b"0.75"),
    "no-json": _left("reward.json is `{reward: 1}`", reward_json=b"{reward: 1}"),
    "list": _left("reward.json is `[1]`", reward_json=b"[1]"),
    "null": _left("reward.json is `null`", reward_json=b"null"),
    "null-value": _left('reward.json is `{"reward": null}`', reward_json=b'{"reward": null}'),
    "word-value": _left('reward.json is `{"reward": "high"}`', reward_json=b'{"reward": "high"}'),
    "huge-int": _left('reward.json is `{"reward": 1000…}`, 401 digits', reward_json=_HUGE),
    "deep": _left("reward.json is 100,000 times `[`", reward_json=b"[" * 100_000),
    "other-key": _left('reward.json is `{"accuracy": 0.5}`', reward_json=b'{"accuracy": 0.5}'),
    "more-keys": _left('reward.json is `{"reward": 0.5, "speed": 2}`', reward_json=b'{"reward": 0.5, "speed": 2}'),
    "other-keys": _left('reward.json is `{"speed": 2, "accuracy": 0.5}`', reward_json=b'{"speed": 2, "accuracy": 0.5}'),
    "int": _left('reward.json is `{"reward": 1}`', reward_json=b'{"reward": 1}'),
    "negative-zero": _left("reward.txt is `-0.0`", reward_txt=b"-0.0"),
    "test-run": _toml("how tests/test.sh is run", "", _run, _run),
    "test-variables": _toml('`verifier.env` is `{A = "1"}`', 'verifier.env = {A = "1"}', _variables, _variables),
    "slow": _toml("the tests take 301 seconds, and leave `1`", "", injected_fault=InjectedFault("run-tests", 301)),
    "too-slow": _toml(
        "the tests take 30 seconds of a `verifier.timeout_sec` of 20, and leave `1`",
        "verifier.timeout_sec = 20.0",
        injected_fault=InjectedFault("run-tests", 30),
    ),
    "no-upload": _toml("the tests cannot be uploaded", "", injected_fault=InjectedFault("upload-tests")),
    "no-run": _toml("running the tests fails", "", injected_fault=InjectedFault("run-tests")),
    "no-download": _toml("the reward cannot be read from the sandbox", "", injected_fault=InjectedFault("read-reward")),
    "no-tests": Difference(
        "tests/test.sh is missing",
        TaskScenario("task", {name: text for name, text in _TASK.items() if name != "tests/test.sh"}),
        _score,
        _reward,
    ),
    "foreign-toml": _toml('`verifier.timeout_sec` is `"soon"`', 'verifier.timeout_sec = "soon"'),
    "mixed-list": _toml('`artifacts` is `["/a", {source = "/b"}]`', 'artifacts = ["/a", {source = "/b"}]'),
}
"""All rows, by name."""


def of_harbor(difference: Difference, wheel: Wheel) -> str:
    """Return the wheel's answer."""
    return difference.of_harbor(wheel.harbor_env(difference.scenario("harbor")))


def of_environment(difference: Difference) -> str:
    """Return the answer of this kit's environment under the documentation's scoring."""
    with tempfile.TemporaryDirectory() as folder:
        return difference.of_environment(run_environment_scenario(difference.scenario("documented"), Path(folder)))


def of_release(difference: Difference) -> str:
    """Return the answer of the installed release."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return difference.of_environment(run_released(difference.scenario("documented"), Path(folder)))
        except Exception as error:
            return f"raises `{type(error).__name__}`"


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded answers, by release and row."""
    answers: dict[str, dict[str, str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return answers


def rows(wheel: Wheel) -> list[str]:
    """Return the rows of the table: the input, Harbor, the documentation, and releases that differ."""
    shown = []
    for name, difference in DIFFERENCES.items():
        documented = of_environment(difference)
        others = releases_apart(name, documented)
        shown.append(f"| {difference.case} | {of_harbor(difference, wheel)} | {documented} | {others} |")
    return shown


def rollout_rows() -> list[str]:
    """Return rows about rollouts: the case, Harbor, this kit by either scoring, and releases that differ."""
    shown = []
    for name, difference in ROLLOUT_DIFFERENCES.items():
        harbor, documented = difference.of_environment("harbor"), difference.of_environment("documented")
        others = releases_apart(name, documented)
        shown.append(f"| {difference.case} | {difference.of_harbor()} | {harbor} | {documented} | {others} |")
    return shown


def releases_apart(name: str, documented: str) -> str:
    """Return the releases that differ in a row, with their answers."""
    answers = recorded()
    by_release = [(release, rows[name]) for release, rows in answers.items()]
    others = [
        f"{_span([release for release, _ in group])}: {answer}"
        for answer, group in groupby(by_release, key=lambda pair: pair[1])
        if answer != documented
    ]
    return "; ".join(others) or "none"


def _span(releases: list[str]) -> str:
    return releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"


def record_installed() -> None:
    """Add the answers of the installed release to the file."""
    release = installed_release()
    if release is None:
        raise SystemExit("no release of verifiers with HarborEnv is installed: pip install verifiers==0.1.14")
    known = recorded() if RECORDED.exists() else {}
    known[release] = {
        **{name: of_release(difference) for name, difference in DIFFERENCES.items()},
        **{name: difference.of_release() for name, difference in ROLLOUT_DIFFERENCES.items()},
    }
    RECORDED.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record_installed()
