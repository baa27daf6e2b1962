"""Tests that a draft has golden vectors, then generated cases, and keeps the entries of earlier files."""

from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer
from parity.operations.goldens import read_vectors
from parity.suite.declared import Declaration, Draft, Effect
from parity.suite.declared.declaration import Row
from tests.declared.divergences import CASE, ERROR, HANG, HIGHER, LOWER, RULE, declaring, diverging

_LONGER = AggregateCase("mean", ({"a": 0.25}, {"a": 0.75}))
_MEAN, _MAX = f"{RULE}/thirds/mean", f"{RULE}/thirds/max"


def _rows(draft: Draft) -> list[tuple[str, dict[str, dict[str, Any]]]]:
    """Return reason and rows of each entry."""
    entries, _ = draft.entries()
    return [(entry.reason, {rule: _contents(row) for rule, row in entry.rules.items()}) for entry, _ in entries]


def _contents(row: Row) -> dict[str, Any]:
    vectors = {str(harm): names for harm, names in row.vectors.items()}
    return {**vectors, **{f"case {harm}": case for harm, case in row.cases.items()}}


def test_each_rule_has_an_entry_without_a_reason() -> None:
    """A rule has one entry with all its harms, whatever the kinds of difference are; a comment shows one difference."""
    draft = Draft()
    draft.add(diverging(LOWER, vector=_MAX))
    draft.add(diverging(ERROR, vector=_MEAN))
    draft.add(diverging(HANG, vector=f"{RULE}/thirds/min"))
    draft.add(diverging(HIGHER, rule="aggregate/no-trials"))

    entries, notes = draft.entries()

    assert _rows(draft) == [
        ("", {"aggregate/no-trials": {"case pays-out": AGGREGATE.encode(CASE)}}),
        ("", {RULE: {"withholds": ("thirds/mean", "thirds/max"), "no-answer": ("thirds/min",)}}),
    ]
    assert [entry.class_ for entry, _ in entries] == ["to-fix", "to-fix"]
    assert entries[0][1].startswith("another number at ['a'], ")
    assert notes == []


def test_plainest_generated_case_stands_where_no_vector_does() -> None:
    """Only a rule and harm without a golden vector has a case, the plainest one."""
    draft = Draft()
    for case in (_LONGER, CASE, _LONGER):
        draft.add(diverging(HIGHER, case))
        draft.add(diverging(LOWER, case))
    draft.add(diverging(LOWER, vector=_MEAN))

    assert _rows(draft) == [("", {RULE: {"withholds": ("thirds/mean",), "case pays-out": AGGREGATE.encode(CASE)}})]


def test_generated_case_that_is_a_vector_counts_as_the_vector() -> None:
    """A generated case that is a golden vector is listed as this vector, so that two rules share no example."""
    vector = next(vector for vector in read_vectors("aggregate") if vector.id == _MEAN)
    draft = Draft()

    draft.add(diverging(HIGHER, vector.case, rule="aggregate/no-trials"))

    assert _rows(draft) == [("", {RULE: {"pays-out": ("thirds/mean",)}})]


@pytest.mark.parametrize(
    ("now", "rows", "notes"),
    [
        ({}, {"form": ("thirds/mean", "thirds/max")}, []),
        ({_MEAN: None}, {"form": ("thirds/max",)}, ["declared as form, but no longer diverges: thirds/mean"]),
        (
            {_MEAN: "last-bits"},
            {"last-bits": ("thirds/mean",), "form": ("thirds/max",)},
            ["declared as form, but diverges as last-bits: thirds/mean"],
        ),
        ({f"{RULE}/thirds/min": "form"}, {"form": ("thirds/min", "thirds/mean", "thirds/max")}, []),
    ],
    ids=["not asked", "gone", "another harm", "new"],
)
def test_entry_is_revised(now: dict[str, Effect | None], rows: dict[str, tuple[str, ...]], notes: list[str]) -> None:
    """A revised entry keeps class, reason and what was not asked; what has changed is named with the reason."""
    draft = Draft((declaring({"form": ["thirds/mean", "thirds/max"]}),))
    draft.answered.vectors.update(now)

    entries, printed = draft.entries()

    ((entry, comment),) = entries
    assert {harm: sorted(names) for harm, names in entry.rules[RULE].vectors.items()} == {
        harm: sorted(names) for harm, names in rows.items()
    }
    assert (entry.class_, entry.reason, comment) == ("by-design", "it is faster", "")
    assert printed == [f'{RULE}: {note} (under "it is faster")' for note in notes]


def test_vector_with_a_new_harm_gets_an_entry_of_its_own() -> None:
    """A vector whose rule and harm no entry has gets an entry without a reason, below those with one."""
    draft = Draft((declaring({"form": ["thirds/mean"]}),))
    draft.add(diverging(HIGHER, vector=_MAX))

    assert _rows(draft) == [
        ("it is faster", {RULE: {"form": ("thirds/mean",)}}),
        ("", {RULE: {"pays-out": ("thirds/max",)}}),
    ]


def test_entry_is_dropped_if_nothing_is_left() -> None:
    """An entry is dropped if none of its vectors diverges any more."""
    draft = Draft((declaring({"form": ["thirds/mean"]}),))
    draft.answered.vectors[_MEAN] = None

    assert _rows(draft) == []


def _with_case(now: tuple[str, Effect] | None) -> Draft:
    entry: Declaration = declaring(cases={"pays-out": '{"metric":"mean","rewards":[]}'})
    draft = Draft((entry,))
    draft.answered.cases.append((entry, RULE, "pays-out", now))
    return draft


def test_case_is_replaced_if_it_agrees() -> None:
    """If the case of an entry agrees, a generated case with the same rule and harm takes its place."""
    draft = _with_case(None)
    draft.add(diverging(HIGHER))

    assert _rows(draft) == [("it is faster", {RULE: {"case pays-out": AGGREGATE.encode(CASE)}})]


def test_case_is_dropped_if_a_vector_shows_its_harm() -> None:
    """A case is left out of the file once a golden vector has its rule and harm."""
    draft = _with_case((RULE, "pays-out"))
    draft.add(diverging(HIGHER, vector=_MEAN))

    assert _rows(draft) == [("it is faster", {RULE: {"pays-out": ("thirds/mean",)}})]


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
    """After two successive seeds that add no rule and harm, no further seed is tried."""
    answers: list[Answer] = [HIGHER, LOWER, HANG]
    rules = (RULE, "aggregate/no-trials", "aggregate/several-keys")
    draft = Draft()
    divergences = [diverging(answer, rule=rule) for rule in rules for answer in answers]
    counted = 0
    for number in range(8):
        if draft.skips_round(number):
            continue
        for _ in range(new[number]):
            draft.add(divergences.pop())
        counted += 1

    assert (counted, draft.rounds) == (rounds, words)
