"""Tests that generated cases execute what implements the rules of the operations that have general rules."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any
from unittest import SkipTest

import pytest

from parity.operations import OPERATIONS
from parity.operations.operation import Operation
from parity.operations.rules import OPERATION_OF
from parity.runners import CleanRoom
from parity.runners.asking import ask
from tests.spec.drawn import draw, reason
from tests.spec.implementations import decisive_lines

pytestmark = pytest.mark.slow

_TOOL = 4
"""An id for `sys.monitoring` that is free for any tool."""

_NOT_ASKED = ("/harbor_env/", "/scorer/job_directory/")
"""Directories of the clean room that only `harbor_env` executes, or no operation of these."""


class _Reached:
    """Asks the clean room, and notes which lines it executes."""

    def __init__(self, lines: set[tuple[str, str, frozenset[int]]]) -> None:
        self.runner = CleanRoom()
        self.unreached = lines
        """Slug, module and decisive lines of each comment, as long as none of its lines was executed."""

    def check(self, operation: Operation[Any], cases: Sequence[Any]) -> None:
        """Run cases.

        Raises:
            SkipTest: all that was not executed belongs to rules that are listed as not drawn.
        """
        if all(reason(slug) for slug, _, _ in self.unreached):
            raise SkipTest("every rule is reached")
        for case in cases:
            with operation.arguments(case) as arguments:
                ask(self.runner, operation.name, arguments)

    def note(self, code: CodeType, line: int) -> object:
        """Note an executed line, which is then no longer monitored."""
        self.unreached -= {each for each in self.unreached if each[1] == code.co_filename and line in each[2]}
        return sys.monitoring.DISABLE

    @contextmanager
    def monitored(self) -> Iterator[None]:
        """Monitor all lines that this process executes."""
        monitoring = sys.monitoring
        monitoring.use_tool_id(_TOOL, "reached lines")
        monitoring.restart_events()
        monitoring.register_callback(_TOOL, monitoring.events.LINE, self.note)
        monitoring.set_events(_TOOL, monitoring.events.LINE)
        try:
            yield
        finally:
            monitoring.set_events(_TOOL, monitoring.events.NO_EVENTS)
            monitoring.free_tool_id(_TOOL)


def _lines_of(operation: Operation[Any]) -> set[tuple[str, str, frozenset[int]]]:
    return {
        (slug, str(path), frozenset(lines))
        for slug, path, lines in decisive_lines()
        if OPERATION_OF[slug] is operation
        and (operation.name == "harbor_env" or not any(part in str(path) for part in _NOT_ASKED))
    }


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.general])
def test_generated_cases_execute_what_implements_each_rule(name: str) -> None:
    """2,000 generated cases execute the line below each comment that names a rule, but for rules with a reason."""
    operation = OPERATIONS[name]
    reached = _Reached(_lines_of(operation))

    with reached.monitored():
        draw(operation, reached)

    assert sorted(each for each in reached.unreached if not reason(each[0])) == []
    assert {reason(slug) for slug, _, _ in reached.unreached} == set(
        filter(None, (reason(r.slug) for r in operation.rules))
    )
