"""Tests that the clean room's messages about reward files have the same reason codes as Harbor's messages."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parity.operations.answers import Fault
from parity.operations.files.text_strategies import text_files
from parity.operations.goldens import read_vectors
from parity.operations.read_reward import READ_REWARD, RewardDirectory, only_json, only_text
from parity.reference import open_reference
from parity.reference.wheel import Wheel
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import (
    REASON_CODES,
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
    reason_code,
)


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    """Return the installed wheel."""
    return open_reference().wheel


_words = st.sampled_from(["missing", "empty", "parse", "malformed", "MISSING", "Empty", "reward", "mis", "sing", "em"])
_fillings = st.builds(lambda piece, times: piece * times, st.sampled_from("x é😀'\"\n"), st.integers(0, 30))
_texts = st.builds("{}{}{}".format, _fillings, _words, _fillings)
_values = st.recursive(
    st.one_of(_texts, _texts, st.none(), st.booleans(), st.integers(0, 9), st.just("1.5")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_texts, inner, max_size=2)),
    max_leaves=4,
)
_documents = st.one_of(st.dictionaries(st.one_of(_texts, st.just("reward")), _values, max_size=3), _values)


def _codes(answer: object) -> tuple[str | None, str | None] | None:
    """Return the codes of a fault's message, alone and after its type, or None if the answer is a value."""
    if not isinstance(answer, Fault):
        return None
    return reason_code(answer.message), reason_code(f"{answer.kind}: {answer.message}")


def _both(wheel: Wheel, directory: RewardDirectory) -> tuple[object, object]:
    with READ_REWARD.arguments(directory) as arguments:
        expected, actual = (_codes(ask(runner, "read_reward", arguments)) for runner in (wheel, CleanRoom()))
    return expected, actual


@settings(derandomize=True, max_examples=200, deadline=None)
@given(document=_documents)
@example(document={"reward": "missing"})
@example(document={"reward": None})
@example(document={"empty": []})
@example(document=["empty"])
@example(document={"reward": "x" * 24 + "missing" + "x" * 20})
@example(document={"reward": "x" * 17 + "missing" + "x" * 30})
@example(document={"reward": "x" * 18 + "missing" + "x" * 30})
def test_messages_about_documents_have_harbors_codes(wheel: Wheel, document: object) -> None:
    """Messages about JSON documents have the same codes as Harbor's, which depend on quoted keys and values."""
    expected, actual = _both(wheel, only_json(json.dumps(document).encode()))

    assert expected == actual


@settings(derandomize=True, max_examples=100, deadline=None)
@given(content=st.one_of(_texts.map(str.encode), text_files))
@example(content=b"missing")
@example(content=b"empty")
@example(content=b"\xff missing")
def test_messages_about_texts_have_harbors_codes(wheel: Wheel, content: bytes) -> None:
    """Messages about reward.txt and about invalid JSON quote nothing, and have the same codes as Harbor's."""
    as_text, as_json = _both(wheel, only_text(content)), _both(wheel, only_json(content))

    assert as_text[0] == as_text[1]
    assert as_json[0] == as_json[1]


def test_messages_for_vectors_have_harbors_codes(wheel: Wheel) -> None:
    """The messages for all golden vectors have the same codes as Harbor's."""
    others = [vector.id for vector in read_vectors("read_reward") if len(set(_both(wheel, vector.case))) > 1]

    assert not others


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RewardFileNotFoundError, "harbor_reward_missing"),
        (RewardFileEmptyError, "harbor_reward_empty"),
        (VerifierOutputParseError, "harbor_reward_parse_error"),
    ],
)
def test_error_from_the_scorer_has_its_code(error: type[Exception], code: str) -> None:
    """An error from the scorer has its code as an attribute, so that the message need not be searched."""
    assert error().reason_code == code  # type: ignore[attr-defined]
    assert code in REASON_CODES
    assert not hasattr(ValidationError(), "reason_code")
