"""Tests that a run prints how each row has to change, so that it declares exactly what diverges."""

import pytest

from parity.suite.declared import Answered, Declaration, Effect, changes
from parity.suite.declared.changes import Change
from tests.declared.divergences import RULE, declaring

_ENTRY = {"pays-out": ["thirds/mean", "thirds/max"], "form": ["thirds/sum"]}


def _changes(*entries: Declaration, now: dict[str, Effect | None], answered: Answered | None = None) -> list[Change]:
    answered = answered or Answered()
    answered.vectors.update({f"{RULE}/{name}": effect for name, effect in now.items()})
    return [*changes(entries, [RULE], answered)]


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (
            {"thirds/mean": None},
            [
                "declared as pays-out, but no longer diverges: thirds/mean",
                "if this is intended, change .:1:1 to:",
                f'"{RULE}" = {{ pays-out = ["thirds/max"], form = ["thirds/sum"] }}',
            ],
        ),
        (
            {"thirds/mean": "withholds"},
            [
                "declared as pays-out, but diverges as withholds: thirds/mean",
                "if this is intended, change .:1:1 to:",
                f'"{RULE}" = {{ pays-out = ["thirds/max"], withholds = ["thirds/mean"], form = ["thirds/sum"] }}',
            ],
        ),
        (
            {"thirds/min": "form"},
            [
                "not declared, but diverges as form: thirds/min",
                "if this is intended, change .:1:1 to:",
                f'"{RULE}" = {{ pays-out = ["thirds/mean", "thirds/max"], form = ["thirds/min", "thirds/sum"] }}',
            ],
        ),
        (
            {"thirds/min": "withholds"},
            [
                "not declared, but diverges as withholds: thirds/min",
                "if this is intended, declare it under its reason:",
                f'"{RULE}" = {{ withholds = ["thirds/min"] }}',
            ],
        ),
        (
            dict.fromkeys(["thirds/mean", "thirds/max", "thirds/sum"]),
            [
                "declared as pays-out, but no longer diverges: thirds/mean, thirds/max",
                "declared as form, but no longer diverges: thirds/sum",
                "if this is intended, remove the entry at .:1:1",
            ],
        ),
    ],
    ids=["gone", "another harm", "new", "new harm", "all gone"],
)
def test_finding_has_the_row_as_it_has_to_be(now: dict[str, Effect | None], lines: list[str]) -> None:
    """A vector that is gone, new or under another harm is a finding with the row that is right."""
    (change,) = _changes(declaring(_ENTRY), now=now)  # type: ignore[arg-type]

    assert change.finding().text.splitlines() == [f"NOT AS DECLARED: {RULE}", *(f"  {line}" for line in lines)]


@pytest.mark.parametrize("now", [{}, {"thirds/mean": "pays-out"}, {"thirds/min": None}])
def test_row_stays_if_nothing_else_diverges(now: dict[str, Effect | None]) -> None:
    """Vectors that were not asked, that diverge as declared, or that agree and are not declared change no row."""
    assert _changes(declaring(_ENTRY), now=now) == []  # type: ignore[arg-type]


def test_new_vector_has_no_entry_if_two_declare_its_harm() -> None:
    """If two reasons have the rule and harm of a new vector, nobody knows which one is right."""
    one, two = declaring({"form": ["thirds/sum"]}), declaring({"form": ["thirds/max"]}, reason="it rounds")

    (change,) = _changes(one, two, now={"thirds/min": "form"})

    assert (change.entry, change.row.vectors) == (None, {"form": ("thirds/min",)})


def test_row_is_removed_from_an_entry_with_others() -> None:
    """If a row is empty and its entry has other rows, the row alone is to be removed."""
    row = declaring({"form": ["none/sum"]}, rule="aggregate/no-trials").rules
    entry = Declaration.model_construct(
        class_="to-fix", reason="x", rules={**declaring({"form": ["thirds/sum"]}).rules, **row}
    )

    (change,) = _changes(entry, now={"thirds/sum": None})

    assert change.finding().text.splitlines()[-1] == "  if this is intended, remove the row at .:1:1"


@pytest.mark.parametrize(
    ("now", "line", "cases"),
    [
        (None, "declared as form, but no longer diverges: its case", {}),
        ((RULE, "pays-out"), f"declared as form, but diverges as {RULE} pays-out: its case", {"pays-out": "{}"}),
        (("aggregate/keys", "form"), "declared as form, but diverges as aggregate/keys form: its case", {}),
    ],
)
def test_case_that_diverges_otherwise_is_moved_or_removed(
    now: tuple[str, Effect] | None, line: str, cases: dict[Effect, str]
) -> None:
    """A declared case that agrees, or breaks another rule, is removed; with another harm, it is moved there."""
    entry = declaring({"withholds": ["thirds/sum"]}, {"form": '"{}"'})

    (change,) = _changes(entry, now={}, answered=Answered(cases=[(entry, RULE, "form", now)]))

    assert change.gone == [line]
    assert change.row.cases == cases


def test_many_names_are_counted() -> None:
    """At most four names stand in a line; the others are counted."""
    names = [f"{which}/{metric}" for which in ("thirds", "halves") for metric in ("mean", "max", "min")]

    (change,) = _changes(declaring({"form": names}), now=dict.fromkeys(names))

    assert change.gone == [
        "declared as form, but no longer diverges: thirds/mean, thirds/max, thirds/min, halves/mean and 2 more"
    ]
