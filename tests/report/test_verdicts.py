"""Tests of the verdicts on rules, the records of divergences, and the counts of several processes."""

from collections import Counter
from pathlib import Path

import pytest

from parity.operations.aggregate import AggregateCase
from parity.operations.answers import Value
from parity.operations.compare import Difference
from parity.operations.rules import RULES
from parity.operations.wire import Json, canonical
from parity.suite.divergence import Divergence
from parity.suite.divergence_records import LARGEST_CASE, divergence_record
from parity.suite.harm import Harm
from parity.suite.records import RuleVerdict
from parity.suite.replay import WrittenReplay
from parity.suite.tally import RuleTally, Tally
from parity.suite.verdict import rule_verdict


@pytest.mark.parametrize(
    ("counts", "claimed", "verdict"),
    [
        (RuleTally(asked=3), True, "agrees"),
        (RuleTally(asked=3, not_claimed=2), True, "agrees"),
        (RuleTally(asked=3, divergent=1), True, "diverges"),
        (RuleTally(asked=3, drawn=1), True, "diverges"),
        (RuleTally(asked=3, declared=1), True, "declared"),
        (RuleTally(asked=3, declared=1, divergent=1), True, "diverges"),
        (RuleTally(not_claimed=2), True, "not-claimed"),
        (RuleTally(), False, "not-claimed"),
        (RuleTally(), True, "not-asked"),
    ],
)
def test_undeclared_divergence_takes_precedence_in_the_verdict(
    counts: RuleTally, claimed: bool, verdict: RuleVerdict
) -> None:
    """In a rule's verdict, undeclared divergences take precedence over declared ones, and these over agreement."""
    assert rule_verdict(counts, claimed=claimed) == verdict


def _divergence(slug: str, numbers: list[float]) -> Divergence:
    case = AggregateCase("sum", tuple({"reward": number} for number in numbers))
    difference = Difference(("sum",), "bits", 1.0, 2.0)
    answers = Value({"sum": 1.0}), Value({"sum": 2.0})
    return Divergence("aggregate", RULES[slug], case, *answers, difference, "mine")


def _record(slug: str, numbers: list[float], vector: str | None = None) -> dict[str, Json]:
    return divergence_record(
        _divergence(slug, numbers), WrittenReplay("pytest …", Path(".parity/case.json")), vector, tests=("t",)
    )


def test_small_case_is_in_the_report() -> None:
    """A small case is in the report, with its wire form and its size."""
    record = _record("summation/mixed", [0.5])

    assert record["case"] == {"metric": "sum", "rewards": [{"reward": {"f64": "3fe0000000000000"}}]}
    assert record["case_bytes"] == len(canonical(record["case"]))


def test_large_case_is_left_out_of_the_report() -> None:
    """A large case is left out of the report, but its size, its replay file and a shortened text are in it."""
    record = _record("summation/mixed", [0.5] * 3000)

    assert record["case"] is None
    assert isinstance(record["case_bytes"], int)
    assert record["case_bytes"] > LARGEST_CASE
    assert record["replay_file"] == "case.json"
    assert len(str(record["case_text"])) < 5000


def test_counts_of_workers_are_added_up() -> None:
    """The counts and divergences from workers are added up, even with text that cannot be encoded in UTF-8."""
    worker, whole = Tally(), Tally()
    worker.note_vector("summation/mixed", None, claimed=True, declared=False)
    worker.note_vector("summation/mixed", "withholds", claimed=True, declared=False)
    worker.note_drawn("summation/compensated", "last-bits")
    worker.note_vector("summation/mixed", None, claimed=False, declared=False)
    worker.reported.append({"text": "\ud800"})

    whole.add(worker.to_plain())
    whole.add(worker.to_plain())

    withheld: Counter[Harm] = Counter({"withholds": 2})
    last_bits: Counter[Harm] = Counter({"last-bits": 2})
    assert whole.rules["summation/mixed"] == RuleTally(asked=4, divergent=2, not_claimed=2, harms=withheld)
    assert whole.rules["summation/compensated"] == RuleTally(drawn=2, harms=last_bits)
    assert whole.broken() == {"summation/mixed": "withholds", "summation/compensated": "last-bits"}
    assert whole.reported == [{"text": "\ud800"}] * 2


def test_failed_test_is_counted_for_the_operations_that_it_calls() -> None:
    """A failed test is counted for the operations that it calls, and for all operations if it calls none."""
    tally = Tally()

    tally.note_failure(["aggregate"])
    tally.note_failure([])

    failures = {name: counts.failures for name, counts in tally.operations.items()}
    assert failures == dict.fromkeys(tally.operations, 1) | {"aggregate": 2}
