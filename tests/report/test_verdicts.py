"""Tests of the verdicts on rules, and of the records of divergences."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Value
from parity.operations.compare import Difference
from parity.operations.rules import RULES
from parity.operations.wire import canonical
from parity.suite.divergence import Divergence
from parity.suite.divergence_records import LARGEST_CASE, divergence_record
from parity.suite.harm import Harm
from parity.suite.records import DivergenceRecord, Outcome, Question, RuleVerdict
from parity.suite.replay import WrittenReplay
from parity.suite.run import Run, total
from parity.suite.verdict import judged_rule
from tests.report.samples import rule


@pytest.mark.parametrize(
    ("counts", "claimed", "verdict", "harm"),
    [
        ({"agrees": 3}, True, "agrees", None),
        ({"agrees": 3, "not-claimed": 2}, True, "agrees", None),
        ({"agrees": 2, "diverges": 1}, True, "diverges", "last-bits"),
        ({"agrees": 2, "hung": 1}, True, "diverges", "last-bits"),
        ({"agrees": 3, "shown": 1}, True, "diverges", "last-bits"),
        ({"agrees": 2, "declared": 1}, True, "declared", "last-bits"),
        ({"agrees": 1, "declared": 1, "diverges": 1}, True, "diverges", "last-bits"),
        ({"no-answer": 1}, True, "declared", None),
        ({"not-claimed": 2}, True, "not-claimed", None),
        ({"left-out": 2}, True, "not-asked", None),
        ({}, False, "not-claimed", None),
        ({}, True, "not-asked", None),
    ],
)
def test_undeclared_divergence_takes_precedence_in_the_verdict(
    counts: dict[Outcome, int], claimed: bool, verdict: RuleVerdict, harm: Harm | None
) -> None:
    """In a rule's verdict, undeclared divergences take precedence over declared ones, and these over agreement."""
    harmed = ("diverges", "hung", "shown", "declared")
    questions = Counter(
        {
            Question("vector", outcome, "aggregate", "aggregate/value", "last-bits" if outcome in harmed else ""): count
            for outcome, count in counts.items()
        }
    )

    judged = judged_rule(rule("aggregate/value", "aggregate"), questions, claimed=claimed)

    assert (judged.verdict, judged.harm) == (verdict, harm)


def _divergence(slug: str, numbers: list[float]) -> Divergence:
    case = AggregateCase("sum", tuple({"reward": number} for number in numbers))
    difference = Difference(("sum",), "bits", 1.0, 2.0)
    answers = Value({"sum": 1.0}), Value({"sum": 2.0})
    return Divergence(AGGREGATE, RULES[slug], case, *answers, difference, "mine")


def _record(slug: str, numbers: list[float]) -> DivergenceRecord:
    replay = WrittenReplay("pytest …", Path(".parity/case.json"))
    return divergence_record(_divergence(slug, numbers), replay, test="t")


def test_small_case_is_in_the_report() -> None:
    """A small case is in the report, with its wire form and its size."""
    record = _record("summation/mixed", [0.5])

    assert record.case == {"metric": "sum", "rewards": [{"reward": {"f64": "3fe0000000000000"}}]}
    assert record.case_bytes == len(canonical(record.case))


def test_large_case_is_left_out_of_the_report() -> None:
    """A large case is left out of the report, but its size, its replay file and a shortened text are in it."""
    record = _record("summation/mixed", [0.5] * 3000)

    assert record.case is None
    assert record.case_bytes > LARGEST_CASE
    assert record.replay_file == "case.json"
    assert len(record.case_text) < 5000


def test_failed_test_is_counted_for_the_operations_that_it_calls() -> None:
    """A failed test is counted for the operations that it calls, and for all operations if it calls none."""
    run = Run()

    run.count_failure("a", ["aggregate"])
    run.count_failure("b", [], "no room")

    failed: dict[str, Any] = {}
    for question in run.counts:
        failed.setdefault(question.operation, []).append((question.test, question.reason))
    assert failed.pop("aggregate") == [("a", ""), ("b", "no room")]
    assert all(each == [("b", "no room")] for each in failed.values())
    assert total(run.counts, "failed") == len(failed) + 2
