"""Tests that a hang leaves out the remaining vectors for its rule, and hangs in three rules leave out all the rest."""

import sys
import time
from itertools import groupby
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.goldens import Vector, read_vectors
from parity.operations.series import running_series
from parity.operations.wire import canonical
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.runners.pipe import PipeRunner
from parity.scorer import Rewards
from parity.suite.checker import Checker
from parity.suite.golden_vectors import check_vectors
from parity.suite.records import Outcome
from parity.suite.run import Counts, answered_vectors
from tests.running import Run

_VECTORS = read_vectors(AGGREGATE.name)
_RULES = [rule for rule, _ in groupby(_VECTORS, lambda vector: vector.rule)]
_RULES_OF = {canonical(AGGREGATE.encode(vector.case)): vector.rule for vector in _VECTORS}
_SECONDS = 2.0


class HangsInOneRule(CleanRoom):
    """A runner that hangs on every vector for one rule."""

    name = "hangs"
    rules = frozenset(_RULES[1:2])

    def aggregate(self, metric: Any, rewards: Any) -> Rewards:
        if _RULES_OF[canonical(AGGREGATE.question(metric, rewards))] in self.rules:
            time.sleep(60)
        return super().aggregate(metric, rewards)


class HangsInThreeRules(HangsInOneRule):
    """A runner that hangs on every vector for three rules."""

    rules = frozenset(_RULES[1:6:2])


@pytest.fixture(params=["object", "program"])
def runner_kind(request: pytest.FixtureRequest) -> str:
    """Return the kind of runner: an object, or a program that accepts several questions at once."""
    return str(request.param)


def _counts_of(runner_class: type[HangsInOneRule], kind: str) -> Counts:
    program = f"{sys.executable} -m parity serve {__name__}:{runner_class.__name__}"
    runner: Any = runner_class() if kind == "object" else PipeRunner(program)
    checker = Checker(CleanRoom(), runner, Clock(_SECONDS))
    with checker.clock.installed(), pytest.raises(ExceptionGroup):
        check_vectors(AGGREGATE, checker, running_series())
    if isinstance(runner, PipeRunner):
        runner.close()
    return checker.run.counts


def _rules(counts: Counts, outcome: Outcome) -> dict[str, int]:
    """Return the number of vectors with an outcome, by rule."""
    return {question.rule: count for question, count in counts.items() if question.outcome == outcome}


def _of(rules: frozenset[str]) -> list[Vector]:
    return [vector for vector in _VECTORS if vector.rule in rules]


def test_hang_leaves_out_its_rule(runner_kind: str) -> None:
    """After one hang, the remaining vectors for its rule are left out, and all others are asked."""
    counts = _counts_of(HangsInOneRule, runner_kind)

    (rule,) = HangsInOneRule.rules
    left_out = len(_of(HangsInOneRule.rules)) - 1
    assert _rules(counts, "hung") == {rule: 1}
    assert _rules(counts, "left-out") == {rule: left_out}
    assert answered_vectors(counts) == len(_VECTORS) - left_out


def test_hangs_in_three_rules_leave_out_the_rest(runner_kind: str) -> None:
    """After hangs in three rules, all further vectors are left out."""
    counts = _counts_of(HangsInThreeRules, runner_kind)

    third = next(place for place, vector in enumerate(_VECTORS) if vector.rule == _RULES[5])
    left_out = _rules(counts, "left-out")
    assert _rules(counts, "hung") == dict.fromkeys(_RULES[1:6:2], 1)
    assert answered_vectors(counts) + sum(left_out.values()) == len(_VECTORS)
    assert all(left_out[vector.rule] for vector in _VECTORS[third + 1 :])


def test_summary_states_the_number_of_vectors_left_out(run: Run) -> None:
    """The table has a column for vectors that are left out, and a line states the reason."""
    hung, others = HangsInOneRule.rules, len(_of(HangsInOneRule.rules)) - 1

    suite = ("--pyargs", "parity", "--reference", "golden", "-k", "aggregate", "--case-timeout", str(_SECONDS))
    ran = run(*suite, "--runner", f"{__name__}:HangsInOneRule")

    line = f"aggregate: it hung on 1 vector ({', '.join(hung)}); not asked, because each hang costs the time limit: "
    assert f"{'vectors':>9}{'left out':>10}  verdict" in ran.stdout
    assert f"{len(_VECTORS) - others:>9}{others:>10}  diverges: 1 rule withholds\n" in ran.stdout
    assert f"{line}{others} more of this rule\n" in ran.stdout
