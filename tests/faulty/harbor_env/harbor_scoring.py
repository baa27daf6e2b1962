"""Faults of environments under Harbor's scoring."""

import json
from statistics import fmean

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.document_texts import masked_message
from parity.operations.scenarios.records import Record
from parity.scorer import aggregate
from tests.faulty.harbor_env.fault import HarborScoringFault, left


class TakesAnyTask(HarborScoringFault):
    """Takes tasks that Harbor refuses."""

    breaks = "harbor-env/refused"
    seen_by = "test_harbor_scoring"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        return {"rollouts": [], "average": 0.0} if "refused" in record else record

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        """Rollouts are as they are."""


class RunsTestsWithBash(HarborScoringFault):
    """Runs the test script as the documentation's environment does."""

    breaks = "harbor-env/test-command"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["tests"]:
            rollout["tests"]["command"] = "bash test.sh"


class RunsTestsWhereTheyAre(HarborScoringFault):
    """Runs the tests in /tests."""

    breaks = "harbor-env/test-folder"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["tests"]:
            rollout["tests"]["cwd"] = "/tests"


class ForgetsTheVariablesOfTests(HarborScoringFault):
    """Gives the tests no variables."""

    breaks = "harbor-env/test-variables"
    seen_by = "test_harbor_scoring"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["tests"]:
            rollout["tests"]["env"] = {}


class WaitsForEver(HarborScoringFault):
    """Waits for the tests however long they take."""

    breaks = "harbor-env/test-timeout"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] == "VerifierTimeoutError":
            rollout.update(reward=1.0, rewards={"reward": 1.0}, error=None)


class TakesTheFirstKey(HarborScoringFault):
    """Takes the first of several keys where none is `reward`."""

    breaks = "harbor-env/ambiguous"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] == "AmbiguousRewardError":
            rollout.update(reward=float(next(iter(rollout["rewards"].values()))), error=None)


class HugeIsInfinite(HarborScoringFault):
    """Takes an int beyond the range of a double for infinity."""

    breaks = "harbor-env/huge-int"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] == "OverflowError":
            rollout.update(reward=float("inf"), error=None)


class FailedCallsAreAlike(HarborScoringFault):
    """Calls every failed call a failure of the sandbox."""

    breaks = "harbor-env/call-fails"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] in ("AddTestsDirError", "DownloadVerifierDirError", "OSError"):
            rollout["error"] = "SandboxError"


class MessagesQuoteTheFile(HarborScoringFault):
    """Says what was found in a reward file that cannot be parsed."""

    breaks = "harbor-env/message-code"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] == "VerifierOutputParseError":
            problem = f"the reward is {left(task, 'reward.json') or left(task, 'reward.txt')}"
            rollout["message"] = masked_message(rollout["error"], f"{problem}, which cannot be parsed")


class MessagesQuoteNothing(HarborScoringFault):
    """Says of a reward.json that is no object of numbers no more than that."""

    breaks = "harbor-env/message-code"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] == "ValidationError":
            rollout["message"] = masked_message("ValidationError", "rewards are no numbers")


class FaultsAreZeros(HarborScoringFault):
    """Makes every fault a zero without an error, as the documentation has it."""

    breaks = "harbor-env/error"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["rewards"] is None and task.injected_fault is None:
            rollout["error"] = None


class TextCountsFirst(HarborScoringFault):
    """Reads reward.txt first, as the documentation has it."""

    breaks = "harbor-env/rewards"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        try:
            number = float(left(task, "reward.txt"))
        except ValueError:
            return
        if task.injected_fault is None:
            rollout.update(reward=number, rewards={"reward": number}, error=None)


class KnowsOneKey(HarborScoringFault):
    """Counts nothing but `reward`."""

    breaks = "harbor-env/one-key"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["rewards"] and "reward" not in rollout["rewards"]:
            rollout["reward"] = 0.0


class AveragesKeys(HarborScoringFault):
    """Takes the mean over all keys."""

    breaks = "harbor-env/several-keys"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if len(rollout["rewards"] or {}) > 1 and rollout["error"] is None:
            rollout["reward"] = fmean(rollout["rewards"].values())


class NoRewardsIsAnError(HarborScoringFault):
    """Takes rewards of nothing for a fault."""

    breaks = "harbor-env/no-rewards"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if not rollout["rewards"] and rollout["error"] is None:
            rollout["error"] = "ValidationError"


class KeepsTheSignOfZero(HarborScoringFault):
    """Takes the number itself instead of its mean."""

    breaks = "harbor-env/negative-zero"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["error"] is None and list(rollout["rewards"] or {}) == ["reward"]:
            rollout["reward"] = float(rollout["rewards"]["reward"])


class KeepsRewardsInBounds(HarborScoringFault):
    """Moves rewards to the nearest between 0 and 1."""

    breaks = "harbor-env/reward"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["reward"] = min(max(rollout["reward"], 0.0), 1.0)


class AveragesWhatThereIs(HarborScoringFault):
    """Leaves rollouts without rewards out of the average."""

    breaks = "harbor-env/average"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        there = [{"reward": rollout["reward"]} for rollout in record.get("rollouts", []) if rollout["rewards"]]
        return {**record, "average": aggregate("mean", there)["mean"]} if there else record

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        """Rollouts are as they are."""


class RewardsAreFloats(HarborScoringFault):
    """Makes ints floats, as a trainer likes them."""

    breaks = "harbor-env/rewards"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["rewards"] and rollout["error"] is None:
            rollout["rewards"] = {key: float(number) for key, number in rollout["rewards"].items()}


class ReadsJsonByItself(HarborScoringFault):
    """Takes what json.loads gives for rewards, without Harbor's validation."""

    breaks = "harbor-env/rewards"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if rollout["rewards"] and "reward.json" in task.left:
            rollout["rewards"] = json.loads(left(task, "reward.json"))
