"""strands-env: Harbor's reward, which becomes a float; whatever fails is 0.0."""

from parity.runners.bridges.strands_harbor_reward import StrandsReward
from tests.bridges.asking import answers

_ZERO = "{'reward': 0.0}"


def test_known_answers() -> None:
    """As the release was seen to answer on Harbor 0.26.0."""
    bridge = StrandsReward()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": "{'reward': 1.0}",
        "quoted": _ZERO,
        "nan": _ZERO,
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": _ZERO,
    }


def test_the_environment_is_asked_for_this_alone() -> None:
    """It makes the folder, removes what lies there, brings the tests and runs them."""
    bridge = StrandsReward()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    make, remove, upload, make_executable, run_tests = bridge.sandbox.calls
    assert make == "mkdir -p /logs/verifier"
    assert remove.startswith("rm -f -- /logs/verifier/reward")
    assert (upload, make_executable) == ("upload /tests", "chmod +x /tests/test.sh")
    assert "/tests/test.sh" in run_tests
