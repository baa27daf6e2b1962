"""The scorer by series: 0.6 puts reward.txt first, 1.0 reward.json, of which it takes finite numbers alone."""

from importlib.metadata import version

import pytest

from parity.runners.bridges.inspect_harbor_scorer import HarborScorer
from parity.runners.runner import Unsupported
from tests.bridges.asking import answers

_RELEASE = version("inspect-harbor")
_UNPARSED = "VerifierOutputParseError"
_EARLY = {
    "json-and-txt": "{'reward': 0.5}",
    "nothing": "RewardFileNotFoundError",
    "empty": "RewardFileEmptyError",
    "true": "{'reward': 1.0}",
    "quoted": "{'reward': 1.5}",
    "nan": "{'reward': nan}",
    "list": _UNPARSED,
    "null": _UNPARSED,
    "no-reward-key": "{'reward': 2.0}",
}
_LATE = {**_EARLY, "json-and-txt": "{'reward': 0.25}", "quoted": _UNPARSED, "nan": _UNPARSED}


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborScorer()

    answered = answers(bridge)

    assert answered == (_EARLY if _RELEASE.startswith("0.") else _LATE)


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It brings the tests, runs them, reads the reward and cleans up."""
    bridge = HarborScorer()

    answers(bridge, ["json-and-txt"])

    assert bridge.sandbox
    asked = [
        call for call in bridge.sandbox.calls if not call.startswith(("mkdir -p /logs/", "rm -rf /", "sh -c mkdir"))
    ]
    bring_tests, run_tests, read, forget = asked
    assert (bring_tests, forget) == ("write /tests/test.sh", "unset TEST_DIR")
    assert "/tests/test.sh" in run_tests
    assert read.startswith("read /logs/verifier/reward.")


def test_accuracy_adds_one_by_one() -> None:
    """So that a mean of equal scores need not be that score."""
    bridge = HarborScorer()

    mean = bridge.aggregate("mean", [{"reward": 0.1}] * 10)

    assert mean == {"mean": 0.09999999999999999}


@pytest.mark.parametrize(("metric", "rewards"), [("max", [{"reward": 1}]), ("mean", [None]), ("mean", [{}])])
def test_what_it_has_not_is_not_claimed(metric: str, rewards: list[dict[str, float] | None]) -> None:
    """There is one metric, over one number a trial."""
    bridge = HarborScorer()

    with pytest.raises(Unsupported):
        bridge.aggregate(metric, rewards)
