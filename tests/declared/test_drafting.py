"""Drafts from earlier entries and new divergences: the entries that stay, go or are added, with notes."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations.operation import DESCRIPTION
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.wire import canonical
from parity.suite.declared.declaration import Declaration, answer_json
from parity.suite.declared.drafting import Draft
from parity.suite.difference_kind import grade_of


def read_entries(draft: Draft) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the drafted entries as parsed from the file, and the notes."""
    texts, notes = draft.entries(lambda *case: "why")
    return tomllib.loads("\n".join(texts)).get("divergence", []), notes


def _written(answer: Answer) -> str:
    """Return an answer in the form of the file."""
    return canonical(answer_json(AGGREGATE, answer))


WRONG, RIGHT = Value({"mean": 0.0}), Value({"mean": 0.5})


TWO_KEYS = AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}))


_TWO_KEYS_AND_NULL = AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}, None))


def _earlier(*flags: str, case: AggregateCase = _TWO_KEYS_AND_NULL, runner: Answer = WRONG) -> Declaration:
    grade = grade_of(AGGREGATE, case, RIGHT, runner)
    assert grade is not None
    return Declaration(
        "aggregate",
        frozenset(flags),
        grade.kind,
        grade.harm,
        "by-design",
        f"about {' and '.join(flags)}",
        case,
        answer_json(AGGREGATE, RIGHT),
        answer_json(AGGREGATE, runner),
        Path("declared.toml"),
    )


def test_an_entry_stays_as_long_as_its_witness_diverges() -> None:
    """An entry stays as long as its witness diverges: its region gets no new entry, and changed answers are updated."""
    entry = _earlier("missing-key")
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, Value({"mean": 0.25}))
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, WRONG)
    entries, notes = read_entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [(["missing-key"], "about missing-key")]
    assert json.loads(entries[0]["runner"]) == answer_json(AGGREGATE, Value({"mean": 0.25}))
    assert notes == []


def test_an_entry_that_was_not_asked_stays() -> None:
    """An entry whose witness was not asked stays."""
    draft = Draft((_earlier("missing-key"),))

    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, WRONG)
    entries, notes = read_entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [(["missing-key"], "about missing-key")]
    assert notes == []


@pytest.mark.parametrize(
    ("now", "why"),
    [(RIGHT, "answers its witness as harbor does"), (NotClaimed("not yet"), "declines its witness")],
)
def test_an_entry_goes_with_its_witness(now: Answer, why: str) -> None:
    """An entry whose witness agrees is dropped, and a note has the cause and the entry's reason."""
    entry = _earlier("missing-key")
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, now)
    entries, notes = read_entries(draft)

    assert entries == []
    assert notes == [
        f"dropped aggregate[missing-key] other-value, because the runner {why}: by-design: about missing-key"
    ]


def test_whose_word_a_dropped_entry_is_held_against() -> None:
    """The note on a dropped entry names the authority: for reason codes, the scoring description."""
    right, wrong = Value(None), Value("harbor_reward_empty")
    declared = answer_json(REASON_CODE, right), answer_json(REASON_CODE, wrong)
    entry = Declaration(
        "reason_code",
        frozenset(),
        "other-type",
        "invents-failure",
        "by-design",
        "why",
        ErrorText(""),
        *declared,
        Path("declared.toml"),
    )
    draft = Draft((entry,))

    draft.revise(entry, right, right)

    assert f"answers its witness as {DESCRIPTION} does" in read_entries(draft)[1][0]


@pytest.mark.parametrize("runner", [WRONG, Crash("it ended")])
def test_a_part_of_a_region_keeps_its_reason(runner: Answer) -> None:
    """A new entry in the region of a dropped one keeps the reason of the narrowest such entry."""
    wider = _earlier("missing-key", case=TWO_KEYS, runner=runner)
    entry = _earlier("missing-key", "null-reward", runner=runner)
    draft = Draft((wider, entry))

    draft.revise(wider, RIGHT, RIGHT)
    draft.revise(entry, RIGHT, RIGHT)
    draft.agree(AGGREGATE, TWO_KEYS)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, RIGHT, runner)
    entries, notes = read_entries(draft)

    kind = "no-answer" if isinstance(runner, Crash) else "other-value"
    assert [(each["class"], each["reason"]) for each in entries] == [("by-design", "about missing-key and null-reward")]
    assert [note.split(", because")[0] for note in notes] == [
        f"dropped aggregate[missing-key] {kind}",
        f"dropped aggregate[missing-key,null-reward] {kind}",
    ]


def test_a_crash_in_a_region_of_answers() -> None:
    """A crash in a region of wrong answers gets its own entry, without the reason of the other, and a note."""
    entry = _earlier("missing-key", case=TWO_KEYS)
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, RIGHT, Crash("it ended"))
    for agreeing in (TWO_KEYS, AggregateCase("mean", ({"a": 1, "b": 2}, None))):
        draft.agree(AGGREGATE, agreeing)
    entries, notes = read_entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [
        (["missing-key"], "about missing-key"),
        (["missing-key", "null-reward"], "why"),
    ]
    assert notes == [
        "new aggregate[missing-key,null-reward] no-answer lies in aggregate[missing-key] other-value, "
        "which does not allow it"
    ]


def test_a_crash_takes_over_a_region() -> None:
    """An entry about crashes replaces one about answers in the same region, whose reason is reported."""
    entry = _earlier("ints-only")
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, WRONG)
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, Crash("it ended"))
    entries, notes = read_entries(draft)

    assert [(each["flags"], each["runner"]) for each in entries] == [(["ints-only"], '{"crash":true}')]
    assert notes[-1] == (
        "dropped aggregate[ints-only] other-value, because aggregate[ints-only] no-answer allows as much: "
        "by-design: about ints-only"
    )


def test_each_kind_and_harm_has_regions_of_its_own() -> None:
    """Each kind of difference and harm gets its own region, with its own witness."""
    draft = Draft()
    higher = Value({"mean": 1.0})
    null = AggregateCase("mean", ({"a": 0.5}, None))

    draft.diverge(AGGREGATE, null, RIGHT, WRONG)
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, higher)
    draft.diverge(AGGREGATE, AggregateCase("mean", ()), Fault("ZeroDivisionError"), WRONG)
    entries, notes = read_entries(draft)

    drafted = {(each["difference"], each["runner"]) for each in entries}
    assert drafted == {
        ("other-value", _written(higher)),
        ("other-value", _written(WRONG)),
        ("value-for-error", _written(WRONG)),
    }
    assert notes == []


def test_what_a_worse_region_holds_needs_no_other() -> None:
    """The region of a worse difference also holds the milder ones, so these get no entry."""
    draft = Draft()

    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, WRONG)
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, Value({"mean": 1.0}))
    entries, _ = read_entries(draft)

    assert [(each["difference"], each["runner"]) for each in entries] == [
        ("other-value", _written(Value({"mean": 1.0})))
    ]


def test_more_harm_in_a_kept_region() -> None:
    """A worse difference than an earlier entry allows gets its own entry, with a new reason and a note."""
    entry = _earlier("missing-key", case=TWO_KEYS)
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, RIGHT, Value({"mean": 1.0}))
    draft.agree(AGGREGATE, TWO_KEYS)
    draft.agree(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, None)))
    entries, notes = read_entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [
        (["missing-key"], "about missing-key"),
        (["missing-key", "null-reward"], "why"),
    ]
    assert notes == [
        "new aggregate[missing-key,null-reward] other-value lies in aggregate[missing-key] other-value, "
        "which does not allow it"
    ]


def test_a_witness_that_does_more_harm() -> None:
    """An entry whose witness diverges in another way stays, and a note says what has changed."""
    entries = [_earlier("missing-key", case=TWO_KEYS), _earlier("null-reward")]
    draft = Draft(tuple(entries))

    draft.revise(entries[0], RIGHT, Value({"mean": 1.0}))
    draft.revise(entries[1], RIGHT, Fault("KeyError"))
    revised, notes = read_entries(draft)

    assert [(each["difference"], each["reason"]) for each in revised] == [
        ("other-value", "about missing-key"),
        ("error-for-value", "about null-reward"),
    ]
    assert notes == [
        "aggregate[missing-key] other-value does more harm now: pays-out, not withholds",
        "aggregate[null-reward] other-value is now aggregate[null-reward] error-for-value, "
        "because its witness diverges in another way",
    ]


def test_nothing_redundant_is_drafted() -> None:
    """An earlier entry inside a new one that allows as much is dropped, and its reason is reported."""
    entry = _earlier("missing-key", "null-reward")
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, WRONG)
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, WRONG)
    draft.agree(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1, "b": 2})))
    entries, notes = read_entries(draft)

    assert [each["flags"] for each in entries] == [["missing-key"]]
    assert notes == [
        "dropped aggregate[missing-key,null-reward] other-value, because aggregate[missing-key] other-value "
        "allows as much: by-design: about missing-key and null-reward"
    ]


def test_an_entry_without_a_kind_is_about_every_one() -> None:
    """An old entry without a kind gives its reason to every kind of difference in its region, but not to a crash."""
    entry = replace(_earlier("missing-key", case=TWO_KEYS), is_dated=True)
    draft = Draft((entry,))

    draft.revise(entry, RIGHT, WRONG)
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, Fault("KeyError"))
    draft.diverge(AGGREGATE, AggregateCase("mean", (None,)), RIGHT, Fault("TypeError"))
    entries, notes = read_entries(draft)

    reasons = {each["difference"]: each["reason"] for each in entries if "null-reward" not in each["flags"]}
    assert reasons["error-for-value"] == reasons["other-value"] == "about missing-key"
    assert notes == []
