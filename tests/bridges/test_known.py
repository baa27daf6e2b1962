"""Each bridge behaves as its release was observed to behave."""

import re

import pytest

from tests.bridges.asking import answers
from tests.bridges.known import HERE, Known

_RECORDING = {name: known for name, known in HERE.items() if known.calls}


@pytest.mark.parametrize("known", HERE.values(), ids=HERE)
def test_its_answers(known: Known) -> None:
    """A bridge gives the known answer to every case."""
    bridge = known.make()

    answered = answers(bridge)

    assert answered == known.answers


@pytest.mark.parametrize("known", _RECORDING.values(), ids=_RECORDING)
def test_its_sandbox_is_asked_for_this_alone(known: Known) -> None:
    """A bridge makes only the known calls to its sandbox."""
    bridge = known.make()

    answers(bridge, [known.asked_on])

    assert bridge.sandbox
    calls = bridge.sandbox.calls
    assert len(calls) == len(known.calls), calls
    assert [call for call, pattern in zip(calls, known.calls, strict=True) if not re.search(pattern, call)] == []
