"""A draft's regions have few flags, contain all divergent cases, and few agreeing ones."""

import json
import tomllib
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Answer, Crash, Value
from parity.scorer import Rewards
from parity.suite.declared.drafting import Draft
from parity.suite.declared.sightings import regions
from parity.suite.declared.writing import toml_json, toml_text
from tests.declared.test_drafting import RIGHT, TWO_KEYS, WRONG, read_entries

_COUNTS = st.dictionaries(st.frozensets(st.sampled_from("abcdef")), st.integers(1, 9))


def _cases(**counts: int) -> Counter[frozenset[str]]:
    return Counter({frozenset(flags): count for flags, count in counts.items()})


@pytest.mark.parametrize(("agreeing", "is_wide"), [(1, True), (2, False)])
def test_a_wide_region(agreeing: int, is_wide: bool) -> None:
    """A region that holds most generated cases of its operation is marked in the file, and reported."""
    draft = Draft()
    plain = AggregateCase("mean", ({"reward": 0.5},))
    draft.diverge(AGGREGATE, TWO_KEYS, RIGHT, WRONG)
    for _ in range(2):
        draft.draw(AGGREGATE, [AGGREGATE.flags(TWO_KEYS), AGGREGATE.flags(plain)])
    for _ in range(agreeing):
        draft.draw(AGGREGATE, [AGGREGATE.flags(plain)])

    texts, notes = draft.entries(lambda *case: "why")

    reasons = "it holds 67% of the generated cases of aggregate, where a new fault would pass with it"
    assert texts[0].startswith(f"\n# {reasons}\n[[divergence]]\n" if is_wide else "\n[[divergence]]\n")
    assert [note.partition(": ")[2] for note in notes] == ([reasons] if is_wide else [])


def test_the_flag_that_all_share() -> None:
    """One flag that all divergent cases share makes one region, whatever other flags they carry."""
    found = regions(_cases(b=3, c=5), _cases(ab=2, ac=7, a=1))

    assert found == [frozenset("a")]


def test_no_wider_than_need_be() -> None:
    """If a single flag holds many agreeing cases, two flags together make the region."""
    found = regions(_cases(a=50, b=50), _cases(ab=10))

    assert found == [frozenset("ab")]


def test_two_faults() -> None:
    """Two independent flags make two regions, the larger one first."""
    found = regions(_cases(c=9), _cases(a=2, b=5, bc=1))

    assert found == [frozenset("b"), frozenset("a")]


def test_plain_cases_need_everything() -> None:
    """A divergent case without flags needs the region of all cases, and then no other region is needed."""
    found = regions(Counter(), Counter({frozenset(): 3, frozenset("a"): 2}))

    assert found == [frozenset()]


def test_short_regions() -> None:
    """A region of two flags that holds another case, too, is preferred to one of five flags that does not."""
    pairs = Counter({frozenset(pair): 9 for pair in combinations("abcde", 2)})

    found = regions(pairs - _cases(ab=8), _cases(abcde=1))

    assert found == [frozenset("ab")]


def test_nothing_diverges() -> None:
    """Without a divergence, there is no region."""
    assert regions(_cases(a=1), Counter()) == []


@given(agreeing=_COUNTS, divergent=_COUNTS)
def test_all_are_held(agreeing: dict[frozenset[str], int], divergent: dict[frozenset[str], int]) -> None:
    """Every divergent case is in a region, every region has such a case, and no region lies in another."""
    found = regions(Counter(agreeing), Counter(divergent))

    assert all(any(region <= flags for region in found) for flags in divergent)
    assert all(any(region <= flags for flags in divergent) for region in found)
    assert not any(one <= other for one, other in permutations(found, 2))


@given(st.text(st.characters(exclude_categories=())))
def test_texts_in_toml(text: str) -> None:
    """Any text survives in TOML on one line, with halves of surrogate pairs escaped."""
    read = tomllib.loads(f"key = {toml_text(text)}")["key"]

    assert "\n" not in toml_text(text)
    assert read == text.encode(errors="backslashreplace").decode()


@pytest.mark.parametrize("value", ["it's", "\x7f", "\ud800", 'a "quoted" \\ one', "\U0001f600", "\n\t\0"])
def test_json_in_toml(value: str) -> None:
    """A JSON value survives in TOML, halves of surrogate pairs included."""
    read = tomllib.loads(f"key = {toml_json({'k': value})}")["key"]

    assert json.loads(read) == {"k": value}


def test_crashes_have_regions_of_their_own() -> None:
    """Crashes and wrong answers get separate regions, each with a witness of its kind."""
    draft = Draft()
    wrong = Value({"mean": 0.0})
    cases: list[tuple[tuple[Rewards | None, ...], Answer]] = [
        (({"a": 1, "b": 2}, {"a": 1}), wrong),
        (({"a": 1, "b": 2}, {"a": 1}, None), Crash("it gave no answer within 10 s", hung=True)),
        (({"a": 1}, None), wrong),
    ]
    for rewards, runner in cases:
        draft.diverge(AGGREGATE, AggregateCase("mean", rewards), Value({"mean": 0.5}), runner)

    entries, _ = read_entries(draft)

    crashing = [entry for entry in entries if json.loads(entry["runner"]) == {"crash": True}]
    assert [set(entry["flags"]) <= {"missing-key", "null-reward", "several-keys"} for entry in crashing] == [True]
    assert draft.skips(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}, None)))
    assert not draft.skips(AGGREGATE, AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1})))


def test_a_plain_case_that_hangs_spares_plain_cases_alone() -> None:
    """After a hang on a case without flags, other such cases are not asked, but cases with flags are."""
    draft = Draft()
    plain = AggregateCase("mean", ({"reward": 0.5},))
    assert AGGREGATE.flags(plain) == frozenset()

    draft.diverge(AGGREGATE, plain, Value({"mean": 0.5}), Crash("it gave no answer within 10 s", hung=True))

    assert draft.skips(AGGREGATE, plain)
    assert not draft.skips(AGGREGATE, AggregateCase("mean", ()))
