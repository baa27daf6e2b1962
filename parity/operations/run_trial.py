"""`run_trial`: one trial of a task, played on a recording sandbox; its calls, its result and its files."""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from parity.compare import Difference, Ordered, Path, compare
from parity.driver.recorded.plays import TrialPlay
from parity.operations.operation import Operation
from parity.operations.play_flags import flags_of
from parity.operations.plays import as_script, as_settings, as_task, encode_play
from parity.wire import WireError

_MEAN = ("result", "verifier_result", "rewards")


@contextmanager
def _arguments(case: TrialPlay) -> Iterator[tuple[TrialPlay]]:
    yield (case,)


def _decode(value: Any) -> TrialPlay:
    match value:
        case {"task": task, "settings": settings, "script": script, **rest} if not rest:
            return TrialPlay(as_task(task), as_settings(settings), as_script(script))
    raise WireError("a run_trial case takes task, settings and script")


def _shuffled(case: TrialPlay) -> Path | None:
    """A mean over steps takes its keys from a set, whose order depends on the hash seed: equal as a set is equal."""
    return _MEAN if _has_mean(case.task.toml) else None


@lru_cache(1)
def _has_mean(toml: str) -> bool:
    task = tomllib.loads(toml)
    return bool(task.get("steps")) and task.get("multi_step_reward_strategy") != "final"


def _ordered(case: TrialPlay) -> Ordered:
    """Order counts where it reaches a file; that of a call's variables is nobody's business."""
    shuffled = _shuffled(case)
    return lambda path: path[:1] != ("calls",) and path != shuffled


def refined(difference: Difference) -> Difference:
    """A difference between two lists of calls, told by the first call that is missing, or not the one expected."""
    match difference:
        case Difference((*_, "calls") as path, "length", [*expected], [*actual]):
            return _first(tuple(path), expected, actual) or difference
        case Difference((*path, "calls", int(number)), "keys", Mapping() as expected, Mapping()):
            return Difference((*path, "calls", number, *expected), "order", difference.expected, difference.actual)
    return difference


def _first(path: Path, expected: list[Any], actual: list[Any]) -> Difference | None:
    for number, (left, right) in enumerate(zip(expected, actual, strict=False)):
        difference = compare(left, right, ordered=lambda path: False, path=(*path, number))
        if difference:
            return refined(difference)
    number = min(len(expected), len(actual))
    left, right = (calls[number] if number < len(calls) else None for calls in (expected, actual))
    purpose = next(iter(left or right or {}), "")
    return Difference((*path, number, purpose), "length", left, right)


def _describe(case: TrialPlay) -> str:
    settings, script = case.settings, case.script
    told = [f"task.toml {case.task.toml!r}, files {dict(case.task.files)!r}", f"agent {settings.agent.name}"]
    if settings.agent.command is not None:
        told.append(f"command {settings.agent.command!r}")
    for name, given in (
        ("agent's variables", settings.agent.env),
        ("--ve", settings.verifier_env),
        ("host's variables", settings.host),
        ("multipliers", {name: factor for name, factor in vars(settings.multipliers).items() if factor is not None}),
    ):
        if given and given != {"all": 1.0}:
            told.append(f"{name} {dict(given)!r}")
    if not settings.verification:
        told.append("verification disabled")
    for number, effect in sorted(script.effects.items()):
        told.append(f"call {number}: {effect.kind} {effect.text or effect.number}")
    for name, runs in (("agent", script.agent), ("tests", script.tests)):
        told += [f"the {name} leaves {dict(files)!r}" for files in runs]
    return "; ".join(told)


RUN_TRIAL = Operation(
    "run_trial",
    _arguments,
    _describe,
    flags_of,
    encode_play,
    _decode,
    ordered=_ordered,
    shuffled=_shuffled,
    refine=refined,
)
