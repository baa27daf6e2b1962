"""Each bridge of a reader of results behaves as its release was observed to behave."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.bridges.known_results import READERS, RESULTS


@pytest.mark.parametrize(("bridge", "known"), READERS.values(), ids=READERS)
def test_its_answers(bridge: Any, known: Mapping[str, str]) -> None:
    """A bridge gives the known answer to every result."""

    def answer(text: str) -> str:
        try:
            return repr(bridge.trial_score(text))
        except Exception as error:
            return type(error).__name__

    answered = {name: answer(case.text) for name, case in RESULTS.items()}

    assert answered == known
