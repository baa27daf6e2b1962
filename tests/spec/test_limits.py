"""Tests the table of natural limits, `limits.toml`: vectors lie on both sides of each."""

from pathlib import Path

import pytest
import tomli

from parity.operations.goldens import read_vectors

_OPERATIONS = "read_reward", "aggregate", "pass_at_k", "trial_reward", "trial_score"
"""The operations that runners of others answer."""

_TABLE = Path(__file__).with_name("limits.toml")
_LIMITS = tomli.loads(_TABLE.read_text(encoding="utf-8"))["limit"]


@pytest.mark.parametrize("limit", _LIMITS, ids=lambda limit: limit["what"])
def test_vectors_lie_on_both_sides_of_a_limit(limit: dict[str, str | list[str]]) -> None:
    """Golden vectors lie within the limit and beyond it."""
    vectors = {vector.id for name in _OPERATIONS for vector in read_vectors(name)}

    assert limit["within"]
    assert limit["beyond"]
    assert {*limit["within"], *limit["beyond"]} <= vectors


def test_each_limit_is_listed_once() -> None:
    """No two rows of the table are about the same thing, and no vector lies on both sides."""
    assert len({limit["what"] for limit in _LIMITS}) == len(_LIMITS)
    assert not [limit["what"] for limit in _LIMITS if {*limit["within"]} & {*limit["beyond"]}]
