"""Tests that the clean room and the wheel agree at every depth of nested JSON, even beyond the stack's limit.

The limit depends on the interpreter, on its build, and on the depth of the call: CPython 3.12.1 reads about 1,490
levels, 3.13.0 about 9,990, and 3.14 measures its stack, which has room for about 65,000.
"""

from collections.abc import Callable

import pytest

from parity.operations.answers import Answer, Fault
from parity.operations.files.json_nesting import HELD_LEVELS
from parity.operations.read_reward import READ_REWARD, only_json
from parity.reference import open_reference
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.suite.checker import Checker

type Nest = Callable[[int], str]

_NESTS: dict[str, Nest] = {
    "arrays": lambda levels: "[" * levels + "]" * levels,
    "objects": lambda levels: '{"a":' * levels + "1" + "}" * levels,
    "both by turns": lambda levels: ('{"a":[' * levels)[: levels * 3],
    "arrays under a key named again": lambda levels: (
        '{"reward":' + "[" * (levels - 1) + "]" * (levels - 1) + ',"reward":1}'
    ),
}
_BEYOND = 100_000


@pytest.fixture(scope="module")
def checker() -> Checker:
    """Return a checker that calls the wheel and the clean room at the same stack depth."""
    return Checker(open_reference().wheel, CleanRoom(), Clock(Clock.DEFAULT))


def _last_held(answer: Callable[[int], Answer]) -> int:
    """Return the largest number of levels that does not raise a RecursionError."""
    held, beyond = HELD_LEVELS, _BEYOND
    while beyond - held > 1:
        middle = (held + beyond) // 2
        if _is_too_deep(answer(middle)):
            beyond = middle
        else:
            held = middle
    return held


def _is_too_deep(answer: Answer) -> bool:
    return isinstance(answer, Fault) and answer.kind == "RecursionError"


@pytest.mark.parametrize("nest", _NESTS.values(), ids=_NESTS)
def test_clean_room_agrees_at_every_depth(nest: Nest, checker: Checker) -> None:
    """The answers are equal from one level to beyond the stack's limit, and at each level around the limit."""

    def by_the_wheel(levels: int) -> Answer:
        return checker.ask_reference(READ_REWARD, only_json(nest(levels).encode()))

    last = _last_held(by_the_wheel)
    around = range(last - 6, last + 7)
    below = [*range(1, HELD_LEVELS, 25), *range(HELD_LEVELS, last - 6, max(30, last // 5))]

    differing = [
        levels
        for levels in (*below, *around, _BEYOND)
        if checker.diverges(READ_REWARD, only_json(nest(levels).encode()))
    ]

    assert differing == []
    assert not _is_too_deep(by_the_wheel(HELD_LEVELS))
    assert _is_too_deep(by_the_wheel(_BEYOND))
