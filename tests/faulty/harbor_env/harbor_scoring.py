"""Faults of environments under Harbor's scoring."""

from statistics import fmean

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.document_texts import masked_message
from parity.operations.scenarios.records import Record
from parity.scorer import aggregate
from tests.faulty.fault import breaks
from tests.faulty.harbor_env.fault import each_rollout_under, left, record_under


@breaks("harbor-env/refused", seen_by="test_harbor_scoring")
@record_under("harbor")
def TakesAnyTask(record: Record, scenario: EnvScenario) -> Record:
    """Takes tasks that Harbor refuses."""
    return {"rollouts": [], "average": 0.0} if "refused" in record else record


@breaks("harbor-env/test-command", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def RunsTestsWithBash(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Runs the test script as the documentation's environment does."""
    if rollout["tests"]:
        rollout["tests"]["command"] = "bash test.sh"


@breaks("harbor-env/test-folder", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def RunsTestsWhereTheyAre(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Runs the tests in /tests."""
    if rollout["tests"]:
        rollout["tests"]["cwd"] = "/tests"


@breaks("harbor-env/test-variables", seen_by="test_harbor_scoring")
@each_rollout_under("harbor")
def ForgetsTheVariablesOfTests(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Gives the tests no variables."""
    if rollout["tests"]:
        rollout["tests"]["env"] = {}


@breaks("harbor-env/test-timeout", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def WaitsForEver(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Waits for the tests however long they take."""
    if rollout["error"] == "VerifierTimeoutError":
        rollout.update(reward=1.0, rewards={"reward": 1.0}, error=None)


@breaks("harbor-env/ambiguous", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def TakesTheFirstKey(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the first of several keys where none is `reward`."""
    if rollout["error"] == "AmbiguousRewardError":
        rollout.update(reward=float(next(iter(rollout["rewards"].values()))), error=None)


@breaks("harbor-env/huge-int", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def HugeIsInfinite(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes an int beyond the range of a double for infinity."""
    if rollout["error"] == "OverflowError":
        rollout.update(reward=float("inf"), error=None)


@breaks("harbor-env/call-fails", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def FailedCallsAreAlike(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Calls every failed call a failure of the sandbox."""
    if rollout["error"] in ("AddTestsDirError", "DownloadVerifierDirError", "OSError"):
        rollout["error"] = "SandboxError"


@breaks("harbor-env/message-code", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def MessagesQuoteTheFile(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Says what was found in a reward file that cannot be parsed."""
    if rollout["error"] == "VerifierOutputParseError":
        problem = f"the reward is {left(task, 'reward.json') or left(task, 'reward.txt')}"
        rollout["message"] = masked_message(rollout["error"], f"{problem}, which cannot be parsed")


@breaks("harbor-env/error", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def FaultsAreZeros(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Makes every fault a zero without an error, as the documentation has it."""
    if rollout["rewards"] is None and task.injected_fault is None:
        rollout["error"] = None


@breaks("harbor-env/rewards", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def TextCountsFirst(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reads reward.txt first, as the documentation has it."""
    try:
        number = float(left(task, "reward.txt"))
    except ValueError:
        return
    if task.injected_fault is None:
        rollout.update(reward=number, rewards={"reward": number}, error=None)


@breaks("harbor-env/one-key", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def KnowsOneKey(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Counts nothing but `reward`."""
    if rollout["rewards"] and "reward" not in rollout["rewards"]:
        rollout["reward"] = 0.0


@breaks("harbor-env/several-keys", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def AveragesKeys(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the mean over all keys."""
    if len(rollout["rewards"] or {}) > 1 and rollout["error"] is None:
        rollout["reward"] = fmean(rollout["rewards"].values())


@breaks("harbor-env/no-rewards", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def NoRewardsIsAnError(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes rewards of nothing for a fault."""
    if not rollout["rewards"] and rollout["error"] is None:
        rollout["error"] = "ValidationError"


@breaks("harbor-env/negative-zero", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def KeepsTheSignOfZero(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the number itself instead of its mean."""
    if rollout["error"] is None and list(rollout["rewards"] or {}) == ["reward"]:
        rollout["reward"] = float(rollout["rewards"]["reward"])


@breaks("harbor-env/reward", seen_by="test_what_tests_leave")
@each_rollout_under("harbor")
def KeepsRewardsInBounds(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Moves rewards to the nearest between 0 and 1."""
    rollout["reward"] = min(max(rollout["reward"], 0.0), 1.0)


@breaks("harbor-env/average", seen_by="test_what_tests_leave")
@record_under("harbor")
def AveragesWhatThereIs(record: Record, scenario: EnvScenario) -> Record:
    """Leaves rollouts without rewards out of the average."""
    there = [{"reward": rollout["reward"]} for rollout in record.get("rollouts", []) if rollout["rewards"]]
    return {**record, "average": aggregate("mean", there)["mean"]} if there else record
