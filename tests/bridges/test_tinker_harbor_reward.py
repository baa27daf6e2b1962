"""tinker-cookbook: reward.txt first, and every fault is 0.0."""

import pytest

from parity.runners.bridges.sandbox import UnexpectedCall
from parity.runners.bridges.tinker_harbor_reward import TinkerReward
from tests.bridges.asking import answers

_ZERO = "{'reward': 0.0}"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = TinkerReward()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": "{'reward': 1.0}",
        "quoted": "{'reward': 1.5}",
        "nan": "{'reward': nan}",
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": _ZERO,
    }


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It brings the tests, runs them and reads both files."""
    bridge = TinkerReward()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    assert bridge.sandbox.calls == [
        "mkdir -p /tests",
        "write /tests/test.sh",
        "mkdir -p /logs/verifier",
        "bash /tests/test.sh",
        "read /logs/verifier/reward.txt",
        "read /logs/verifier/reward.json",
    ]


def test_another_call_is_not_made_a_score() -> None:
    """It is no exception that the function could turn into 0.0."""
    bridge = TinkerReward()
    answers(bridge, ["nothing"])

    with pytest.raises(UnexpectedCall):
        bridge.sandbox.send_heartbeat  # type: ignore[union-attr]  # noqa: B018
