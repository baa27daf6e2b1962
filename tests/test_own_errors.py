"""A mistake in a runner is shown with its traceback, and is not mistaken for wrong scoring."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.read_reward import READ_REWARD, only_text
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask
from parity.scorer import RewardFileNotFoundError
from parity.suite.own_errors import kinds_of, own_error

_CLOCK = Clock(0.5)


class _Typo:
    """A runner that misspells a name, two calls deep, in a callback from the library."""

    name = "typo"

    def read_reward(self, directory: Path) -> Any:
        return json.loads("{}", object_hook=self._parse)

    def _parse(self, document: Any) -> Any:
        return flaot(document)  # type: ignore[name-defined]  # noqa: F821


class _Raises:
    """A runner that raises a given error."""

    name = "raises"

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def read_reward(self, directory: Path) -> Any:
        raise self._error


class _PassesNonsense(CleanRoom):
    """A runner that gives the built-in runner a value that it cannot add."""

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


def _shown(runner: object, *, always: bool = False) -> list[str]:
    return own_error("read_reward", Value({"reward": 1.0}), _answer(runner), always=always)


def test_only_the_runners_own_code_is_shown() -> None:
    """The traceback has only the runner's own lines, and Python's suggestion."""
    shown = _shown(_Typo())

    places = [line.split(", in ")[1] for line in shown if line.startswith("  File")]
    assert places == ["read_reward", "_parse"]
    assert shown[-1] == "NameError: name 'flaot' is not defined. Did you mean: 'float'?"


def test_an_error_that_harbor_raises_is_an_answer() -> None:
    """An error that Harbor raises is an answer, and its traceback is shown only on request."""
    runner = _Raises(RewardFileNotFoundError("no file"))

    assert "RewardFileNotFoundError" in kinds_of("read_reward")
    assert _shown(runner) == []
    assert _shown(runner, always=True)[-1].endswith("RewardFileNotFoundError: no file")


def test_the_references_error_is_harbors_too() -> None:
    """An error of a kind that the reference raised for the case is an answer, too."""
    answer = _answer(_Raises(KeyError("x")))

    assert own_error("read_reward", Value({}), answer)
    assert not own_error("read_reward", Fault("KeyError"), answer)


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit()])
def test_what_ends_the_call_is_reported(error: BaseException) -> None:
    """An error that ends the call is a crash, and is shown with its traceback."""
    assert isinstance(_answer(_Raises(error)), Crash)
    assert _shown(_Raises(error))[-1].startswith(type(error).__name__)


def test_code_of_the_kit_is_shown_up_to_where_it_was_called() -> None:
    """For an error in the kit's own code, the runner's calling line is shown."""
    with AGGREGATE.arguments(AggregateCase("mean", ({"reward": 1},))) as arguments:
        answer = ask(_PassesNonsense(), "aggregate", arguments, _CLOCK, traced=True)

    places = [line for line in own_error("aggregate", Value({}), answer) if line.startswith("  File")]
    assert len(places) == 1
    assert __file__ in places[0]


def test_a_long_recursion_is_short() -> None:
    """The traceback of an endless recursion is short."""
    assert len(_shown(_Recurses(), always=True)) < 40


def test_any_error_can_be_reported() -> None:
    """An error whose message raises another error is shown, too."""
    assert _shown(_Raises(_Unprintable()))[-1].startswith(f"{__name__}._Unprintable")
