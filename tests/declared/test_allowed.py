"""A declared divergence passes: one of the same rule, kind and harm, in a listed golden vector or any other case."""

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
    """A generated case passes exactly if it diverges by the declared rule, kind and harm."""
    checker = _checker(_ANSWERS[actual], _ANSWERS[declared])
    expected = declared in {actual, "a hang"}  # where a hang is declared, nothing is asked

    try:
        checker.check(AGGREGATE, [CASE])
        passes = True
    except DivergenceFound:
        passes = False

    assert passes == expected


def test_declared_hang_is_not_asked() -> None:
    """A generated case on which a hang would be declared is not asked, and is counted."""
    checker = _checker(HIGHER, HANG)

    checker.check(AGGREGATE, [CASE])

    assert checker.runner.asked == 0  # type: ignore[attr-defined]
    assert checker.tally.operations["aggregate"].skipped == 1


def _judged(checker: Checker, name: str) -> list[SuiteFinding]:
    vectors = [Vector(each, "aggregate", RULE, AGGREGATE.encode(CASE), {}) for each in _IDS]
    asked = [AnsweredVector(each, RIGHT, HIGHER) for each in vectors if each.id == name]
    return judge_vectors(AGGREGATE, checker, vectors, asked)


def test_listed_vector_passes() -> None:
    """A golden vector that diverges passes if the entry lists it."""
    assert _judged(_checker(HIGHER, HIGHER), _IDS[0]) == []


def test_other_vector_fails() -> None:
    """A vector that diverges as declared, but is not listed, is a divergence, and the list has to change."""
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
def test_changed_list_fails(listed: list[str], keys: dict[str, Key | None], line: str) -> None:
    """If an entry does not list the vectors that diverge, the finding has the new line."""
    (finding,) = _changed(listed, keys)

    assert finding.text.splitlines() == [
        f"MOVED DECLARATION {RULE} other-value pays-out: it does not list the golden vectors that diverge now",
        "  if this is intended, change .:1 to:",
        f"  {line}",
    ]


def test_long_list_is_shown_as_changes() -> None:
    """If the new list does not fit into a line, only the changes are shown."""
    names = [f"{RULE}/{number}" for number in range(10)]

    (finding,) = _changed(names[:9], dict.fromkeys(names[1:], _KEY) | {names[0]: None}, names=names)

    assert finding.text.splitlines()[1:] == [
        "  if this is intended, remove (-) and add (+) in the list at .:1:",
        f"  - {names[0]}",
        f"  + {names[9]}",
    ]


@pytest.mark.parametrize(("listed", "keys"), [(_IDS[:1], {_IDS[0]: _KEY}), (_IDS, {}), ([], {_IDS[0]: None})])
def test_vectors_that_were_not_asked_stay_listed(listed: list[str], keys: dict[str, Key | None]) -> None:
    """A vector that was not asked is not missed."""
    assert _changed(listed, keys) == []


@pytest.mark.parametrize("shown", [{"value": {"sum": {"int": "1"}}}, {"crash": True}])
def test_no_answer_stands_for_none(shown: Json) -> None:
    """A case that is not claimed matches no declared answer."""
    assert not matches_answer(AGGREGATE, CASE, shown, NotClaimed("not installed"))


def test_crash_of_a_listed_vector_is_known() -> None:
    """The vectors of an entry about hangs are known, so that they are not asked again."""
    declarations = _checker(HIGHER, HIGHER, HANG).declarations

    assert declarations.crashing_vectors == {_IDS[0]}
