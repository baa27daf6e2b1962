"""Faults of environments under the documentation's scoring: datasets, sandboxes, and what the tests leave."""

import re

from parity.operations.harbor_env.recorded.scenario import EnvScenario, TaskScenario
from parity.operations.scenarios.records import Record
from tests.faulty.harbor_env.fault import DatasetFault, DocumentedFault, call, is_task


class UnknownNamesAreRefused(DatasetFault):
    """Refuses a name that no folder has."""

    breaks = "documented-env/filter"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        known = {task.name for task in scenario.tasks}
        return {"refused": "no-tasks"} if not {*(scenario.names or ())} <= known else record


class IncompleteFoldersAreRefused(DatasetFault):
    """Refuses a dataset for a folder that is no task."""

    breaks = "documented-env/incomplete-folder"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        return record if all(is_task(task, scenario) for task in scenario.tasks) else {"refused": "no-tasks"}


class BadTasksAreLeftOut(DatasetFault):
    """Leaves out a task that cannot be read, and takes the others."""

    breaks = "documented-env/refused"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        return {"rows": [], "rollouts": [], "average": 0.0} if "refused" in record else record


class KeepsTheInstructionAsItIs(DatasetFault):
    """Takes the instruction with the white space around it."""

    breaks = "documented-env/instruction"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        for row in record.get("rows", []):
            row["prompt"][0]["content"] = scenario.task(row["task"]).files["instruction.md"].decode()
        return record


class DropsWhatItDoesNotKnow(DatasetFault):
    """Keeps only the tables of task.toml that it needs itself."""

    breaks = "documented-env/config"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        for row in record.get("rows", []):
            row["config"] = {key: value for key, value in row["config"].items() if key in ("environment", "verifier")}
        return record


class OneImageForAll(DocumentedFault):
    """Takes the environment's image for every task."""

    breaks = "documented-env/image"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["image"] = scenario.image


class SortsNumbers(DatasetFault):
    """Sorts task-2 before task-10, and capitals among the others."""

    breaks = "documented-env/order"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        if "rows" not in record:
            return record
        parts = {row["task"]: re.split(r"(\d+)", row["task"].casefold()) for row in record["rows"]}
        numbers = [[int(part) if part.isdecimal() else 0 for part in parts[name]] for name in parts]
        order = [name for _, _, name in sorted(zip(numbers, [parts[name][0] for name in parts], parts, strict=True))]
        rows = sorted(record["rows"], key=lambda row: order.index(row["task"]))
        return {**record, "rows": [{**row, "example_id": number} for number, row in enumerate(rows)]}


class CountsFromOne(DatasetFault):
    """Numbers tasks from 1."""

    breaks = "documented-env/rows"

    def rewritten(self, record: Record, scenario: EnvScenario) -> Record:
        for row in record.get("rows", []):
            row["example_id"] += 1
        return record


class ItsOwnVariablesWin(DocumentedFault):
    """Sets its own variables over those that it was given."""

    breaks = "documented-env/given-variables"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["env"]["HARBOR_TASK_NAME"] = task.name


class ModelIsAlwaysSet(DocumentedFault):
    """Sets OPENAI_MODEL to nothing where there is no model."""

    breaks = "documented-env/model"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["env"].setdefault("OPENAI_MODEL", "")


class WorkdirIsAlwaysSet(DocumentedFault):
    """Makes a folder for the agent that nobody asked for."""

    breaks = "documented-env/workdir"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        prepared = call(rollout, "prepare")
        prepared["folders"] = sorted({*prepared["folders"], scenario.workdir or "/app"})


class TaskLiesInTheWorkdir(DocumentedFault):
    """Says to the agent that the task lies in its own folder."""

    breaks = "documented-env/variables"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["env"]["HARBOR_TASK_DIR"] = scenario.workdir


class UploadsTheWholeTask(DocumentedFault):
    """Uploads the whole folder before the agent runs, tests and solution included."""

    breaks = "documented-env/before-the-agent"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        for name, content in task.files.items():
            call(rollout, "prepare")["files"][f"/task/{name}"] = content.decode(errors="backslashreplace")


class SolutionIsWhereHarborHasIt(DocumentedFault):
    """Uploads the solution to /solution."""

    breaks = "documented-env/after-the-agent"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        brought = call(rollout, "bring-tests")
        files = brought.get("files", {})
        brought["files"] = {re.sub("^/oracle", "/solution", name): text for name, text in files.items()}


class RunsTestsInTheWorkdir(DocumentedFault):
    """Runs the tests in the agent's folder."""

    breaks = "documented-env/test-run"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        call(rollout, "run-tests")["cwd"] = scenario.workdir


class WaitsForTests(DocumentedFault):
    """Waits for the tests however long they take."""

    breaks = "documented-env/timeout"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if task.injected_fault is not None and task.injected_fault.seconds is not None and rollout["failed"]:
            rollout.update(reward=1.0, failed=False)


class FailuresAreSilent(DocumentedFault):
    """Reports no error where a call failed."""

    breaks = "documented-env/call-fails"
    seen_by = "test_golden"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["failed"] = False


class ExitCodesCount(DocumentedFault):
    """Takes a test script that fails for a reward of nothing."""

    breaks = "documented-env/exit-code"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        if task.code:
            rollout["reward"] = 0.0


class MissingFilesAreErrors(DocumentedFault):
    """Reports an error where there is no reward."""

    breaks = "documented-env/no-error"

    def rolled_out(self, rollout: Record, task: TaskScenario, scenario: EnvScenario) -> None:
        rollout["failed"] = rollout["failed"] or not task.left
