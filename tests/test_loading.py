"""A runner whose methods cannot be asked is refused when it is loaded, and any other is not."""

import functools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from parity.runners import CleanRoom, RunnerError, load_runner

_HERE = __file__


class Async:
    """Has to be awaited."""

    name = "async"

    async def read_reward(self, directory: Path) -> dict[str, float]:
        return {}


class Generates:
    """Yields its answer."""

    name = "generates"

    def pass_at_k(self, trials: Any) -> Any:
        yield {}


class AsyncObject:
    """Has an object for a method, whose call has to be awaited."""

    class _Call:
        async def __call__(self, result: Path) -> dict[str, float]:
            return {}

    name = "async-object"
    outcome = _Call()


class TooFew:
    """Takes no rewards."""

    name = "too-few"

    def aggregate(self, metric: str) -> dict[str, float]:
        return {}


class TooMany:
    """Wants more than is asked."""

    name = "too-many"

    def reason_code(self, text: str, language: str) -> None:
        return None


class WithoutSelf:
    """Lacks `self`."""

    name = "without-self"

    def read_reward(directory: Path) -> dict[str, float]:  # type: ignore[misc]  # noqa: N805
        return {}


class Outcom:
    """Is misspelled."""

    name = "outcom"

    def outcom(self, result: Path) -> dict[str, float]:
        return {}


class CamelCase:
    """Is spelled as in other languages."""

    name = "camel-case"

    def readReward(self, directory: Path) -> dict[str, float]:  # noqa: N802
        return {}


class Inherits(CleanRoom):
    """Means to override a method, and adds another one, so that the built-in one would answer."""

    name = "inherits"

    def read_rewards(self, directory: Path) -> dict[str, float]:
        return {}


def make_broken() -> Any:
    """A maker of a runner whose method takes nothing."""
    return types.SimpleNamespace(name="made", read_reward=lambda: {})


class Raises:
    """Fails as it is made."""

    def __init__(self) -> None:
        raise KeyError("HOME2")


class SeveralSlips:
    """Has two."""

    name = "several"

    def aggregate(self) -> None:
        return None

    async def outcome(self, result: Path) -> None:
        return None


@pytest.mark.parametrize(
    ("runner", "expected"),
    [
        (Async, "read_reward is async def at {here}:{line}, but it is not awaited; make it a plain def"),
        (Generates, "pass_at_k is a generator at {here}:{line}, because it has a yield"),
        (AsyncObject, "outcome is async def at {here}:{line}, but it is not awaited"),
        (TooFew, "cannot be called: too many positional arguments; make it aggregate(self, metric, rewards)"),
        (TooMany, "cannot be called: missing a required argument: 'language'; make it reason_code(self, text)"),
        (WithoutSelf, "cannot be called: too many positional arguments; make it read_reward(self, directory)"),
        (Outcom, "it has outcom at {here}:{line}, but the operation is outcome; rename it, or begin its name with _"),
        (CamelCase, "it has readReward at {here}:{line}, but the operation is read_reward"),
        (Inherits, "it has read_rewards at {here}:{line}, but the operation is read_reward"),
        (make_broken, "read_reward() at {here}:{line} cannot be called"),
        (Raises, "KeyError: 'HOME2' (at {here}:{line})"),
    ],
)
def test_what_cannot_be_asked_is_refused(runner: Callable[[], Any], expected: str) -> None:
    """One line says what is wrong, where it stands and what to do."""
    with pytest.raises(RunnerError) as refused:
        load_runner(f"{__name__}:{runner.__name__}")

    begin, _, end = expected.partition("{here}:{line}")
    line = str(refused.value)
    assert line.startswith(f"--runner {__name__}:{runner.__name__}: ")
    assert begin in line
    assert end in line
    assert f"{_HERE}:" in line
    assert "\n" not in line


def test_every_slip_is_reported() -> None:
    """Whoever mends one need not run again to learn of the next."""
    with pytest.raises(RunnerError) as refused:
        load_runner(f"{__name__}:SeveralSlips")

    assert [line.split()[2].partition("(")[0] for line in str(refused.value).splitlines()] == ["aggregate", "outcome"]


class Dynamic:
    """Makes its methods as they are called."""

    name = "dynamic"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments: {}


class Proxy:
    """Has every attribute, and each of them is callable, too."""

    name = "proxy"

    def __getattr__(self, name: str) -> "Proxy":
        return self

    def __call__(self, *arguments: object) -> dict[str, float]:
        return {}


def _with_an_option(strict: bool, metric: str, rewards: object) -> dict[str, float]:
    return {}


partials = types.SimpleNamespace(
    name="partials",
    aggregate=functools.partial(_with_an_option, True),
    read_reward=lambda *arguments, **options: {},
    pass_at_k=dict,
    outcome=None,
)


def decorated(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a method as decorators do."""

    @functools.wraps(method)
    def wrapper(*arguments: object) -> Any:
        return method(*arguments)

    return wrapper


class Ordinary(CleanRoom):
    """Has methods and names of its own that resemble no operation, and options beside what is asked."""

    name = "ordinary"
    trial_rewards = ("not", "a", "method")

    @decorated
    def read_reward(self, directory: Path, encoding: str = "utf-8") -> dict[str, float]:
        return {}

    @staticmethod
    def reason_code(text: str | None) -> None:
        return None

    def _outcom(self) -> None:
        return None

    def close(self) -> None:
        return None


mock = Mock()
mock.name = "mock"


@pytest.mark.parametrize("name", ["Dynamic", "Proxy", "partials", "Ordinary", "mock"])
def test_what_is_unusual_but_can_be_asked_is_loaded(name: str) -> None:
    """Methods that are made as they are called, partials, wrapped ones and mocks are taken as they are."""
    assert load_runner(f"{__name__}:{name}").name == name.lower()
