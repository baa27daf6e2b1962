"""The composable task set: reward.txt first; what is no object is an AttributeError, and other faults are 0.0."""

from parity.runners.bridges.verifiers_composable import HarborRubric
from tests.bridges.asking import answers


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborRubric()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": "{'reward': 0.0}",
        "empty": "{'reward': 0.0}",
        "true": "{'reward': 1.0}",
        "quoted": "{'reward': 1.5}",
        "nan": "{'reward': nan}",
        "list": "AttributeError",
        "null": "AttributeError",
        "no-reward-key": "{'reward': 0.0}",
    }


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It brings the tests, runs them and reads the reward."""
    bridge = HarborRubric()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    bring_archive, unpack, run_tests, read = bridge.sandbox.calls
    assert (bring_archive, run_tests) == ("upload /tmp/harbor_tests.tar.gz", "bash test.sh")
    assert "tar -xzf /tmp/harbor_tests.tar.gz" in unpack
    assert "cat /logs/verifier/reward.txt" in read
