"""Judges the rewards of a task's trials: with the solution, without it, and with a planted reward.

Harbor's releases read reward files in three ways. The files are read as each of them does, to find differences from
0.13.1.
"""

import json
import math
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from parity.lint.findings import Finding, not_run
from parity.lint.trials import PLANTED, FinishedTrial, Trials
from parity.scorer.errors import VerifierOutputParseError
from parity.scorer.existence import exists
from parity.scorer.from_disk.files import LIMIT
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL
from parity.scorer.values import Rewards

type Outcome = Rewards | str | None
"""Rewards, or the class name of an error."""


UP_TO_0_6 = "up to Harbor 0.6"
FROM_0_23 = "from Harbor 0.23 on"
LAST_PLANTED = "0.24"
"""The last release that keeps reward files from before the tests. Rule: `run-trial/mounted`."""


def up_to_0_6(folder: Path) -> Outcome:
    """Read a verifier's folder as releases up to 0.6.6 do: reward.txt counts before reward.json."""
    text = folder / "reward.txt"
    try:
        if not exists(text, OFFICIAL):
            return as_0_13(folder)
    except OSError as error:
        return type(error).__name__
    with tempfile.TemporaryDirectory() as alone:
        (Path(alone) / text.name).symlink_to(text.absolute())
        return as_0_13(Path(alone))


def as_0_13(folder: Path) -> Outcome:
    """Read a verifier's folder as releases from 0.7.0 to 0.22.0 do."""
    try:
        return read_reward(folder)
    except Exception as error:  # the scorer's own errors have no class in common
        return type(error).__name__


def from_0_23(folder: Path) -> Outcome:
    """Read a verifier's folder as releases from 0.23.0 on do: values must be finite numbers or booleans."""
    rewards = as_0_13(folder)
    if isinstance(rewards, str):
        return rewards
    finite = rewards is not None and all(map(_is_finite, rewards.values()))
    return rewards if finite and not _has_texts(folder / "reward.json") else VerifierOutputParseError.__name__


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an int larger than any double
        return True


def _has_texts(document: Path) -> bool:
    return document.exists() and any(isinstance(value, str) for value in json.loads(document.read_text()).values())


def otherwise(folder: Path) -> Mapping[str, str]:
    """Return the answers of other releases that differ from 0.13.1's, by the releases in words."""
    known = as_0_13(folder)
    others = {UP_TO_0_6: up_to_0_6(folder), FROM_0_23: from_0_23(folder)}
    return {
        releases: f"the error {read}" if isinstance(read, str) else str(read)
        for releases, read in others.items()
        if repr(read) != repr(known) and not (isinstance(read, str) and isinstance(known, str))
    }


VERIFIER_ERRORS = {
    "RewardFileNotFoundError": "no-reward",
    "RewardFileEmptyError": "empty-reward",
    "VerifierOutputParseError": "invalid-reward",
    "ValidationError": "invalid-reward",
    "VerifierTimeoutError": "timeout",
}
"""Errors of trials that the test script causes, each with its rule."""

_LIKE_A_REWARD = re.compile(r"reward|score|result", re.IGNORECASE)
_MOVED_BY = {
    "both-files": UP_TO_0_6,
    **dict.fromkeys(("text-value", "null-rewards", "not-finite"), FROM_0_23),
}
"""The releases that read the faulty files of a rule differently, by rule."""

_SHOWN = 80
"""Characters of a reward file in a finding."""

_NAMES = ("reward.json", "reward.txt")


def check_trials(task: Path, trials: Trials, *, has_solution: bool, lacks: str | None = None) -> Iterator[Finding]:
    """Yield the faults in the rewards of a task's trials.

    Args:
        task: the task's folder.
        trials: the results of its trials.
        has_solution: whether the task has a solution; if not, the trial with the solution is ignored.
        lacks: the reason why the trials cannot be judged. Then only the files that they left are judged.
    """
    agents = [(trials.solved, "with the solution"), (trials.idle, "with an agent that does nothing")]
    if not has_solution:
        del agents[0]
    if lacks is None:
        yield from _judged(task, trials, has_solution=has_solution)
    elif wrong := [agent for agent in agents if _wrote_another_value(agent[0])]:
        yield from _failed(task, *wrong[0])
    else:
        yield not_run(task, lacks)
    seen = set()
    for trial, _ in agents:
        for folder in trial.verifiers:
            for found in _left(task, folder):
                if found.rule not in seen:
                    seen.add(found.rule)
                    yield found
    if lacks is None and any(reward == PLANTED for reward in (trials.planted.rewards or {}).values()):
        where = f"in /logs/verifier still counts after the tests, up to Harbor {LAST_PLANTED}"
        yield Finding(task, "planted-reward", f"a reward that the agent writes {where}")


def _judged(task: Path, trials: Trials, *, has_solution: bool) -> Iterator[Finding]:
    solved, idle = trials.solved, trials.idle
    if not has_solution:
        yield Finding(task, "no-solution", "there is no solution")
    elif solved.error:
        yield from _failed(task, solved, "with the solution")
    elif solved.exit_code:
        yield Finding(task, "solution-fails", f"the solution ends with exit code {solved.exit_code}")
    if idle.error and (not has_solution or idle.error != solved.error):
        yield from _failed(task, idle, "with an agent that does nothing", alone=has_solution and not solved.error)
    if has_solution and solved.rewards is not None and idle.rewards is not None:
        yield from _compared(task, solved, idle)


_NO_VALUE = re.compile(r':\s*(""\s*)?[,}]')
"""An empty value in reward.json, such as a missing tool leaves."""


def _wrote_another_value(trial: FinishedTrial) -> bool:
    """Return whether a trial failed because its reward is no number, and no missing tool can be the cause.

    A tool that the sandbox lacks leaves an empty value, or its complaint.
    """
    name, text = _wrong_reward(trial)
    if VERIFIER_ERRORS.get(str(trial.error)) != "invalid-reward" or not re.search(r"\w", text):
        return False
    if name == "reward.txt":
        return len(text.split()) <= 2
    return not _NO_VALUE.search(text) and (text[0] + text[-1] in ("{}", "[]") or len(text.split()) == 1)


def _wrong_reward(trial: FinishedTrial) -> tuple[str, str]:
    """Return the name and the beginning of the refused reward file; two empty texts if none was refused."""
    for folder in trial.verifiers:
        if isinstance(as_0_13(folder), str):
            for name in _NAMES:
                if (folder / name).is_file():
                    return name, _read(folder / name).strip()
    return "", ""


def _failed(task: Path, trial: FinishedTrial, when: str, *, alone: bool = False) -> Iterator[Finding]:
    """Yield a finding about a trial's error; `alone` means that the trial with the solution has no error."""
    error = str(trial.error)
    rule = VERIFIER_ERRORS.get(error)
    if rule == "no-reward":
        other = [path.name for folder in trial.verifiers for path in sorted(folder.iterdir())]
        like = [name for name in other if _LIKE_A_REWARD.search(name) and name not in _NAMES]
        if alone:
            yield Finding(task, "no-reward-on-failure", f"{when}, the test script leaves no reward")
        elif like:
            yield Finding(task, "wrong-name", f"{when}, the test script leaves {', '.join(like)} and no reward")
        else:
            yield Finding(task, rule, f"{when}, the test script leaves no reward")
    elif rule == "invalid-reward":
        name, text = _wrong_reward(trial)
        yield Finding(task, rule, f"{when}, {name} is {text[:_SHOWN]!r}: {error}: {trial.message}")
    elif rule:
        yield Finding(task, rule, f"{when}: {error}: {trial.message}")
    elif when == "with the solution":
        yield Finding(task, "solution-fails", f"{when}: {error}: {trial.message}")


def _compared(task: Path, solved: FinishedTrial, idle: FinishedTrial) -> Iterator[Finding]:
    assert solved.rewards is not None
    assert idle.rewards is not None
    if solved.rewards == idle.rewards:
        earned = f"an agent that does nothing earns what the solution earns: {idle.rewards}"
        yield Finding(task, "nothing-earns", earned)
    if solved.rewards.keys() != idle.rewards.keys():
        keys = ", ".join(sorted(solved.rewards.keys() ^ idle.rewards.keys()))
        yield Finding(task, "other-keys", f"the reward has {keys} only with the solution or only without it")


def _left(task: Path, folder: Path) -> Iterator[Finding]:
    """Yield the faults of a verifier's folder, with the rewards that other releases read from its files."""
    others = otherwise(folder)
    for found in _odd(task, folder):
        releases = _MOVED_BY.get(found.rule, "")
        moved = f" ({releases}: {others[releases]})" if releases in others else ""
        yield replace(found, what=found.what + moved)


def _odd(task: Path, folder: Path) -> Iterator[Finding]:
    in_json, in_text = (folder / name for name in _NAMES)
    if in_json.is_file() and in_text.is_file() and as_0_13(folder) != up_to_0_6(folder):
        yield Finding(task, "both-files", "the test script leaves reward.json and reward.txt")
    if in_json.is_file():
        yield from _odd_json(task, in_json)
    elif in_text.is_file() and (number := _number(_read(in_text))) is not None and not math.isfinite(number):
        yield Finding(task, "not-finite", f"reward.txt is {number}")


def _read(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as opened:
        return opened.read(LIMIT)


def _number(text: object) -> float | None:
    try:
        return float(text)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        return None


def _odd_json(task: Path, file: Path) -> Iterator[Finding]:
    repeated: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        repeated.extend(dict.fromkeys(name for name in names if names.count(name) > 1))
        return dict(pairs)

    try:
        document = json.loads(_read(file), object_pairs_hook=members)
    except (ValueError, RecursionError):
        return  # the trial's error is reported already
    if document is None:
        yield Finding(task, "null-rewards", "reward.json is null")
    if not isinstance(document, dict):
        return
    for name in repeated:
        yield Finding(task, "repeated-key", f"reward.json has {name!r} more than once")
    for name, value in document.items():
        number = _number(value)
        if isinstance(value, bool):
            yield Finding(task, "boolean-value", f"reward.json: {name!r} is {json.dumps(value)}")
        elif isinstance(value, str) and number is not None:
            yield Finding(task, "text-value", f"reward.json: {name!r} is the text {value!r}")
        if number is not None and not math.isfinite(number):
            yield Finding(task, "not-finite", f"reward.json: {name!r} is {number}")
