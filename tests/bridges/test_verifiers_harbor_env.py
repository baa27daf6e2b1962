"""HarborEnv of each release: reward.txt first, and most faults are 0.0."""

from importlib.metadata import version

from parity.runners.bridges.verifiers_harbor_env import HarborEnv
from tests.bridges.asking import answers

_SCORES_EVERY_FAULT = version("verifiers").startswith("0.1.9")


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborEnv()

    answered = answers(bridge)

    no_object = "{'reward': 0.0}" if _SCORES_EVERY_FAULT else "AttributeError"
    assert answered == {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": "{'reward': 0.0}",
        "empty": "{'reward': 0.0}",
        "true": "{'reward': 1.0}",
        "quoted": "{'reward': 1.5}",
        "nan": "{'reward': nan}",
        "list": no_object,
        "null": no_object,
        "no-reward-key": "{'reward': 0.0}",
    }


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It brings the tests, runs them and reads the reward."""
    bridge = HarborEnv()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    bring_archive, unpack, run_tests, read = bridge.sandbox.calls
    assert (bring_archive, run_tests) == ("upload /tmp/harbor_tests.tar.gz", "bash test.sh")
    assert "tar -xzf /tmp/harbor_tests.tar.gz" in unpack
    assert "cat /logs/verifier/reward.txt" in read
