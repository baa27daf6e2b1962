"""TRL's environment: Harbor's rewards, of which one becomes a float; errors are Harbor's own."""

from parity.runners.bridges.trl_harbor_env import TrlReward
from tests.bridges.asking import answers


def test_known_answers() -> None:
    """As the release was seen to answer on Harbor 0.13.1."""
    bridge = TrlReward()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": "RewardFileNotFoundError",
        "empty": "RewardFileEmptyError",
        "true": "{'reward': 1.0}",
        "quoted": "{'reward': 1.5}",
        "nan": "{'reward': nan}",
        "list": "ValidationError",
        "null": "{'reward': 0.0}",
        "no-reward-key": "{'reward': 2.0}",
    }


def test_the_environment_is_asked_for_this_alone() -> None:
    """It empties the verifier's folder, brings the tests and runs them, once for each trial."""
    bridge = TrlReward()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    empty, upload, make_executable, run_tests = bridge.sandbox.calls
    assert (empty, upload, make_executable) == ("empty /logs/verifier", "upload /tests", "chmod +x /tests/test.sh")
    assert "/tests/test.sh" in run_tests
