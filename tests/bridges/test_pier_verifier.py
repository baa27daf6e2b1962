"""Pier, which keeps the order of early Harbor: reward.txt first."""

from parity.runners.bridges.pier_verifier import PierVerifier
from parity.scorer.pass_at_k import Trial
from tests.bridges.asking import answers

_TRIALS = [Trial("agent", "model", None, "task", {"reward": reward}) for reward in (1, 0)]


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = PierVerifier()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": "RewardFileNotFoundError",
        "empty": "RewardFileEmptyError",
        "true": "{'reward': 1.0}",
        "quoted": "{'reward': 1.5}",
        "nan": "{'reward': nan}",
        "list": "ValidationError",
        "null": "None",
        "no-reward-key": "{'a': 2, 'b': 3}",
    }


def test_the_environment_is_asked_for_this_alone() -> None:
    """It brings the tests and runs them; the reward is read from the mounted folder."""
    bridge = PierVerifier()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    upload, make_executable, run_tests = bridge.sandbox.calls
    assert (upload, make_executable) == ("upload /tests", "chmod +x /tests/test.sh")
    assert "/tests/test.sh" in run_tests


def test_metrics_and_pass_at_k() -> None:
    """They are its own."""
    bridge = PierVerifier()

    mean, pass_at_k = bridge.aggregate("mean", [{"a": 1, "b": 2}, None]), bridge.pass_at_k(_TRIALS)

    assert (mean, pass_at_k) == ({"a": 0.5, "b": 1.0}, {"agent__model__adhoc": {2: 1.0}})
