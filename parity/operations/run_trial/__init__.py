"""`run_trial`: from one trial on a recording sandbox to its calls, its result and its files."""

import tomllib
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import Any

from parity.operations.compare import Difference, Ordered, Path, compare
from parity.operations.operation import Operation
from parity.operations.run_trial.rules import RULES
from parity.operations.scenarios.document_differences import refined as of_documents
from parity.operations.scenarios.scenario import TrialScenario
from parity.operations.scenarios.wire import TRIAL_CODEC, describe_script, describe_settings

_MEAN = ("result", "verifier_result", "rewards")


@lru_cache(1)
def _has_mean(toml: str) -> bool:
    task = tomllib.loads(toml)
    return bool(task.get("steps")) and task.get("multi_step_reward_strategy") != "final"


def refined(difference: Difference, expected: Any, actual: Any) -> Difference:
    """Restate a difference by the call that is missing or unexpected, or by the fault of a document."""
    match difference:
        case Difference(("calls",), "length") | Difference(("calls", int()), "keys"):
            return first_of_calls(expected["calls"], actual["calls"]) or difference
    return of_documents(difference, expected, actual)


def first_of_calls(expected: list[Any], actual: list[Any]) -> Difference | None:
    """Return the first difference between two lists of calls, with `calls` as the first step of its path, or None."""
    for number, (left, right) in enumerate(zip_longest(expected, actual)):
        if not isinstance(left, dict) or not isinstance(right, dict) or list(left) != list(right):
            purpose = _parting(_purposes(expected[number:]), _purposes(actual[number:]))
            return Difference(("calls", number, purpose), "order" if left and right else "length", left, right)
        difference = compare(left, right, ordered=lambda path: False, path=("calls", number))
        if difference:
            return difference
    return None


def _purposes(calls: list[Any]) -> list[str]:
    return [str(purpose) for call in calls for purpose in call]


def _parting(expected: list[str], actual: list[str]) -> str:
    """Return the purpose of the wrong call: of the expected call if it is missing, else of the superfluous one."""
    if not expected or not actual:
        return [*expected, *actual, ""][0]
    is_late, is_early = expected[0] in actual, actual[0] in expected
    if is_late == is_early:
        is_late = _alike(expected, actual[1:]) > _alike(expected[1:], actual)
    return actual[0] if is_late else expected[0]


def _alike(left: list[str], right: list[str]) -> int:
    pairs = zip_longest(left, right)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class RunTrial(Operation[TrialScenario]):
    """The operation `run_trial`: from one trial on a recording sandbox to its calls, its result and its files."""

    name = "run_trial"
    rules = RULES
    codec = TRIAL_CODEC
    refine = staticmethod(refined)

    def shuffled(self, case: TrialScenario) -> Path | None:
        """Return the path of the rewards if they are a mean over steps: its keys come from a set."""
        return _MEAN if _has_mean(case.task.toml) else None

    def ordered(self, case: TrialScenario) -> Ordered:
        """Let the order of keys count in everything that reaches a file. The variables of a call do not."""
        shuffled = self.shuffled(case)
        return lambda path: path[:1] != ("calls",) and path != shuffled

    def describe(self, case: TrialScenario) -> str:
        task = f"task.toml {case.task.toml!r}, files {dict(case.task.files)!r}"
        return "; ".join([task, *describe_settings(case.settings), *describe_script(case.script)])


RUN_TRIAL = RunTrial()
