"""Plans of jobs: tasks, agents, attempts, and the course of each run.

`tests.jobs.runs` runs the plans.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parity.scorer import Number, Usage


@dataclass(frozen=True)
class PlannedRun:
    """The planned course of one run of a trial, or of one of its steps.

    Errors are class names of exceptions.
    """

    rewards: Mapping[str, Number | str] | None = None
    """The content of reward.json; None is written as `null`, and a nan as the literal `NaN`."""

    text: str | None = None
    """The content of reward.txt; if it is not None, there is no reward.json."""

    start: str | None = None
    agent: str | None = None
    verifier: str | None = None
    usage: Usage | None = None
    pause: float = 0.0
    """Seconds for which the agent waits while other trials run."""

    steps: tuple["PlannedRun", ...] = ()
    """The course of each step, for a multi-step task."""


@dataclass(frozen=True)
class PlannedTask:
    """A task of a local dataset, or a single task without a dataset."""

    name: str
    dataset: str | None = None
    steps: int = 0
    strategy: str | None = None
    source: str | None = None
    """For a single task, the source that it states as its dataset."""


@dataclass(frozen=True)
class TrialRun:
    """A run of a trial. Attempts and runs are numbered from 0; a run above 0 is a retry."""

    task: str
    agent: str
    attempt: int
    run: int


def one_of(runs: tuple[PlannedRun, ...], trial_run: TrialRun) -> PlannedRun:
    """Return one of the planned runs for this run of a trial; the choice is always the same."""
    number = sum(map(ord, trial_run.task + trial_run.agent)) + 3 * trial_run.attempt + 7 * trial_run.run
    return runs[number % len(runs)]


@dataclass(frozen=True)
class RealJobPlan:
    """The plan of a job of the wheel. If the job is resumed, its remaining attempts are numbered from 0."""

    tasks: tuple[PlannedTask, ...]
    behave: Callable[[TrialRun], PlannedRun]
    agents: tuple[tuple[str, str | None], ...] = (("scripted", None),)
    """Name and model of each agent."""

    attempts: int = 1
    concurrent: int = 1
    retries: int = 0
    metrics: tuple[str, ...] = ()
    verification: bool = True
