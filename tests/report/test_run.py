"""Tests that what the suite has found adds up, whatever the order and the grouping of its parts."""

from dataclasses import fields, replace
from functools import reduce
from itertools import permutations
from operator import or_

from hypothesis import given
from hypothesis import strategies as st

from parity.suite.harm import HARMS
from parity.suite.records import Count, DeclaredReason, DivergenceRecord, Question
from parity.suite.report.report_files import to_json
from parity.suite.run import Run, comparisons
from tests.report.samples import divergence, report

_TEXTS = st.sampled_from(["", "a", "b\ud800", "ß"])
_SLUGS = st.sampled_from(["summation/mixed", "summation/compensated"])
_COUNTS = st.builds(
    Count,
    st.sampled_from(["drawn", "vector"]),
    st.sampled_from(["agrees", "diverges", "stale", "failed"]),
    st.sampled_from(["", "aggregate"]),
    st.just("") | _SLUGS,
    st.just("") | st.sampled_from(HARMS),
    _TEXTS,
    _TEXTS,
    count=st.integers(1, 3),
)
_DIVERGENCES = st.builds(
    replace,
    st.just(divergence()),
    rule=_SLUGS,
    shown=_SLUGS,
    harm=st.sampled_from(HARMS[:2]),
    kind=st.sampled_from(["other-value", "other-type"]),
    vector=st.none() | _TEXTS,
    case_text=_TEXTS,
    case_bytes=st.integers(0, 2),
    repeatable=st.booleans(),
    tests=st.sets(_TEXTS).map(lambda names: tuple(sorted(names))),
    replay=_TEXTS,
    replay_file=st.none() | _TEXTS,
    declared=st.none() | st.just(DeclaredReason("to-fix", "a")),
)
_RUNS = st.builds(Run.of, st.lists(_COUNTS, max_size=4), st.lists(_DIVERGENCES, max_size=4))


@given(_RUNS, _RUNS, _RUNS)
def test_sum_of_runs_is_commutative_and_associative(one: Run, two: Run, three: Run) -> None:
    """Parts of a run give the same in each order and grouping, and a part without any finding changes nothing."""
    assert one | two == two | one
    assert (one | two) | three == one | (two | three)
    assert one | Run() == one == Run() | one


@given(_RUNS)
def test_run_is_sent_between_processes_unchanged(run: Run) -> None:
    """A run that another process has written is equal, whatever text it has."""
    sent = run.dumps()

    assert sent.isascii()
    assert Run.loads(sent) == run


@given(st.lists(_RUNS, min_size=3, max_size=3))
def test_joined_records_are_equal_in_each_order(runs: list[Run]) -> None:
    """Counts, divergences and their order are the same bytes in each order of the parts."""
    written = {
        to_json(replace(report(), counts=run.rows, divergences=run.divergences))
        for parts in permutations(runs)
        if (run := reduce(or_, parts).with_one_replay_a_rule())
    }

    assert len(written) == 1


@given(st.lists(_DIVERGENCES, min_size=1, max_size=6))
def test_plainest_case_stays(records: list[DivergenceRecord]) -> None:
    """The shortest description of each rule, kind and harm stays, and all tests that found one are named."""
    run = Run.of([], records)

    for key, kept in run.worst.items():
        same = [each for each in records if (each.shown, each.rule, each.kind, each.harm, each.declared) == key]
        assert (len(kept.case_text), kept.case_bytes) == min((len(each.case_text), each.case_bytes) for each in same)
        assert set(kept.tests) == {test for each in same for test in each.tests}


def test_question_is_a_row_without_empty_keys() -> None:
    """A row of a record has the keys of its question that have a value, and the count."""
    run = Run.of([Count("drawn", "agrees", "aggregate", test="t", count=2)] * 2, [])

    assert run.dumps() == (
        '{"counts": [{"source": "drawn", "outcome": "agrees", "operation": "aggregate", "test": "t", "count": 4}], '
        '"divergences": []}'
    )
    assert comparisons(run.counts) == 4
    assert [each.name for each in fields(Count)] == [*(each.name for each in fields(Question)), "count"]
