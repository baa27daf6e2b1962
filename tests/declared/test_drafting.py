"""Tests that a draft has one entry for each rule, kind and harm, from earlier entries and the divergences of a run."""

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer
from parity.suite.declared import Draft
from tests.declared.divergences import CASE, ERROR, HANG, HIGHER, LOWER, RULE, declaring, diverging

_LONGER = AggregateCase("mean", ({"a": 0.25}, {"a": 0.75}))
_ONE, _TWO = "aggregate/value/thirds/mean", "aggregate/value/thirds/max"


def test_each_rule_kind_and_harm_has_an_entry() -> None:
    """Divergences that differ in rule, kind or harm get separate entries, in the order of rules and harms."""
    draft = Draft()
    for divergence in (
        diverging(ERROR),
        diverging(LOWER),
        diverging(HIGHER),
        diverging(HIGHER, _LONGER),
        diverging(HIGHER, rule="aggregate/type"),
        diverging(HANG),
    ):
        draft.add(divergence)

    entries, notes = draft.entries()

    assert [entry.name for entry in entries] == [
        "aggregate/type other-value pays-out",
        "aggregate/value other-value pays-out",
        "aggregate/value error-for-value withholds",
        "aggregate/value other-value withholds",
        "aggregate/value no-answer withholds",
    ]
    assert {entry.class_ for entry in entries} == {"to-fix"}
    assert notes == []


def test_plainest_case_is_the_witness() -> None:
    """The plainest case is the witness, with both answers to it; the reason says how the answers differ."""
    draft = Draft()
    for case in (_LONGER, CASE, _LONGER):
        draft.add(diverging(HIGHER, case))

    ((entry,), _) = draft.entries()

    assert entry.witness == AGGREGATE.encode(CASE)
    assert entry.reference == {"value": {"a": {"f64": "3fe0000000000000"}}}
    assert entry.runner == {"value": {"a": {"f64": "3ff0000000000000"}}}
    assert entry.reason.startswith("another number at ['a'], ")


def test_class_and_reason_of_an_earlier_entry_are_kept() -> None:
    """An entry from an earlier file keeps its class and reason, even if a shorter case becomes its witness."""
    draft = Draft((declaring(diverging(HIGHER, _LONGER)),))
    draft.revise(draft.earlier[0], diverging(HIGHER, _LONGER))
    draft.add(diverging(HIGHER))

    ((entry,), notes) = draft.entries()

    assert (entry.class_, entry.reason, entry.witness) == ("by-design", "it is faster", AGGREGATE.encode(CASE))
    assert notes == []


def test_entry_stays_if_its_witness_was_not_run() -> None:
    """An entry whose witness was not run stays in the file."""
    draft = Draft((declaring(diverging(HIGHER)),))

    entries, notes = draft.entries()

    assert (entries, notes) == ([*draft.earlier], [])


@pytest.mark.parametrize(
    ("now", "why"),
    [(None, "its witness agrees"), (LOWER, "its witness diverges as aggregate/value other-value withholds")],
)
def test_entry_is_dropped_if_its_witness_no_longer_diverges(now: Answer | None, why: str) -> None:
    """An entry whose witness no longer diverges as declared is dropped, and a note has the cause and its reason."""
    draft = Draft((declaring(diverging(HIGHER)),))
    draft.revise(draft.earlier[0], diverging(now) if now else None)

    _, notes = draft.entries()

    assert notes == [f"dropped aggregate/value other-value pays-out, because {why}: by-design: it is faster"]


def test_witness_that_agrees_is_replaced() -> None:
    """If the witness of an entry agrees, but another case diverges as declared, the entry stays, with that case."""
    draft = Draft((declaring(diverging(HIGHER)),))
    draft.revise(draft.earlier[0], None)
    draft.add(diverging(HIGHER, _LONGER))

    ((entry,), notes) = draft.entries()

    assert (entry.reason, entry.witness, notes) == ("it is faster", AGGREGATE.encode(_LONGER), [])


@pytest.mark.parametrize(
    ("before", "asked", "found", "after"),
    [
        (None, [], [], None),
        (None, [_ONE, _TWO], [], []),
        (None, [_ONE, _TWO], [_ONE], [_ONE]),
        ([_ONE], [], [], [_ONE]),
        ([_ONE], [_ONE], [], []),
        ([_ONE], [_TWO], [_TWO], [_ONE, _TWO]),
    ],
)
def test_diverging_vectors_are_listed(
    before: list[str] | None, asked: list[str], found: list[str], after: list[str] | None
) -> None:
    """An entry lists the vectors that diverge as declared, and those from the earlier entry that were not run."""
    draft = Draft((declaring(diverging(HIGHER), None if before is None else frozenset(before)),))
    draft.revise(draft.earlier[0], diverging(HIGHER))
    for name in asked:
        draft.note_vector("aggregate", name)
    for name in found:
        draft.add(diverging(HIGHER), name)

    ((entry,), _) = draft.entries()

    assert entry.vectors == (None if after is None else frozenset(after))


@pytest.mark.parametrize(
    ("new", "rounds", "words"),
    [
        ([1, 0, 0], 3, " from 3 seeds"),
        ([0, 0], 2, " from 2 seeds"),
        ([1, 0, 1, 0, 0], 5, " from 5 seeds"),
        ([1] * 8, 8, " from 8 seeds; the last one still found more"),
    ],
)
def test_rounds_end_after_two_that_find_nothing_new(new: list[int], rounds: int, words: str) -> None:
    """After two successive seeds that add no rule, kind and harm, no further seed is tried."""
    answers: list[Answer] = [HIGHER, LOWER, ERROR, HANG]
    draft = Draft()
    divergences = [diverging(answer, rule=rule) for rule in (RULE, "aggregate/type") for answer in answers]
    asked = 0
    for number in range(8):
        if draft.skips_round(number):
            continue
        for _ in range(new[number]):
            draft.add(divergences.pop())
        asked += 1

    assert (asked, draft.rounds) == (rounds, words)
