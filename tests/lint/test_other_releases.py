"""`parity lint` reads rewards like other releases of Harbor."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity import drift
from parity.lint.rewards import Outcome, as_0_13, from_0_23, up_to_0_6
from parity.operations import OPERATIONS
from parity.operations.vectors import VECTORS
from parity.operations.wire import decode

_OPERATION = "read_reward"
_MOVED: dict[str, list[Any]] = json.loads(Path(drift.__file__).with_name("releases.json").read_text())["vectors"][
    _OPERATION
]


@pytest.mark.parametrize(
    ("release", "read"),
    [("0.6.6", up_to_0_6), ("0.7.1", as_0_13), ("0.22.0", as_0_13), ("0.23.0", from_0_23), ("0.26.0", from_0_23)],
)
def test_recorded_answers(release: str, read: Callable[[Path], Outcome]) -> None:
    """The functions give the recorded answers of other releases to every vector of `read_reward`."""
    wrong = {}
    for vector in VECTORS[_OPERATION]:
        moved = [each["answer"] for each in _MOVED.get(vector.id, ()) if release in each["releases"]]
        with OPERATIONS[_OPERATION].arguments(vector.case) as (folder,):
            known, found = as_0_13(folder), read(folder)
        recorded = known
        for answer in moved:
            recorded = decode(answer["value"]) if "value" in answer else "an error"
        if _plain(found) != _plain(recorded):
            wrong[vector.id] = (recorded, found)

    assert wrong == {}


def _plain(outcome: Outcome) -> str:
    return "an error" if isinstance(outcome, str) else repr(outcome)
