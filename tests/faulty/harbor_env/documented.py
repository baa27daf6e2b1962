"""Faults of environments under the documentation's scoring: datasets, sandboxes, and what the tests leave."""

import re

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.fault import breaks
from tests.faulty.harbor_env.fault import call, each_rollout_under, is_task, record_under


@breaks("documented-env/filter", seen_by="test_golden")
@record_under("documented")
def UnknownNamesAreRefused(record: Record, scenario: EnvScenario) -> Record:
    """Refuses a name that no folder has."""
    known = {task.name for task in scenario.tasks}
    return {"refused": "no-tasks"} if not {*(scenario.names or ())} <= known else record


@breaks("documented-env/incomplete-folder", seen_by="test_golden")
@record_under("documented")
def IncompleteFoldersAreRefused(record: Record, scenario: EnvScenario) -> Record:
    """Refuses a dataset for a folder that is no task."""
    return record if all(is_task(task, scenario) for task in scenario.tasks) else {"refused": "no-tasks"}


@breaks("documented-env/refused", seen_by="test_golden")
@record_under("documented")
def BadTasksAreLeftOut(record: Record, scenario: EnvScenario) -> Record:
    """Leaves out a task that cannot be read, and takes the others."""
    return {"rows": [], "rollouts": [], "average": 0.0} if "refused" in record else record


@breaks("documented-env/instruction", seen_by="test_golden")
@record_under("documented")
def KeepsTheInstructionAsItIs(record: Record, scenario: EnvScenario) -> Record:
    """Takes the instruction with the white space around it."""
    for row in record.get("rows", []):
        row["prompt"][0]["content"] = scenario.task(row["task"]).files["instruction.md"].decode()
    return record


@breaks("documented-env/config", seen_by="test_golden")
@record_under("documented")
def DropsWhatItDoesNotKnow(record: Record, scenario: EnvScenario) -> Record:
    """Keeps only the tables of task.toml that it needs itself."""
    for row in record.get("rows", []):
        row["config"] = {key: value for key, value in row["config"].items() if key in ("environment", "verifier")}
    return record


@breaks("documented-env/image", seen_by="test_golden")
@each_rollout_under("documented")
def OneImageForAll(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes the environment's image for every task."""
    rollout["image"] = scenario.image


@breaks("documented-env/order", seen_by="test_golden")
@record_under("documented")
def SortsNumbers(record: Record, scenario: EnvScenario) -> Record:
    """Sorts task-2 before task-10, and capitals among the others."""
    if "rows" not in record:
        return record
    parts = {row["task"]: re.split(r"(\d+)", row["task"].casefold()) for row in record["rows"]}
    numbers = [[int(part) if part.isdecimal() else 0 for part in parts[name]] for name in parts]
    order = [name for _, _, name in sorted(zip(numbers, [parts[name][0] for name in parts], parts, strict=True))]
    rows = sorted(record["rows"], key=lambda row: order.index(row["task"]))
    return {**record, "rows": [{**row, "example_id": number} for number, row in enumerate(rows)]}


@breaks("documented-env/rows", seen_by="test_golden")
@record_under("documented")
def CountsFromOne(record: Record, scenario: EnvScenario) -> Record:
    """Numbers tasks from 1."""
    for row in record.get("rows", []):
        row["example_id"] += 1
    return record


@breaks("documented-env/given-variables", seen_by="test_golden")
@each_rollout_under("documented")
def ItsOwnVariablesWin(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Sets its own variables over those that it was given."""
    rollout["env"]["HARBOR_TASK_NAME"] = task.name


@breaks("documented-env/model", seen_by="test_golden")
@each_rollout_under("documented")
def ModelIsAlwaysSet(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Sets OPENAI_MODEL to nothing where there is no model."""
    rollout["env"].setdefault("OPENAI_MODEL", "")


@breaks("documented-env/workdir", seen_by="test_golden")
@each_rollout_under("documented")
def WorkdirIsAlwaysSet(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Makes a folder for the agent that nobody asked for."""
    prepared = call(rollout, "prepare")
    prepared["folders"] = sorted({*prepared["folders"], scenario.workdir or "/app"})


@breaks("documented-env/variables", seen_by="test_golden")
@each_rollout_under("documented")
def TaskLiesInTheWorkdir(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Says to the agent that the task lies in its own folder."""
    rollout["env"]["HARBOR_TASK_DIR"] = scenario.workdir


@breaks("documented-env/before-the-agent", seen_by="test_golden")
@each_rollout_under("documented")
def UploadsTheWholeTask(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Uploads the whole folder before the agent runs, tests and solution included."""
    for name, content in task.files.items():
        call(rollout, "prepare")["files"][f"/task/{name}"] = content.decode(errors="backslashreplace")


@breaks("documented-env/after-the-agent", seen_by="test_golden")
@each_rollout_under("documented")
def SolutionIsWhereHarborHasIt(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Uploads the solution to /solution."""
    brought = call(rollout, "bring-tests")
    files = brought.get("files", {})
    brought["files"] = {re.sub("^/oracle", "/solution", name): text for name, text in files.items()}


@breaks("documented-env/test-run", seen_by="test_golden")
@each_rollout_under("documented")
def RunsTestsInTheWorkdir(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Runs the tests in the agent's folder."""
    call(rollout, "run-tests")["cwd"] = scenario.workdir


@breaks("documented-env/timeout", seen_by="test_golden")
@each_rollout_under("documented")
def WaitsForTests(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Waits for the tests however long they take."""
    if task.injected_fault is not None and task.injected_fault.seconds is not None and rollout["failed"]:
        rollout.update(reward=1.0, failed=False)


@breaks("documented-env/skipped", seen_by="test_golden")
@each_rollout_under("documented")
def ScoresAllTheSame(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Runs the tests in a sandbox that could not be prepared."""
    if not call(rollout, "prepare"):
        rollout["calls"].append({"run-tests": {"command": "bash test.sh", "cwd": "/tests"}})


@breaks("documented-env/call-fails", seen_by="test_golden")
@each_rollout_under("documented")
def FailuresAreSilent(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reports no error where a call failed."""
    rollout["failed"] = False


@breaks("documented-env/exit-code", seen_by="test_golden")
@each_rollout_under("documented")
def ExitCodesCount(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Takes a test script that fails for a reward of nothing."""
    if task.code:
        rollout["reward"] = 0.0


@breaks("documented-env/no-error", seen_by="test_golden")
@each_rollout_under("documented")
def MissingFilesAreErrors(rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
    """Reports an error where there is no reward."""
    rollout["failed"] = rollout["failed"] or not task.left
