"""Run one trial from its start to its result.json. Rules: `run-trial/*`."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from parity.driver.agents import VERSION, agent_of
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.documents.writing import write_text
from parity.driver.multi_step import MultiStep
from parity.driver.single_step import SingleStep
from parity.driver.timeouts import agent_timeout
from parity.driver.trial_life import TrialLife
from parity.driver.trial_plan import Moment, RunContext, TrialPlan
from parity.scorer.result_text import Written, text_of

type MomentListener = Callable[[Moment, TrialPlan, TrialRecord], None]
"""A callback for each moment of a trial."""


def ignore_moment(moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
    """Ignore every moment."""


async def run_trial(plan: TrialPlan, context: RunContext, on_moment: MomentListener = ignore_moment) -> TrialRecord:
    """Run a trial and write its folder. The trial's errors are recorded, not raised.

    Raises:
        ValueError: the host lacks a variable that sandbox or agent need; nothing was started.
        asyncio.CancelledError: the trial was cancelled; its folder is still complete.
        OSError: the trial's folder cannot be written.
    """
    # Rule: run-trial/files
    for folder in plan.folder.parts:
        folder.mkdir(parents=True, exist_ok=True)
    # Rule: run-trial/oracle-timeout
    timeout = agent_timeout(plan.task.config, None, plan.agent, plan.settings.multipliers)
    # Rule: run-trial/missing-variable
    agent = agent_of(plan.agent, plan.task, plan.folder, context.host, timeout)
    sandbox = plan.sandbox(context)
    config = text_of(plan.config)
    record = TrialRecord(
        uuid4(),
        plan.task.name,
        plan.name,
        plan.folder.path,
        _task_path(plan),
        plan.source,
        plan.checksum,
        Written(config),
        agent.name,
        VERSION,
        datetime.now(UTC),
        plan.agent.model_name,
        plan.agent.model_provider,
    )
    life = TrialLife(plan, context, record, sandbox, agent, lambda moment: on_moment(moment, plan, record))
    with trial_log(plan.folder.path / "trial.log"):
        await _live(life, MultiStep(life, context.series) if plan.task.config.steps else SingleStep(life), config)
    return record


def _task_path(plan: TrialPlan) -> Path:
    task = plan.config["task"]
    assert isinstance(task, dict)
    return Path(str(task["path"]))


async def _live(life: TrialLife, work: SingleStep | MultiStep, config: str) -> None:
    (life.folder.path / "config.json").write_text(config, encoding="utf-8")
    life.on_moment("start")
    try:
        # Rule: run-trial/calls
        await life.prepare()
        await work.run()
    # Rule: run-trial/cancellation
    except asyncio.CancelledError as error:
        life.fail(error)
        await work.recover()
        life.on_moment("cancel")
        raise
    # Rule: run-trial/program-ends
    except Exception as error:
        life.fail(error)
        await work.recover()
    finally:
        await life.stop()
        life.record.finished_at = datetime.now(UTC)
        write_text(life.folder.path / "result.json", text_of(life.record.tree()))
        life.on_moment("end")


_CURRENT: ContextVar[TextIO | None] = ContextVar("trial_log", default=None)


_LONGEST_ENTRY = 2000
"""The most characters of an entry. It may quote the output of a command, and a task may have thousands of artifacts."""


class _ToCurrentTrial(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        file = _CURRENT.get()
        if file is not None:
            file.write(self.format(record)[:_LONGEST_ENTRY] + "\n")


_LOG = logging.getLogger("parity.driver")
_LOG.setLevel(logging.DEBUG)
_LOG.propagate = False
_LOG.addHandler(_ToCurrentTrial())


@contextmanager
def trial_log(path: Path) -> Iterator[None]:
    """Write the log records of this context, and of tasks that it starts, to the file."""
    with path.open("a", encoding="utf-8", errors="replace") as file:
        token = _CURRENT.set(file)
        try:
            yield
        finally:
            _CURRENT.reset(token)
