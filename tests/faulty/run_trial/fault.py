"""What faulty runners have in common that run trials wrong: a part of the driver is replaced while they do."""

import json
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver.task import Task, read_task
from parity.driver.task_config import TaskConfig
from parity.driver.trial_sandbox import TrialSandbox
from parity.operations.scenarios import execution
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import TrialScenario
from tests.faulty.fault import Fault
from tests.faulty.patches import Patch, replaced


class TrialFault(Fault):
    """A runner that runs trials wrong."""

    seen_by = "test_any_trial"

    @abstractmethod
    def wrong(self) -> Patch:
        """What is replaced, and by what."""

    def run_trial(self, scenario: TrialScenario) -> Record:
        with self.wrong():
            return super().run_trial(scenario)


def with_config(change: Callable[[TaskConfig], TaskConfig]) -> Patch:
    """Tasks that are read as if something else stood in task.toml."""

    def read(*folder: Any) -> Task:
        task = read_task(*folder)
        return replace(task, config=change(task.config))

    return mock.patch.object(execution, "read_task", read)


def with_exec(change: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]) -> Patch:
    """Commands and their keyword arguments changed before they reach the trial's sandbox."""

    def changed(original: Any) -> Any:
        async def exec_(sandbox: TrialSandbox, command: str, **options: Any) -> Any:
            command, options = change(command, options)
            return await original(sandbox, command, **options)

        return exec_

    return replaced(TrialSandbox, "exec", changed)


class RecordFault(Fault):
    """A runner that writes down wrongly what it did."""

    seen_by = "test_any_trial"

    @abstractmethod
    def rewritten(self, record: Record, scenario: TrialScenario) -> Record:
        """The record as the runner gives it; it may be changed in place."""

    def run_trial(self, scenario: TrialScenario) -> Record:
        record: Record = json.loads(json.dumps(super().run_trial(scenario)))
        return self.rewritten(record, scenario)
