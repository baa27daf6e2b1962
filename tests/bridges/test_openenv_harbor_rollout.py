"""OpenEnv's rollout: Harbor's rewards, which become floats; errors are Harbor's own."""

from parity.runners.bridges.openenv_harbor_rollout import OpenEnvRollout
from tests.bridges.asking import answers

_UNPARSED = "VerifierOutputParseError"


def test_known_answers() -> None:
    """As the release was seen to answer on Harbor 0.26.0."""
    bridge = OpenEnvRollout()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": "RewardFileNotFoundError",
        "empty": "RewardFileEmptyError",
        "true": "{'reward': 1.0}",
        "quoted": _UNPARSED,
        "nan": _UNPARSED,
        "list": _UNPARSED,
        "null": _UNPARSED,
        "no-reward-key": "{'a': 2.0, 'b': 3.0}",
    }


def test_the_environment_is_asked_for_this_alone() -> None:
    """It removes what lies there, brings the tests and runs them."""
    bridge = OpenEnvRollout()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    remove, upload, make_executable, run_tests = bridge.sandbox.calls
    assert remove.startswith("rm -f -- /logs/verifier/reward")
    assert (upload, make_executable) == ("upload /tests", "chmod +x /tests/test.sh")
    assert "/tests/test.sh" in run_tests
