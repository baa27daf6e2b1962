"""Which release of Harbor a runner is nearest to."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from parity.drift.table import read_table
from parity.judging.records import Report
from parity.report.comparison import alone
from parity.report.likeness import nearest, reference_digits
from parity.report.matrix import text_matrix
from parity.report.picture import picture
from tests.report.samples import REFERENCE, SETTINGS, report


def _answering(release: str, *operations: str, wrong: int = 0) -> Report:
    """A runner that diverges, and answers as a release does, but for some vectors."""
    table, answers = read_table(), dict[str, dict[str, str]]()
    for operation in operations:
        known = reference_digits(operation)
        all_digits = {vector: table.digits(release, operation, vector, own) for vector, own in known.items()}
        answers[operation] = {vector: found for vector, found in all_digits.items() if found}
    for vector in list(answers[operations[0]])[:wrong]:
        answers[operations[0]][vector] = "0" * 16
    return replace(report("runner", "diverges"), answers=answers)


@pytest.mark.parametrize(
    ("answering", "label", "note"),
    [
        (
            partial(_answering, "0.24.0", "read_reward", "pass_at_k"),
            "matches 0.23.0–0.25.0",
            "runner matches harbor 0.23.0 to 0.25.0: 972 of 972 answers are alike.",
        ),
        (
            partial(_answering, "0.24.0", "read_reward"),
            "matches 0.23.0–0.26.0",
            "runner matches harbor 0.23.0 to 0.26.0: 863 of 863 answers are alike.",
        ),
        (
            partial(_answering, "0.6.6", "read_reward", wrong=3),
            "nearest 0.6.6",
            "runner is nearest to harbor 0.6.6: 860 of 863 answers are alike.",
        ),
        (
            partial(_answering, "0.13.1", "read_reward", "aggregate", wrong=1),
            "nearest 0.7.0–0.22.0",
            "runner is nearest to harbor 0.7.0 to 0.22.0: 1,368 of 1,369 answers are alike.",
        ),
    ],
)
def test_the_nearest_releases_of_harbor(answering: Callable[[], Report], label: str, note: str) -> None:
    """Of all releases in the table, those that answer most vectors as the runner does."""
    shown = alone(answering())

    assert [column.label for column in shown.columns] == [label]
    assert shown.notes == (note,)
    assert label in picture(shown)
    assert f"note: {note}" in text_matrix(shown)


def test_a_release_without_an_answer_is_not_near() -> None:
    """Harbor 0.1.45 has no pass@k, so what answers that is nearer to others."""
    likeness = nearest(_answering("0.13.1", "pass_at_k"))

    assert likeness is not None
    assert "0.1.45" not in likeness.releases


_FINAL = report("runner", "diverges").final


@pytest.mark.parametrize(
    "changes",
    [
        {"settings": replace(SETTINGS, complete=False)},
        {"final": replace(_FINAL, ended="interrupted")},
        {"final": replace(_FINAL, verdict="agrees")},
        {"reference": replace(REFERENCE, series="3.14")},
        {"answers": {"outcome": {"anything": "1" * 16}}},
        {"answers": {}},
    ],
    ids=["a part of the suite", "interrupted", "agrees", "another series", "no release's word", "no answers"],
)
def test_no_release_is_named(changes: dict[str, Any]) -> None:
    """Where the reference itself is answered alike, or where not all is known of the runner or of the releases."""
    (column,) = alone(replace(_answering("0.24.0", "read_reward"), **changes)).columns

    assert (column.likeness, column.label) == (None, "")
