"""The operation `run_trial`, which runs one trial on scripted sandboxes, and returns its calls, result and files."""

import tomllib
from functools import lru_cache
from typing import Any

from parity.operations.compare import Difference, Ordered, Path
from parity.operations.operation import Operation
from parity.operations.run_trial.rules import GENERAL, RULES
from parity.operations.scenarios.call_differences import restated_calls
from parity.operations.scenarios.document_differences import restated
from parity.operations.scenarios.scenario import TrialScenario
from parity.operations.scenarios.wire import TRIAL_CODEC, describe_script, describe_settings

_MEAN = ("result", "verifier_result", "rewards")


@lru_cache(1)
def _has_mean(toml: str) -> bool:
    try:
        task = tomllib.loads(toml)
    except (ValueError, RecursionError):  # both sides are asked, and no step is run
        return False
    return bool(task.get("steps")) and task.get("multi_step_reward_strategy") != "final"


class RunTrial(Operation[TrialScenario]):
    """The operation `run_trial`, which runs a trial on scripted sandboxes, and returns its calls, result and files."""

    name = "run_trial"
    rules = RULES
    general = GENERAL
    codec = TRIAL_CODEC

    def restated(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Use the missing or superfluous call, or the place in a document, as the path."""
        if difference.path[:1] == ("calls",):
            return restated_calls(difference, expected, actual, depth=1)
        return restated(difference, expected, actual)

    def unordered(self, case: TrialScenario) -> Path | None:
        """Return the path to the rewards if they are a mean over steps, because its keys come from an unordered set."""
        return _MEAN if _has_mean(case.task.toml) else None

    def ordered(self, case: TrialScenario) -> Ordered:
        """Compare the order of keys in everything that is written to a file, but not in calls."""
        unordered = self.unordered(case)
        return lambda path: path[:1] != ("calls",) and path != unordered

    def describe(self, case: TrialScenario) -> str:
        task = f"task.toml {case.task.toml!r}, files {dict(case.task.files)!r}"
        return "; ".join([task, *describe_settings(case.settings), *describe_script(case.script)])


RUN_TRIAL = RunTrial()
