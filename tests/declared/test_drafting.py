"""Regions: few sets of flags that hold all divergent cases, and as few others as can be."""

import json
import tomllib
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.judging.declared.declaration import Declaration, answer_json
from parity.judging.declared.drafting import Draft
from parity.judging.declared.grade import grade_of
from parity.judging.declared.regions import regions
from parity.judging.declared.writing import toml_json, toml_text
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations.operation import DESCRIPTION
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.wire import canonical
from parity.scorer import Rewards

_COUNTS = st.dictionaries(st.frozensets(st.sampled_from("abcdef")), st.integers(1, 9))


def _cases(**counts: int) -> Counter[frozenset[str]]:
    return Counter({frozenset(flags): count for flags, count in counts.items()})


def _entries(draft: Draft) -> tuple[list[dict[str, Any]], list[str]]:
    texts, notes = draft.entries(lambda *case: "why")
    return tomllib.loads("\n".join(texts)).get("divergence", []), notes


def _written(answer: Answer) -> str:
    """An answer as the file holds it."""
    return canonical(answer_json(AGGREGATE, answer))


_WRONG, _RIGHT = Value({"mean": 0.0}), Value({"mean": 0.5})
_TWO_KEYS = AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}))
_TWO_KEYS_AND_NULL = AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}, None))


def _earlier(*flags: str, case: AggregateCase = _TWO_KEYS_AND_NULL, runner: Answer = _WRONG) -> Declaration:
    grade = grade_of(AGGREGATE, case, _RIGHT, runner)
    assert grade is not None
    return Declaration(
        "aggregate",
        frozenset(flags),
        grade.kind,
        grade.harm,
        "by-design",
        f"about {' and '.join(flags)}",
        case,
        answer_json(AGGREGATE, _RIGHT),
        answer_json(AGGREGATE, runner),
        Path("declared.toml"),
    )


def test_an_entry_stays_as_long_as_its_witness_diverges() -> None:
    """However wide its region is, what lies in it makes no new entry; answers that moved are written anew."""
    entry = _earlier("missing-key")
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, Value({"mean": 0.25}))
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, _WRONG)
    entries, notes = _entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [(["missing-key"], "about missing-key")]
    assert json.loads(entries[0]["runner"]) == answer_json(AGGREGATE, Value({"mean": 0.25}))
    assert notes == []


def test_an_entry_that_was_not_asked_stays() -> None:
    """A part of the suite decides nothing about the rest."""
    draft = Draft((_earlier("missing-key"),))

    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, _WRONG)
    entries, notes = _entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [(["missing-key"], "about missing-key")]
    assert notes == []


@pytest.mark.parametrize(
    ("now", "why"),
    [(_RIGHT, "answers its witness as harbor does"), (NotClaimed("not yet"), "declines its witness")],
)
def test_an_entry_goes_with_its_witness(now: Answer, why: str) -> None:
    """What was dropped is reported with its reason, which is nowhere else any more."""
    entry = _earlier("missing-key")
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, now)
    entries, notes = _entries(draft)

    assert entries == []
    assert notes == [
        f"dropped aggregate[missing-key] other-value, because the runner {why}: by-design: about missing-key"
    ]


def test_whose_word_a_dropped_entry_is_held_against() -> None:
    """Reason codes are those of the scoring description, which no wheel implements."""
    right, wrong = Value(None), Value("harbor_reward_empty")
    declared = answer_json(REASON_CODE, right), answer_json(REASON_CODE, wrong)
    entry = Declaration(
        "reason_code",
        frozenset({"empty-text"}),
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

    assert f"answers its witness as {DESCRIPTION} does" in _entries(draft)[1][0]


@pytest.mark.parametrize("runner", [_WRONG, Crash("it ended")])
def test_a_part_of_a_region_keeps_its_reason(runner: Answer) -> None:
    """What diverges in the region of an entry that goes is still what the entry was about, the narrowest first."""
    wider = _earlier("missing-key", case=_TWO_KEYS, runner=runner)
    entry = _earlier("missing-key", "null-reward", runner=runner)
    draft = Draft((wider, entry))

    draft.revise(wider, _RIGHT, _RIGHT)
    draft.revise(entry, _RIGHT, _RIGHT)
    draft.agree(AGGREGATE, _TWO_KEYS)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, _RIGHT, runner)
    entries, notes = _entries(draft)

    kind = "no-answer" if isinstance(runner, Crash) else "other-value"
    assert [(each["class"], each["reason"]) for each in entries] == [("by-design", "about missing-key and null-reward")]
    assert [note.split(", because")[0] for note in notes] == [
        f"dropped aggregate[missing-key] {kind}",
        f"dropped aggregate[missing-key,null-reward] {kind}",
    ]


def test_a_crash_in_a_region_of_answers() -> None:
    """It gets an entry of its own, which does not take over why the answers differ, and that is said."""
    entry = _earlier("missing-key", case=_TWO_KEYS)
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, _RIGHT, Crash("it ended"))
    for agreeing in (_TWO_KEYS, AggregateCase("mean", ({"a": 1, "b": 2}, None))):
        draft.agree(AGGREGATE, agreeing)
    entries, notes = _entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [
        (["missing-key"], "about missing-key"),
        (["missing-key", "null-reward"], "why"),
    ]
    assert notes == [
        "new aggregate[missing-key,null-reward] no-answer lies in aggregate[missing-key] other-value, "
        "which does not allow it"
    ]


def test_a_crash_takes_over_a_region() -> None:
    """Where the runner crashes nothing else is asked: the entry about its answers goes, and its reason is reported."""
    entry = _earlier("ints-only")
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, Crash("it ended"))
    entries, notes = _entries(draft)

    assert [(each["flags"], each["runner"]) for each in entries] == [(["ints-only"], '{"crash":true}')]
    assert notes[-1] == (
        "dropped aggregate[ints-only] other-value, because aggregate[ints-only] no-answer allows as much: "
        "by-design: about ints-only"
    )


def test_each_kind_and_harm_has_regions_of_its_own() -> None:
    """What pays out is drafted apart from what withholds, and a fault apart from both, each with its own witness."""
    draft = Draft()
    higher = Value({"mean": 1.0})
    null = AggregateCase("mean", ({"a": 0.5}, None))

    draft.diverge(AGGREGATE, null, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, higher)
    draft.diverge(AGGREGATE, AggregateCase("mean", ()), Fault("ZeroDivisionError"), _WRONG)
    entries, notes = _entries(draft)

    drafted = {(each["difference"], each["runner"]) for each in entries}
    assert drafted == {
        ("other-value", _written(higher)),
        ("other-value", _written(_WRONG)),
        ("value-for-error", _written(_WRONG)),
    }
    assert notes == []


def test_what_a_worse_region_holds_needs_no_other() -> None:
    """A milder difference of the same kind passes in the region of a worse one, of which the witness is."""
    draft = Draft()

    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, Value({"mean": 1.0}))
    entries, _ = _entries(draft)

    assert [(each["difference"], each["runner"]) for each in entries] == [
        ("other-value", _written(Value({"mean": 1.0})))
    ]


def test_more_harm_in_a_kept_region() -> None:
    """A worse difference than an earlier entry allows gets its own entry, with another reason, and is reported."""
    entry = _earlier("missing-key", case=_TWO_KEYS)
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS_AND_NULL, _RIGHT, Value({"mean": 1.0}))
    draft.agree(AGGREGATE, _TWO_KEYS)
    draft.agree(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, None)))
    entries, notes = _entries(draft)

    assert [(each["flags"], each["reason"]) for each in entries] == [
        (["missing-key"], "about missing-key"),
        (["missing-key", "null-reward"], "why"),
    ]
    assert notes == [
        "new aggregate[missing-key,null-reward] other-value lies in aggregate[missing-key] other-value, "
        "which does not allow it"
    ]


def test_a_witness_that_does_more_harm() -> None:
    """An entry stays when its witness diverges otherwise, and what became of it is reported."""
    entries = [_earlier("missing-key", case=_TWO_KEYS), _earlier("null-reward")]
    draft = Draft(tuple(entries))

    draft.revise(entries[0], _RIGHT, Value({"mean": 1.0}))
    draft.revise(entries[1], _RIGHT, Fault("KeyError"))
    revised, notes = _entries(draft)

    assert [(each["difference"], each["reason"]) for each in revised] == [
        ("other-value", "about missing-key"),
        ("error-for-value", "about null-reward"),
    ]
    assert notes == [
        "aggregate[missing-key] other-value does more harm now: pays-out, not withholds",
        "aggregate[null-reward] other-value is aggregate[null-reward] error-for-value now, as its witness diverges",
    ]


def test_nothing_redundant_is_drafted() -> None:
    """An earlier entry that lies in a new one that allows as much goes, and its reason is reported."""
    entry = _earlier("missing-key", "null-reward")
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, _WRONG)
    draft.agree(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1, "b": 2})))
    entries, notes = _entries(draft)

    assert [each["flags"] for each in entries] == [["missing-key"]]
    assert notes == [
        "dropped aggregate[missing-key,null-reward] other-value, because aggregate[missing-key] other-value "
        "allows as much: by-design: about missing-key and null-reward"
    ]


def test_an_entry_without_a_kind_is_about_every_one() -> None:
    """Files once fixed no kind, so what diverges otherwise in such a region keeps the reason, but not a crash."""
    entry = replace(_earlier("missing-key", case=_TWO_KEYS), is_dated=True)
    draft = Draft((entry,))

    draft.revise(entry, _RIGHT, _WRONG)
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, Fault("KeyError"))
    draft.diverge(AGGREGATE, AggregateCase("mean", (None,)), _RIGHT, Fault("TypeError"))
    entries, notes = _entries(draft)

    reasons = {each["difference"]: each["reason"] for each in entries if "null-reward" not in each["flags"]}
    assert reasons["error-for-value"] == reasons["other-value"] == "about missing-key"
    assert notes == []


@pytest.mark.parametrize(("agreeing", "is_wide"), [(1, True), (2, False)])
def test_a_wide_region(agreeing: int, is_wide: bool) -> None:
    """One that holds most of the generated cases of its operation is marked in the file, and reported."""
    draft = Draft()
    plain = AggregateCase("mean", ({"reward": 0.5},))
    draft.diverge(AGGREGATE, _TWO_KEYS, _RIGHT, _WRONG)
    for _ in range(2):
        draft.draw(AGGREGATE, [AGGREGATE.flags(_TWO_KEYS), AGGREGATE.flags(plain)])
    for _ in range(agreeing):
        draft.draw(AGGREGATE, [AGGREGATE.flags(plain)])

    texts, notes = draft.entries(lambda *case: "why")

    reasons = "it holds 67% of the generated cases of aggregate, where a new fault would pass with it"
    assert texts[0].startswith(f"\n# {reasons}\n[[divergence]]\n" if is_wide else "\n[[divergence]]\n")
    assert [note.partition(": ")[2] for note in notes] == ([reasons] if is_wide else [])


def test_the_flag_that_all_share() -> None:
    """One flag that explains all is one region, whatever else the cases carry."""
    found = regions(_cases(b=3, c=5), _cases(ab=2, ac=7, a=1))

    assert found == [frozenset("a")]


def test_no_wider_than_need_be() -> None:
    """Where a flag alone holds many agreeing cases, two together make the region."""
    found = regions(_cases(a=50, b=50), _cases(ab=10))

    assert found == [frozenset("ab")]


def test_two_faults() -> None:
    """Two flags that have nothing to do with each other are two regions, the larger first."""
    found = regions(_cases(c=9), _cases(a=2, b=5, bc=1))

    assert found == [frozenset("b"), frozenset("a")]


def test_plain_cases_need_everything() -> None:
    """A case without flags can only be in the region of everything, beside which no other is needed."""
    found = regions(Counter(), Counter({frozenset(): 3, frozenset("a"): 2}))

    assert found == [frozenset()]


def test_short_regions() -> None:
    """Two flags that hold another case as well are better than all five that a single case carries."""
    pairs = Counter({frozenset(pair): 9 for pair in combinations("abcde", 2)})

    found = regions(pairs - _cases(ab=8), _cases(abcde=1))

    assert found == [frozenset("ab")]


def test_nothing_diverges() -> None:
    """No divergence, no region."""
    assert regions(_cases(a=1), Counter()) == []


@given(agreeing=_COUNTS, divergent=_COUNTS)
def test_all_are_held(agreeing: dict[frozenset[str], int], divergent: dict[frozenset[str], int]) -> None:
    """Every divergent case is in a region, every region has one, and none lies in another."""
    found = regions(Counter(agreeing), Counter(divergent))

    assert all(any(region <= flags for region in found) for flags in divergent)
    assert all(any(region <= flags for flags in divergent) for region in found)
    assert not any(one <= other for one, other in permutations(found, 2))


@given(st.text(st.characters(exclude_categories=())))
def test_texts_in_toml(text: str) -> None:
    """Any text survives in TOML, on one line; halves of surrogate pairs stand escaped."""
    read = tomllib.loads(f"key = {toml_text(text)}")["key"]

    assert "\n" not in toml_text(text)
    assert read == text.encode(errors="backslashreplace").decode()


@pytest.mark.parametrize("value", ["it's", "\x7f", "\ud800", 'a "quoted" \\ one', "\U0001f600", "\n\t\0"])
def test_json_in_toml(value: str) -> None:
    """A JSON value comes back to the last character, half a surrogate pair included."""
    read = tomllib.loads(f"key = {toml_json({'k': value})}")["key"]

    assert json.loads(read) == {"k": value}


def test_crashes_have_regions_of_their_own() -> None:
    """Where a runner crashes on some cases and errs on others, each region has a witness of its kind."""
    draft = Draft()
    wrong = Value({"mean": 0.0})
    cases: list[tuple[tuple[Rewards | None, ...], Answer]] = [
        (({"a": 1, "b": 2}, {"a": 1}), wrong),
        (({"a": 1, "b": 2}, {"a": 1}, None), Crash("it gave no answer within 10 s", hung=True)),
        (({"a": 1}, None), wrong),
    ]
    for rewards, runner in cases:
        draft.diverge(AGGREGATE, AggregateCase("mean", rewards), Value({"mean": 0.5}), runner)

    entries, _ = _entries(draft)

    crashing = [entry for entry in entries if json.loads(entry["runner"]) == {"crash": True}]
    assert [set(entry["flags"]) <= {"missing-key", "null-reward", "several-keys"} for entry in crashing] == [True]
    assert draft.skips(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}, None)))
    assert not draft.skips(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1})))


def test_a_plain_case_that_hangs_spares_plain_cases_alone() -> None:
    """A hang on a case without flags does not keep all others from being asked."""
    draft = Draft()
    plain = AggregateCase("mean", ({"reward": 0.5},))
    assert AGGREGATE.flags(plain) == frozenset()

    draft.diverge(AGGREGATE, plain, Value({"mean": 0.5}), Crash("it gave no answer within 10 s", hung=True))

    assert draft.skips(AGGREGATE, plain)
    assert not draft.skips(AGGREGATE, AggregateCase("mean", ()))
