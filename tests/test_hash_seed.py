"""Where the wheel's own answer depends on the hash seed, and that nothing else is compared loosely for it."""

import json
import os
import subprocess
import sys

from parity.operations import TRIAL_REWARD
from parity.scorer import MultiStepTrial, Step

_PROGRAM = """
import json
from parity.reference import open_reference
from parity.scorer import MultiStepTrial, Step
steps = (Step({"a": 1.0, "b": 0.5, "c": 0.25}), Step({"b": 1, "d": 2.0}))
answer = open_reference().wheel.trial_reward(MultiStepTrial(steps))
print(json.dumps([list(answer["rewards"]), [list(step["rewards"]) for step in answer["steps"]]]))
"""


def test_the_mean_has_its_keys_in_the_order_of_a_set() -> None:
    """The same keys under every seed, in more than one order; the steps' own keys never move."""
    means, steps = set(), set()
    for number in range(4):
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        printed = subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True, env=environment
        ).stdout
        mean, recorded = json.loads(printed)
        means.add(tuple(mean))
        steps.add(str(recorded))

    assert {tuple(sorted(mean)) for mean in means} == {("a", "b", "c", "d")}
    assert len(means) > 1
    assert len(steps) == 1


def test_only_the_keys_of_a_mean_are_free() -> None:
    """Everywhere else in a trial's record the order of reward keys counts."""
    mean, final = (TRIAL_REWARD.ordered(MultiStepTrial((Step(),), strategy)) for strategy in ("mean", "final"))

    assert not mean(("rewards",))
    assert final(("rewards",))
    assert mean(("steps", 0, "rewards"))
