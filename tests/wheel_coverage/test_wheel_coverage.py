"""The list of unreached places is compared with a coverage report in both directions."""

import tomllib
from importlib.metadata import distribution
from typing import Any

import pytest

from tests.wheel_coverage.__main__ import LISTED, complaints, rows

_SUMMARY = {"num_statements": 4, "covered_lines": 2, "num_branches": 2, "covered_branches": 1}
_SCORE = {"executed_lines": [2, 3], "missing_lines": [4, 6], "missing_branches": [[2, -1], [3, 4]], "summary": _SUMMARY}
_OTHER = {**_SCORE, "missing_lines": [12], "missing_branches": []}
_FILES: dict[str, Any] = {"lib/harbor/metrics/base.py": {"functions": {"Base.score": _SCORE, "other": _OTHER, "": {}}}}


def _listed(*places: str) -> dict[str, Any]:
    entry = {"decides": "a metric", "functions": ["Base.score"], "unreached": [{"places": places, "reason": "a guard"}]}
    return {"harbor.metrics.base": entry}


@pytest.mark.parametrize("places", [("4-6", "2->-1"), ("4", "6", "2->-1")])
def test_every_unreached_place_is_listed(places: tuple[str, ...]) -> None:
    """A list with every unreached place passes; branches to unreached lines and other functions need no entry."""
    found = list(complaints(_FILES, _listed(*places)))

    assert found == []


@pytest.mark.parametrize(
    ("places", "complaint"),
    [
        (("4-6",), "2->-1 is unreached, and not listed"),
        (("6", "2->-1"), "4 is unreached, and not listed"),
        (("4-6", "2->-1", "3"), "3 is listed, and is reached or does not exist"),
        (("4-6", "2->-1", "9"), "9 is listed, and is reached or does not exist"),
        (("4-6", "2->-1", "Base.score"), "Base.score is listed, and is reached or does not exist"),
    ],
)
def test_a_wrong_list_is_refused(places: tuple[str, ...], complaint: str) -> None:
    """A wrong entry gives a complaint with the module and the place."""
    found = list(complaints(_FILES, _listed(*places)))

    assert found == [f"harbor.metrics.base: {complaint}"]


def test_the_table_counts_scoring_functions() -> None:
    """The table counts lines and branches of scoring functions only."""
    assert list(rows(_FILES, _listed())) == ["| `harbor.metrics.base` | a metric | 2 of 4 | 1 of 2 |"]


def test_listed_modules_are_in_the_wheel() -> None:
    """Every listed module exists in the wheel."""
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))

    paths = [distribution("harbor").locate_file(f"{module.replace('.', '/')}.py") for module in listed]

    assert [path for path in paths if not path.is_file()] == []  # type: ignore[attr-defined]
