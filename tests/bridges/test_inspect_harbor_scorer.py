"""The calls of inspect-harbor's scorer to its sandbox, and its metric."""

import pytest

from parity.runners.bridges.inspect_harbor_scorer import HarborScorer
from parity.runners.runner import Unsupported
from tests.bridges.asking import answers


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """The scorer only uploads the tests, runs them, reads the reward and cleans up."""
    bridge = HarborScorer()

    answers(bridge, ["json_and_txt"])

    assert bridge.sandbox
    asked = [
        call for call in bridge.sandbox.calls if not call.startswith(("mkdir -p /logs/", "rm -rf /", "sh -c mkdir"))
    ]
    bring_tests, run_tests, read, forget = asked
    assert (bring_tests, forget) == ("write /tests/test.sh", "unset TEST_DIR")
    assert "/tests/test.sh" in run_tests
    assert read.startswith("read /logs/verifier/reward.")


def test_accuracy_adds_one_by_one() -> None:
    """Accuracy adds one by one, so a mean of equal scores need not be that score."""
    bridge = HarborScorer()

    mean = bridge.aggregate("mean", [{"reward": 0.1}] * 10)

    assert mean == {"mean": 0.09999999999999999}


@pytest.mark.parametrize(("metric", "rewards"), [("max", [{"reward": 1}]), ("mean", [None]), ("mean", [{}])])
def test_what_it_has_not_is_not_claimed(metric: str, rewards: list[dict[str, float] | None]) -> None:
    """Other metrics, and trials without exactly one number, are not claimed."""
    bridge = HarborScorer()

    with pytest.raises(Unsupported):
        bridge.aggregate(metric, rewards)
