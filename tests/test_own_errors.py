"""Tests that an error in a runner's code is shown with its traceback, and is not mistaken for wrong scoring."""

import json
from asyncio import CancelledError
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.read_reward import READ_REWARD, only_text
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask
from parity.scorer import RewardFileNotFoundError, Trial
from parity.suite.own_errors import kinds_of, own_error
from tests.faulty.unruly import HangsStubbornly

_CLOCK = Clock(0.5)


class _Typo:
    """A runner that misspells a name, two calls deep, in a callback from the standard library."""

    name = "typo"

    def read_reward(self, directory: Path) -> Any:
        return json.loads("{}", object_hook=self._parse)

    def _parse(self, document: Any) -> Any:
        return flaot(document)  # type: ignore[name-defined]  # noqa: F821


class _Raises:
    """A runner that raises the error that it was created with."""

    name = "raises"

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def read_reward(self, directory: Path) -> Any:
        raise self._error


class _PassesNonsense(CleanRoom):
    """A runner that passes the built-in runner a value that cannot be added."""

    def aggregate(self, metric: str, rewards: Sequence[Any]) -> Any:
        return super().aggregate(metric, [{"reward": "one"}])  # type: ignore[dict-item]


class _Recurses:
    """A runner that calls itself endlessly."""

    def read_reward(self, directory: Path) -> Any:
        if directory:
            return self.read_reward(directory / "more")
        return {}


class _Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def _answer(runner: object) -> Answer:
    with READ_REWARD.arguments(only_text(b"1")) as arguments:
        return ask(runner, "read_reward", arguments, _CLOCK, traced=True)


def _lines(runner: object, operation: str = "read_reward") -> list[str]:
    return own_error(operation, Value({"reward": 1.0}), _answer(runner))


def test_traceback_has_only_the_lines_of_the_runner() -> None:
    """The traceback has only lines in the runner, and Python's suggestion."""
    lines = _lines(_Typo())

    places = [line.split(", in ")[1] for line in lines if line.startswith("  File")]
    assert places == ["read_reward", "_parse"]
    assert lines[-1] == "NameError: name 'flaot' is not defined. Did you mean: 'float'?"


def test_error_that_harbor_raises_is_an_answer() -> None:
    """An error that Harbor raises is an answer, and its traceback is not shown."""
    runner = _Raises(RewardFileNotFoundError("no file"))

    assert "RewardFileNotFoundError" in kinds_of("read_reward")
    assert _lines(runner) == []


def test_error_that_the_reference_raised_is_an_answer() -> None:
    """An error of a kind that the reference also raised for the case is an answer."""
    answer = _answer(_Raises(KeyError("x")))

    assert own_error("read_reward", Value({}), answer)
    assert not own_error("read_reward", Fault("KeyError"), answer)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SystemExit(3), "it tried to end the process: SystemExit(3)"),
        (GeneratorExit(), "it raised GeneratorExit, which is not an Exception: "),
        (CancelledError(), "it raised CancelledError, which is not an Exception: "),
        (pytest.skip.Exception("not today"), "it raised Skipped, which is not an Exception: not today"),
    ],
)
def test_exception_that_ends_the_call_is_a_crash(error: BaseException, reason: str) -> None:
    """A BaseException such as SystemExit is a crash with its reason, and is shown with its traceback."""
    answer = _answer(_Raises(error))

    assert isinstance(answer, Crash)
    assert answer.reason == reason
    assert type(error).__name__ in _lines(_Raises(error))[-1]


def test_hang_that_catches_the_alarm_is_stopped() -> None:
    """A runner that hangs is stopped, even if it catches the exception that should stop it."""
    trials = (Trial("agent", None, None, "task", {"reward": 1}),) * 3

    with _CLOCK.installed():
        answer = ask(HangsStubbornly(), "pass_at_k", (trials,), _CLOCK)

    assert answer == Crash("it gave no answer within 0.5 s", hung=True)


def test_error_in_the_kit_shows_the_call_in_the_runner() -> None:
    """For an error in the kit's own code, the line in the runner that called it is shown."""
    with AGGREGATE.arguments(AggregateCase("mean", ({"reward": 1},))) as arguments:
        answer = ask(_PassesNonsense(), "aggregate", arguments, _CLOCK, traced=True)

    places = [line for line in own_error("aggregate", Value({}), answer) if line.startswith("  File")]
    assert len(places) == 1
    assert __file__ in places[0]


def test_endless_recursion_is_shown_briefly() -> None:
    """The traceback of an endless recursion is short."""
    assert 0 < len(_lines(_Recurses(), operation="aggregate")) < 40


def test_error_with_a_broken_message_is_shown() -> None:
    """An error whose message cannot be read is shown by its type."""
    assert _lines(_Raises(_Unprintable()))[-1].startswith(f"{__name__}._Unprintable")
