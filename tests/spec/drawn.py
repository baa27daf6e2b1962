"""Generates cases as the suite does, to find the rules that no generated case can break."""

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, Protocol
from unittest import SkipTest

from parity.operations import OPERATIONS
from parity.operations.operation import Operation
from parity.plugin.profiles import FIXED_SEED, Profile, prepare, seed_test

_CASES = 100, 2000
"""The number of cases to generate for an operation, and the number to try if these do not cover all its rules."""

UNDRAWN: dict[str, str] = {
    "documented-env/": "No wheel decides HarborEnv's documented scoring.",
    "outcome/": "No wheel decides the consumer's line.",
    "reason-code/": "No wheel decides reason codes.",
    "run-job/resume-": "The directory of an earlier run is written by hand, as the input of a vector.",
}
"""The reason why no generated case can break a rule, by the beginning of the rule's slug."""


class Asked(Protocol):
    """Replaces the suite's checker."""

    def check(self, operation: Operation[Any], cases: Sequence[Any]) -> None:
        """Receive generated cases.

        Raises:
            SkipTest: no further case is needed.
        """


def reason(slug: str) -> str | None:
    """Return the reason why no generated case can break a rule, or None if `UNDRAWN` does not list the rule."""
    return next((why for start, why in UNDRAWN.items() if slug.startswith(start)), None)


@cache
def drawn_rules() -> frozenset[str]:
    """Return the slugs of the rules that generated cases can break.

    If the rules of an operation have conditions, `when` has to hold for a generated case. If they have none, they are
    all rules that `UNDRAWN` does not list; `test_reached.py` shows that generated cases execute what implements them.
    """
    return frozenset(slug for operation in OPERATIONS.values() for slug in _drawn_of(operation))


def _drawn_of(operation: Operation[Any]) -> set[str]:
    if operation.general:
        return {rule.slug for rule in operation.rules if not reason(rule.slug)}
    drawn = _DrawnCases(operation)
    draw(operation, drawn)
    return drawn.rules


def draw(operation: Operation[Any], checker: Asked) -> None:
    """Generate up to 2,000 cases of an operation, until no further one is needed."""
    for count in _CASES:
        tests = _tests_of(operation)
        total = sum(getattr(test, "default_cases", 0) for test in tests)
        profile = Profile("default", count / max(1, total))
        for test in tests:
            _run(test, profile, checker)


def _run(test: Callable[..., Any], profile: Profile, checker: Asked) -> None:
    if hasattr(test, "default_cases"):
        prepare(test, profile)
        seed_test(test, FIXED_SEED)
    fixtures = {"checker": checker, "profile": profile}
    with suppress(SkipTest):
        test(**{name: fixtures[name] for name in inspect.signature(test).parameters})


def _tests_of(operation: Operation[Any]) -> list[Callable[..., Any]]:
    """Return the suite's tests that generate cases for the operation, in the order of the module."""
    module = _loaded_anew(f"{type(operation).__module__}.test_{operation.name}")
    return [test for name, test in vars(module).items() if name.startswith("test_") and name != "test_golden"]


def _loaded_anew(name: str) -> ModuleType:
    """Load a module a second time, so that the settings of its tests can differ from those in the suite."""
    spec = find_spec(name)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _DrawnCases:
    """Runs neither the runner nor the reference."""

    def __init__(self, operation: Operation[Any]) -> None:
        self._open = {rule.slug: rule for rule in operation.rules}
        self.rules: set[str] = set()
        """The slugs of the rules whose `when` held for a case."""

    def check(self, operation: Operation[Any], cases: Sequence[Any]) -> None:
        """Add the rules that one of the cases can break.

        Raises:
            SkipTest: all remaining rules are listed in `UNDRAWN`.
        """
        if all(map(reason, self._open)):
            raise SkipTest("every rule is drawn")
        for case in cases:
            self.rules.update(slug for slug, rule in self._open.items() if rule.when(case))
            for slug in self.rules & self._open.keys():
                del self._open[slug]
