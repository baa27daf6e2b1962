"""What faulty runners have in common that run trials wrong."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any
from unittest import mock

from parity.driver.task import Task, read_task
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import TaskConfig
from parity.operations.scenarios import execution
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import TrialScenario
from parity.runners import CleanRoom
from tests.faulty.fault import Answer, Patch
from tests.faulty.patches import patching, replaced

type Options = dict[str, Any]
type Exec = tuple[str, Options]


@patching
def each_config(change: Callable[[TaskConfig], TaskConfig]) -> Patch:
    """Tasks that are read as if something else stood in task.toml."""

    def read(*folder: Any) -> Task:
        task = read_task(*folder)
        return replace(task, config=change(task.config))

    return mock.patch.object(execution, "read_task", read)


@patching
def each_command(change: Callable[[str, Options], Exec]) -> Patch:
    """Commands and their keyword arguments changed before they reach the trial's sandbox."""

    def changed(original: Any) -> Any:
        async def exec_(sandbox: TrialSandbox, command: str, **options: Any) -> Any:
            command, options = change(command, options)
            return await original(sandbox, command, **options)

        return exec_

    return replaced(TrialSandbox, "exec", changed)


def in_record(change: Callable[[Record], None]) -> Answer:
    """What a trial was, written down with something changed."""

    @wraps(change)
    def run_trial(right: CleanRoom, scenario: TrialScenario) -> Record:
        record: Record = json.loads(json.dumps(right.run_trial(scenario)))
        change(record)
        return record

    return run_trial
