"""Tests that the suite catches every faulty runner, and reports the rule that the runner breaks.

Cases do not depend on the runner. So the cases that the main job has drawn are reused, with the reference's answers,
and each runner is asked until it is caught.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import HARBOR, Operation
from parity.operations.rule import Rule
from parity.operations.rules import OPERATION_OF, RULES
from parity.operations.series import running_series
from parity.reference import Reference, open_reference
from parity.runners.asking import Clock, ask
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.divergence import Divergence
from tests.faulty import FAULTS
from tests.faulty.fault import Fault
from tests.kept_cases import cases_of, drawing_tests
from tests.main_job import MainJob
from tests.needs import need
from tests.variants import VARIANTS
from tests.variants.faulty_runners import BROKEN_RULES

_TIMEOUT = 600.0
"""The time limit for one case, in seconds."""


@pytest.fixture(autouse=True, scope="module")
def _cases_are_forgotten() -> Iterator[None]:
    yield
    for each in (cases_of, _vectors):  # the caches use hundreds of megabytes
        each.cache_clear()


@cache
def _reference() -> Reference:
    """Return the reference, which is the wheel, verified only once."""
    return open_reference()


def _checker(runner: Any) -> Checker:
    return Checker(_reference().wheel, runner, Clock(_TIMEOUT))


def _in_drawn_cases(checker: Checker, rule: Rule, cases: Path, seen_by: str) -> Iterator[Divergence | None]:
    """Yield the divergence in each drawn case, or None if the runner agrees."""
    operation = OPERATION_OF[rule.slug].name
    for test in drawing_tests(cases, operation, seen_by):
        for case in cases_of(cases, operation, test):
            if not isinstance(case.expected, NotClaimed):
                answer = checker.ask_runner(OPERATIONS[case.operation], case.question)
                yield checker.compare(OPERATIONS[case.operation], case.question, case.expected, answer)


@cache
def _vectors(operation: str, series: Series) -> list[tuple[Vector, Answer]]:
    """Return each golden vector of an operation with its recorded answer."""
    return [(each, answer) for each in read_vectors(operation) if (answer := each.answer(series)) is not None]


def _in_vectors(checker: Checker, rule: Rule) -> Iterator[Divergence | None]:
    """Yield the divergence in each of the rule's golden vectors, or None if the runner agrees."""
    operation, series = OPERATION_OF[rule.slug], _reference().identity.series
    for vector, recorded in _vectors(operation.name, series):
        if vector.rule == rule.slug and not left_out(operation, vector.case):
            answer = checker.ask_runner(operation, vector.case)
            yield checker.compare(operation, vector.case, recorded, answer, vector)


_BY_MODES = {"reward-file/unreadable-is-an-error", "reward-file/unsearchable-folder"}
"""Rules that can be broken only in cases with file modes."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_suite_catches_the_faulty_runner(fault: type[Fault], main_job: MainJob) -> None:
    """The drawn cases catch the faulty runner, and a divergence is attributed to the broken rule."""
    if fault.breaks in _BY_MODES:
        need("modes")
    first, named = _caught(fault(), RULES[fault.breaks], main_job.cases, fault.seen_by)

    assert first
    assert named


@pytest.mark.parametrize(("name", "slug"), BROKEN_RULES.items(), ids=BROKEN_RULES)
def test_suite_catches_the_variant_that_counts_as_a_faulty_runner(name: str, slug: str, main_job: MainJob) -> None:
    """The drawn cases catch the variant, and a divergence is attributed to the rule that it breaks."""
    first, named = _caught(VARIANTS[name].runner(), RULES[slug], main_job.cases, "test_")

    assert first
    assert named


def _caught(runner: Any, rule: Rule, cases: Path, seen_by: str) -> tuple[Divergence | None, bool]:
    """Return the first divergence in drawn cases, and whether one is attributed to the rule."""
    checker = _checker(runner)
    with checker.clock.installed():
        named = any(_in_vectors(checker, rule))
        drawn = _in_drawn_cases(checker, rule, cases, seen_by)
        first = next(filter(None, drawn), None)
        # If no vector of the rule diverges, hundreds of drawn cases may be needed to find the rule.
        named = named or any(each is not None and each.rule.slug == rule.slug for each in chain([first], drawn))
    return first, named


_IN_DRAWN_CASES_ALONE = {"AddsManyStepsInPairs"}
"""Faulty runners that answer all vectors correctly, because no vector has as many steps as their fault needs."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_faulty_runner_is_wrong(fault: type[Fault]) -> None:
    """The faulty runner answers a golden vector of its operation wrongly; those of its rule are asked first."""
    if fault.breaks in _BY_MODES:
        need("modes")
    operation, runner = OPERATION_OF[fault.breaks], fault()
    vectors = sorted(read_vectors(operation.name), key=lambda vector: vector.rule != fault.breaks)

    is_wrong = any(_is_wrong(runner, operation, each) for each in vectors if not left_out(operation, each.case))

    assert is_wrong == (fault.__name__ not in _IN_DRAWN_CASES_ALONE)


def _is_wrong(runner: Fault, operation: Operation[Any], vector: Vector) -> bool:
    expected = vector.answer(running_series())
    with operation.arguments(vector.case) as arguments:
        answer = ask(runner, operation.name, arguments)
    return expected is not None and operation.compare(vector.case, expected, answer) is not None


def _is_answered_by_others(operation: Operation[Any]) -> bool:
    """Return whether runners of others answer an operation. Those of the kit alone have general rules, or no wheel."""
    return not operation.general and operation.authority(read_vectors(operation.name)[0].case) == HARBOR


def test_every_rule_has_a_faulty_runner() -> None:
    """A faulty runner, or a variant that counts as one, breaks each rule on operations that other runners implement."""
    rules = {slug for slug in RULES if _is_answered_by_others(OPERATION_OF[slug])}

    assert rules - {fault.breaks for fault in FAULTS.values()} - {*BROKEN_RULES.values()} == set()
