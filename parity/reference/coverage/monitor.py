"""Sees which places of the scoring modules are reached, with `sys.monitoring`.

Events are set on the functions of those modules alone, and each is switched off once it has reported all, so that a run
pays for every place about once. What is reached while a module is imported does not count.

It stands in place of coverage.py, which before Python 3.14 can measure branches only by tracing every call: the quick
cases of `run_trial`, `pass_at_k` and `job_stats` then take 17.7 s instead of 10.2 s of CPU, with this 10.3 s. And it
tells branches apart by their lines, so 90 of the 495 here, which lie within a line, would be lost.
"""

import gc
import sys
from collections import defaultdict
from types import CodeType, FunctionType
from typing import Any

from parity.reference.coverage.modules import SCORING, ScoringModule
from parity.reference.coverage.places import Ways, functions_in, ways_of

_TOOL = 4
_NAME = "harbor-parity"
_OTHERS = range(6)
"""Every id that a tool can have."""


class CannotMeasure(Exception):
    """Coverage is left out; one line that says why."""


class Monitor:
    """Listens to the scoring modules, those that are imported later included; see `arm`."""

    def __init__(self) -> None:
        self.reached: defaultdict[str, set[str]] = defaultdict(set)
        """The places that were reached, by module."""

        self._armed: set[str] = set()
        self._codes: dict[int, CodeType] = {}
        """Every function that is listened to, by its id: to hash one takes long."""

        self._hits: dict[int, set[str]] = {}
        self._ways: dict[int, dict[int, Ways]] = {}

    def arm(self) -> None:
        """Listen to the scoring modules that were imported since this was last called."""
        new = [module for module in SCORING if module.name in sys.modules and module.name not in self._armed]
        if not new:
            return
        files = {sys.modules[module.name].__file__: module for module in new}
        functions = [each.__code__ for each in gc.get_objects() if type(each) is FunctionType]
        for function in functions:
            module = files.get(function.co_filename)
            if module is not None:
                for code in (function, *functions_in(function)):
                    self._listen(code, module)
        self._armed.update(module.name for module in new)

    def close(self) -> None:
        """Stop listening."""
        if sys.monitoring.get_tool(_TOOL) == _NAME:
            for code in self._codes.values():
                sys.monitoring.set_local_events(_TOOL, code, 0)
            sys.monitoring.free_tool_id(_TOOL)
        self._codes.clear()

    def _listen(self, code: CodeType, module: ScoringModule) -> None:
        if id(code) in self._codes or not module.counts(code.co_qualname):
            return
        self._codes[id(code)] = code
        self._hits[id(code)] = self.reached[module.name]
        self._ways[id(code)] = ways_of(code)
        sys.monitoring.set_local_events(_TOOL, code, sum(_callbacks(self)))

    def start(self, code: CodeType, _: int) -> object:
        """Record the line that begins a function: one that has no other may have no event for it."""
        self._hits[id(code)].add(str(code.co_firstlineno))
        return sys.monitoring.DISABLE

    def line(self, code: CodeType, line: int) -> object:
        """Record a line, and listen to it no more."""
        self._hits[id(code)].add(str(line))
        return sys.monitoring.DISABLE

    def branch(self, code: CodeType, offset: int, destination: int) -> object:
        """Record a way, where one event stands for both; listen no more once both were taken."""
        ways = self._ways[id(code)].get(offset)
        if ways is None:
            return sys.monitoring.DISABLE
        hits = self._hits[id(code)]
        hits.add(ways.onward if destination == ways.following else ways.jumped)
        return sys.monitoring.DISABLE if ways.onward in hits and ways.jumped in hits else None

    def left(self, code: CodeType, offset: int, _: int) -> object:
        """Record the way to the next instruction."""
        if ways := self._ways[id(code)].get(offset):
            self._hits[id(code)].add(ways.onward)
        return sys.monitoring.DISABLE

    def right(self, code: CodeType, offset: int, _: int) -> object:
        """Record the other way."""
        if ways := self._ways[id(code)].get(offset):
            self._hits[id(code)].add(ways.jumped)
        return sys.monitoring.DISABLE


def open_monitor() -> Monitor:
    """A monitor that listens to nothing yet.

    Raises:
        CannotMeasure: this interpreter cannot monitor, or something else does.
    """
    if not hasattr(sys, "monitoring"):
        raise CannotMeasure("this interpreter has no sys.monitoring")
    others = [name for number in _OTHERS if (name := sys.monitoring.get_tool(number))]
    if others or sys.gettrace():
        raise CannotMeasure(f"{', '.join(others) or 'a trace function'} watches this process")
    monitor = Monitor()
    sys.monitoring.use_tool_id(_TOOL, _NAME)
    for event, callback in _callbacks(monitor).items():
        sys.monitoring.register_callback(_TOOL, event, callback)
    return monitor


def _callbacks(monitor: Monitor) -> dict[int, Any]:
    """Which listener takes which event: from Python 3.14 on, each way out of a decision has its own."""
    events: Any = sys.monitoring.events
    always = {events.PY_START: monitor.start, events.LINE: monitor.line}
    if hasattr(events, "BRANCH_LEFT"):
        return {**always, events.BRANCH_LEFT: monitor.left, events.BRANCH_RIGHT: monitor.right}
    return {**always, events.BRANCH: monitor.branch}
