"""Tests that a divergence passes if its rule, kind and harm are declared and, for a golden vector, its id is listed."""

from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.wire import Json
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.declared import Declarations, StaleDeclaration
from parity.suite.declared.declaration import matches_answer
from parity.suite.declared.vectors import changed_lists
from parity.suite.divergence import DivergenceFound, Key
from parity.suite.vector_answers import AnsweredVector, judge_vectors
from tests.declared.divergences import CASE, ERROR, HANG, HIGHER, LOWER, RIGHT, RULE, Answers, declaring, diverging

_ANSWERS: dict[str, Answer] = {"higher": HIGHER, "lower": LOWER, "an error": ERROR, "a hang": HANG}
_IDS = [f"{RULE}/{name}" for name in ("one", "three", "two")]
_KEY = diverging(HIGHER).classified


def _checker(runner: Answer, *declared: Answer) -> Checker:
    entries = tuple(declaring(diverging(answer), frozenset(_IDS[:1])) for answer in declared)
    asked: Any = Answers(runner)
    return Checker(Answers(RIGHT), asked, Clock(10.0), declarations=Declarations(entries))


@pytest.mark.parametrize("declared", _ANSWERS)
@pytest.mark.parametrize("actual", [name for name in _ANSWERS if name != "a hang"])
def test_only_the_declared_difference_passes(declared: str, actual: str) -> None:
    """A generated case that diverges passes only if its rule, kind and harm are declared, or a hang is declared."""
    checker = _checker(_ANSWERS[actual], _ANSWERS[declared])
    expected = declared in {actual, "a hang"}  # if a hang is declared, the runner is not called

    try:
        checker.check(AGGREGATE, [CASE])
        passes = True
    except DivergenceFound:
        passes = False

    assert passes == expected


def test_case_with_a_declared_hang_is_skipped() -> None:
    """If a hang on a generated case is declared, the runner is not called, and the case is counted as skipped."""
    checker = _checker(HIGHER, HANG)

    checker.check(AGGREGATE, [CASE])

    assert checker.runner.asked == 0  # type: ignore[attr-defined]
    assert checker.tally.operations["aggregate"].skipped == 1


def _judged(checker: Checker, name: str) -> list[SuiteFinding]:
    vectors = [Vector(each, "aggregate", RULE, AGGREGATE.encode(CASE), {}) for each in _IDS]
    asked = [AnsweredVector(each, RIGHT, HIGHER) for each in vectors if each.id == name]
    return judge_vectors(AGGREGATE, checker, vectors, asked)


def test_diverging_vector_passes_if_it_is_listed() -> None:
    """A golden vector that diverges passes if the entry lists it."""
    assert _judged(_checker(HIGHER, HIGHER), _IDS[0]) == []


def test_diverging_vector_fails_if_it_is_not_listed() -> None:
    """A golden vector that diverges as declared but is not listed is a divergence, and the list has to change."""
    divergence, change = _judged(_checker(HIGHER, HIGHER), _IDS[1])

    assert isinstance(divergence, DivergenceFound)
    assert isinstance(change, StaleDeclaration)


def _changed(listed: list[str], keys: dict[str, Key | None], *, names: list[str] = _IDS) -> list[StaleDeclaration]:
    vectors = [Vector(each, "aggregate", RULE, None, {}) for each in names]
    return list(changed_lists([declaring(diverging(HIGHER), frozenset(listed))], vectors, keys))


@pytest.mark.parametrize(
    ("listed", "keys", "line"),
    [
        (_IDS[:1], dict.fromkeys(_IDS[:2], _KEY), f'vectors = ["{_IDS[0]}", "{_IDS[1]}"]'),
        (_IDS[:2], {_IDS[0]: _KEY, _IDS[1]: None}, f'vectors = ["{_IDS[0]}"]'),
        (_IDS[:1], {_IDS[0]: diverging(LOWER).classified}, "vectors = []"),
        ([*_IDS[:1], f"{RULE}/gone"], {_IDS[0]: _KEY}, f'vectors = ["{_IDS[0]}"]'),
    ],
    ids=["one more", "one fewer", "another harm", "no vector any more"],
)
def test_outdated_list_of_vectors_fails(listed: list[str], keys: dict[str, Key | None], line: str) -> None:
    """If an entry does not list exactly the vectors that diverge, the finding has the corrected line."""
    (finding,) = _changed(listed, keys)

    assert finding.text.splitlines() == [
        f"MOVED DECLARATION {RULE} other-value pays-out: it does not list the golden vectors that diverge now",
        "  if this is intended, change .:1 to:",
        f"  {line}",
    ]


def test_changes_to_a_long_list_of_vectors_are_shown_alone() -> None:
    """If the corrected list does not fit into a line, only the changes are shown."""
    names = [f"{RULE}/{number}" for number in range(10)]

    (finding,) = _changed(names[:9], dict.fromkeys(names[1:], _KEY) | {names[0]: None}, names=names)

    assert finding.text.splitlines()[1:] == [
        "  if this is intended, remove (-) and add (+) in the list at .:1:",
        f"  - {names[0]}",
        f"  + {names[9]}",
    ]


@pytest.mark.parametrize(("listed", "keys"), [(_IDS[:1], {_IDS[0]: _KEY}), (_IDS, {}), ([], {_IDS[0]: None})])
def test_vectors_that_were_not_run_stay_listed(listed: list[str], keys: dict[str, Key | None]) -> None:
    """A listed vector that was not run is not reported as missing."""
    assert _changed(listed, keys) == []


@pytest.mark.parametrize("shown", [{"value": {"sum": {"int": "1"}}}, {"crash": True}])
def test_unclaimed_case_matches_no_declared_answer(shown: Json) -> None:
    """A case that is not claimed matches no declared answer."""
    assert not matches_answer(AGGREGATE, CASE, shown, NotClaimed("not installed"))


def test_vectors_with_a_declared_hang_are_known() -> None:
    """The vectors that an entry about hangs lists are known, so that the runner is not asked them again."""
    declarations = _checker(HIGHER, HIGHER, HANG).declarations

    assert declarations.crashing_vectors == {_IDS[0]}
