"""Tests that a runner whose methods cannot be called is refused when it is loaded, and any other one is accepted."""

import functools
import signal
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from parity.runners import CleanRoom, RunnerError, load_runner
from parity.runners.loading import LoadingLimit

_HERE = __file__


class Async:
    """A runner with an async method."""

    name = "async"

    async def read_reward(self, directory: Path) -> dict[str, float]:
        return {}


class Generates:
    """A runner with a generator as a method."""

    name = "generates"

    def pass_at_k(self, trials: Any) -> Any:
        yield {}


class AsyncObject:
    """A runner whose method is an object with an async `__call__`."""

    class _Call:
        async def __call__(self, result: Path) -> dict[str, float]:
            return {}

    name = "async-object"
    outcome = _Call()


class TooFew:
    """A runner with a method that has no parameter for the rewards."""

    name = "too-few"

    def aggregate(self, metric: str) -> dict[str, float]:
        return {}


class WithoutSelf:
    """A runner with a method that has no parameter `self`."""

    name = "without-self"

    def read_reward(directory: Path) -> dict[str, float]:  # type: ignore[misc]  # noqa: N805
        return {}


class Outcom:
    """A runner with a misspelled method."""

    name = "outcom"

    def outcom(self, result: Path) -> dict[str, float]:
        return {}


class Inherits(CleanRoom):
    """A runner that misspells the method to override, so that the built-in method would answer."""

    name = "inherits"

    def read_rewards(self, directory: Path) -> dict[str, float]:
        return {}


class Swaps:
    """A runner with a method whose parameters are in another order."""

    name = "swaps"

    def aggregate(self, rewards: object, metric: str) -> dict[str, float]:
        return {}


def make_broken() -> Any:
    """Return a runner whose method accepts no argument."""
    return types.SimpleNamespace(name="made", read_reward=lambda: {})


class Raises:
    """A runner whose constructor raises an error."""

    def __init__(self) -> None:
        raise KeyError("HOME2")


class SeveralSlips:
    """A runner with two mistakes."""

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
        (WithoutSelf, "cannot be called: too many positional arguments; make it read_reward(self, directory)"),
        (Outcom, "it has outcom at {here}:{line}, but the operation is outcome; rename it, or begin its name with _"),
        (Inherits, "it has read_rewards at {here}:{line}, but the operation is read_reward"),
        (Swaps, "has its parameters in the wrong order; make it aggregate(self, metric, rewards)"),
        (make_broken, "read_reward() at {here}:{line} cannot be called"),
        (Raises, "KeyError: 'HOME2' (at {here}:{line})"),
    ],
)
def test_runner_that_cannot_be_called_is_refused(runner: Callable[[], Any], expected: str) -> None:
    """A runner that cannot be called is refused in one line with the mistake, its place and the remedy."""
    with pytest.raises(RunnerError) as refused:
        load_runner(f"{__name__}:{runner.__name__}")

    begin, _, end = expected.partition("{here}:{line}")
    line = str(refused.value)
    assert line.startswith(f"--runner {__name__}:{runner.__name__}: ")
    assert begin in line
    assert end in line
    assert f"{_HERE}:" in line
    assert "\n" not in line


def test_all_mistakes_in_a_runner_are_reported() -> None:
    """All mistakes in a runner are reported at once."""
    with pytest.raises(RunnerError) as refused:
        load_runner(f"{__name__}:SeveralSlips")

    assert [line.split()[2].partition("(")[0] for line in str(refused.value).splitlines()] == ["aggregate", "outcome"]


class Dynamic:
    """A runner that creates its methods when they are accessed."""

    name = "dynamic"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments: {}


class Proxy:
    """A runner that has every attribute, and whose attributes can all be called."""

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
    """Return the method wrapped by a decorator."""

    @functools.wraps(method)
    def wrapper(*arguments: object) -> Any:
        return method(*arguments)

    return wrapper


class Ordinary(CleanRoom):
    """A runner with additional methods and attributes, and with optional parameters."""

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


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("./my_runner.py", "write my_runner:Name, with the name of its class"),
        ("my_runner.py:Mine", "write my_runner:Mine"),
        ("sub/my_runner.py:Mine", "write sub.my_runner:Mine"),
        ("nowhere", "--runner takes clean-room or package.module:name, not 'nowhere'"),
        ("tests.faulty.unruly:Missing", "module 'tests.faulty.unruly' has no attribute 'Missing'"),
        ("tests.faulty.unruly:broken_maker", "RuntimeError: the maker is broken"),
        ("tests.faulty.unruly:not_a_runner", "a runner needs a name, but int has none"),
        ("tests.faulty.unruly:Unsupported", "a runner needs a name, but Unsupported has none"),
        ("tests.faulty.unruly:ShadyName", "--runner tests.faulty.unruly:ShadyName: RuntimeError: no name"),
    ],
)
def test_name_without_a_runner_is_refused(spec: str, expected: str) -> None:
    """A name that leads to no runner is refused in one line; for a path, with the module to write instead."""
    with pytest.raises(RunnerError) as refused:
        load_runner(spec)

    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_hint_for_a_path_names_the_module_that_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a path, the hint has the name by which the file can be imported from here, or what PYTHONPATH lacks."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "src")
    elsewhere = tmp_path.parent / "elsewhere"
    specs = ("src/myenv/reader.py:Mine", f"{tmp_path}/tests/reader.py:Mine", f"{elsewhere}/reader.py:Mine")

    hints = []
    for spec in specs:
        with pytest.raises(RunnerError) as refused:
            load_runner(spec)
        hints.append(str(refused.value).partition("; ")[2])

    assert hints == [
        "write myenv.reader:Mine",
        "write tests.reader:Mine",
        f"write reader:Mine, and add {elsewhere} to PYTHONPATH",
    ]


def make_slowly() -> Any:
    """Create a runner so slowly that loading never ends."""
    while True:
        time.sleep(0.01)


def test_slow_loading_is_stopped() -> None:
    """Slow loading is announced once, and stopped at the time limit."""
    lines: list[str] = []

    with pytest.raises(RunnerError, match=r"it was not loaded within 0\.2 s; load less, or give "):
        load_runner(f"{__name__}:make_slowly", limit=LoadingLimit(0.2, lines.append, patience=0.05))

    assert lines == [f"loading --runner {__name__}:make_slowly …"]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["Dynamic", "Proxy", "partials", "Ordinary", "mock"])
def test_unusual_runner_is_loaded(name: str) -> None:
    """A runner with dynamic methods, partials, wrappers or mocks is accepted."""
    assert load_runner(f"{__name__}:{name}").name == name.lower()
