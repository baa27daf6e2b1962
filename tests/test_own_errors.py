"""A mistake in a runner is shown with its traceback, and not taken for a fault of its scoring."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parity.judging.own_errors import kinds_of, own_error
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.read_reward import READ_REWARD, only_text
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask_watched
from parity.scorer import RewardFileNotFoundError

_CLOCK = Clock(0.5)


class _Typo:
    """Misspells a name, two calls deep, and calls the library with a function of its own."""

    name = "typo"

    def read_reward(self, directory: Path) -> Any:
        return json.loads("{}", object_hook=self._parse)

    def _parse(self, document: Any) -> Any:
        return flaot(document)  # type: ignore[name-defined]  # noqa: F821


class _Raises:
    """Raises an error, on purpose or not."""

    name = "raises"

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def read_reward(self, directory: Path) -> Any:
        raise self._error


class _PassesNonsense(CleanRoom):
    """Gives the built-in runner what it cannot add."""

    def aggregate(self, metric: str, rewards: Sequence[Any]) -> Any:
        return super().aggregate(metric, [{"reward": "one"}])  # type: ignore[dict-item]


class _Recurses:
    """Calls itself."""

    def read_reward(self, directory: Path) -> Any:
        if directory:
            return self.read_reward(directory / "more")
        return {}


class _Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def _answer(runner: object) -> Answer:
    with READ_REWARD.arguments(only_text(b"1")) as arguments:
        return ask_watched(runner, READ_REWARD, arguments, _CLOCK)


def _shown(runner: object, *, always: bool = False) -> list[str]:
    return own_error("read_reward", Value({"reward": 1.0}), _answer(runner), always=always)


def test_only_the_runners_own_code_is_shown() -> None:
    """What the kit and the library do around it is left out; the interpreter's advice stays."""
    shown = _shown(_Typo())

    places = [line.split(", in ")[1] for line in shown if line.startswith("  File")]
    assert places == ["read_reward", "_parse"]
    assert shown[-1] == "NameError: name 'flaot' is not defined. Did you mean: 'float'?"


def test_an_error_that_harbor_raises_is_an_answer() -> None:
    """Its traceback is reported where all are asked for."""
    runner = _Raises(RewardFileNotFoundError("no file"))

    assert "RewardFileNotFoundError" in kinds_of("read_reward")
    assert _shown(runner) == []
    assert _shown(runner, always=True)[-1].endswith("RewardFileNotFoundError: no file")


def test_the_references_error_is_harbors_too() -> None:
    """Whatever the vectors hold."""
    answer = _answer(_Raises(KeyError("x")))

    assert own_error("read_reward", Value({}), answer)
    assert not own_error("read_reward", Fault("KeyError"), answer)


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit()])
def test_what_ends_the_call_is_reported(error: BaseException) -> None:
    """A runner that gave no answer is asked where it was."""
    assert isinstance(_answer(_Raises(error)), Crash)
    assert _shown(_Raises(error))[-1].startswith(type(error).__name__)


def test_code_of_the_kit_is_shown_up_to_where_it_was_called() -> None:
    """A runner that passes nonsense on sees its own line."""
    with AGGREGATE.arguments(AggregateCase("mean", ({"reward": 1},))) as arguments:
        answer = ask_watched(_PassesNonsense(), AGGREGATE, arguments, _CLOCK)

    places = [line for line in own_error("aggregate", Value({}), answer) if line.startswith("  File")]
    assert len(places) == 1
    assert __file__ in places[0]


def test_a_long_recursion_is_short() -> None:
    """A few frames say as much as a thousand."""
    assert len(_shown(_Recurses(), always=True)) < 40


def test_any_error_can_be_reported() -> None:
    """Also one whose message raises."""
    assert _shown(_Raises(_Unprintable()))[-1].startswith(f"{__name__}._Unprintable")
