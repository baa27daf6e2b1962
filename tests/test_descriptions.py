"""Tests that cases with different answers look different in reports."""

from collections import defaultdict

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
from parity.operations.trial_score.case import TrialText, rewarded
from parity.operations.trial_score.description import described
from parity.operations.wire import canonical


@pytest.mark.parametrize("name", OPERATIONS)
def test_vectors_with_different_answers_look_different(name: str) -> None:
    """Two golden vectors with different answers have different descriptions."""
    answers = defaultdict(set)

    for vector in read_vectors(name):
        described = OPERATIONS[name].describe(vector.case)
        answers[described].add(canonical({str(series): answer for series, answer in vector.answers.items()}))

    assert [described for described, different in answers.items() if len(different) > 1] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", "result.json: '[]' (2 characters)"),
        ("", "result.json: '' (0 characters)"),
        ('{"a": 1', "result.json: '{\"a\": 1' (7 characters)"),
        ('{"a" 1}', "result.json: '{\"a\" 1}' (7 characters)"),
        ('{"a": 1} x', "result.json: '{\"a\": 1} x' (10 characters)"),
        ("[" * 100_000, f"result.json: {'[' * 80!r}… (100,000 characters)"),
        ('{"a": ' + "1" * 5000 + "}", 'result.json: \'{"a": ' + "1" * 74 + "'… (5,007 characters)"),
    ],
    ids=["array", "empty", "open", "no-colon", "more", "deep", "long"],
)
def test_text_without_members_is_shown_around_its_mistake(text: str, expected: str) -> None:
    """A text that is not an object is shown around its first mistake."""
    assert described(text) == expected


def test_members_as_in_a_plain_result_are_left_out() -> None:
    """Of an object, the members are shown that differ from those of a plain result, as they are written."""
    case = TrialText(rewarded(1, source="set").text.replace('"reward": 1', '"reward": 0, "reward":1'))

    description = described(case.text)

    assert description == (
        'result.json: {…, "source": "set", …, "verifier_result": {"rewards": {"reward": 0, "reward":1}}, …}'
    )


def test_missing_members_are_named() -> None:
    """The members that a plain result has and the text lacks are named."""
    case = rewarded(1, task_id=..., trial_uri=...)

    assert described(case.text).endswith("} without task_id, trial_uri")
