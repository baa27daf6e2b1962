"""Draws cases as the suite does, to find the rules that none of them can break."""

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any
from unittest import SkipTest

from parity.operations import OPERATIONS
from parity.operations.operation import Operation
from parity.suite.plugin.profiles import FIXED_SEED, Profile, prepare, seed_test

_CASES = 100, 2000
"""The numbers of cases that are drawn for one operation: the second if the first has none for some rule."""

UNDRAWN: dict[str, str] = {
    "documented-env/": "No wheel decides HarborEnv's documented scoring.",
    "outcome/": "No wheel decides the consumer's line.",
    "reason-code/": "No wheel decides reason codes.",
    "run-job/resume-": "The directory of an earlier run is written by hand, as the input of a vector.",
}
"""Why no drawn case can break some rules, by the beginning of their slugs."""


def reason(slug: str) -> str | None:
    """Return why no drawn case can break a rule, or None."""
    return next((why for start, why in UNDRAWN.items() if slug.startswith(start)), None)


@cache
def drawn_rules() -> frozenset[str]:
    """Return the slugs of the rules whose `when` holds for a drawn case.

    For each operation, drawing ends as soon as there is a case for each rule that is not listed.
    """
    return frozenset(slug for operation in OPERATIONS.values() for slug in _drawn_of(operation))


def _drawn_of(operation: Operation[Any]) -> set[str]:
    drawn = _DrawnCases(operation)
    for count in _CASES:
        tests = _tests_of(operation)
        total = sum(getattr(test, "default_cases", 0) for test in tests)
        profile = Profile("default", count / max(1, total))
        for test in tests:
            _run(test, profile, drawn)
    return drawn.rules


def _run(test: Callable[..., Any], profile: Profile, drawn: "_DrawnCases") -> None:
    if hasattr(test, "default_cases"):
        prepare(test, profile)
        seed_test(test, FIXED_SEED)
    fixtures = {"checker": drawn, "profile": profile}
    with suppress(SkipTest):
        test(**{name: fixtures[name] for name in inspect.signature(test).parameters})


def _tests_of(operation: Operation[Any]) -> list[Callable[..., Any]]:
    """Return the tests of generated cases, in the order of their module."""
    module = _loaded_anew(f"parity.operations.{operation.name}.test_{operation.name}")
    return [test for name, test in vars(module).items() if name.startswith("test_") and name != "test_golden"]


def _loaded_anew(name: str) -> ModuleType:
    """Load a module a second time, so that its tests can have other settings than in the suite."""
    spec = find_spec(name)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _DrawnCases:
    """Takes the place of the suite's checker, and asks nothing."""

    def __init__(self, operation: Operation[Any]) -> None:
        self._open = {rule.slug: rule for rule in operation.rules}
        self.rules: set[str] = set()
        """The slugs of rules whose `when` held for a case."""

    def check(self, operation: Operation[Any], cases: Sequence[Any]) -> None:
        """Find the rules that one of the cases can break."""
        if all(map(reason, self._open)):
            raise SkipTest("every rule is drawn")
        for case in cases:
            self.rules.update(slug for slug, rule in self._open.items() if rule.when(case))
            for slug in self.rules & self._open.keys():
                del self._open[slug]
