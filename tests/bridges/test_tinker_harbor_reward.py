"""tinker-cookbook's function turns every exception into 0.0, but not an unexpected call."""

import pytest

from parity.runners.bridges.sandbox import UnexpectedCall
from parity.runners.bridges.tinker_harbor_reward import TinkerReward
from tests.bridges.asking import answers


def test_another_call_is_not_made_a_score() -> None:
    """An unexpected call to the sandbox raises an error that the function cannot turn into 0.0."""
    bridge = TinkerReward()
    answers(bridge, ["nothing"])

    with pytest.raises(UnexpectedCall):
        bridge.sandbox.send_heartbeat  # type: ignore[union-attr]  # noqa: B018
