"""Plans of jobs: tasks, agents, attempts, and the course of each run. `tests.jobs.runs` runs them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parity.scorer import Number, Usage


@dataclass(frozen=True)
class PlannedRun:
    """The course of one run of a trial, or of one of its steps. Errors are class names."""

    rewards: Mapping[str, Number | str] | None = None
    """The content of reward.json; None stands for `null`. A nan is written as the literal `NaN`."""

    text: str | None = None
    """The content of reward.txt, which the test script leaves instead of reward.json if it is not None."""

    start: str | None = None
    agent: str | None = None
    verifier: str | None = None
    usage: Usage | None = None
    pause: float = 0.0
    """Seconds that the agent takes while other trials run."""

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
    """The source that a single task names as its dataset."""


@dataclass(frozen=True)
class TrialRun:
    """A run of a trial; attempts and runs count from 0, and a run above 0 is a retry."""

    task: str
    agent: str
    attempt: int
    run: int


def one_of(runs: tuple[PlannedRun, ...], trial_run: TrialRun) -> PlannedRun:
    """Return one of the runs for a run of a trial, and always the same one."""
    number = sum(map(ord, trial_run.task + trial_run.agent)) + 3 * trial_run.attempt + 7 * trial_run.run
    return runs[number % len(runs)]


@dataclass(frozen=True)
class RealJobPlan:
    """A job of the wheel. A resumed job counts its remaining attempts from 0."""

    tasks: tuple[PlannedTask, ...]
    behave: Callable[[TrialRun], PlannedRun]
    agents: tuple[tuple[str, str | None], ...] = (("scripted", None),)
    """Name and model of each agent."""

    attempts: int = 1
    concurrent: int = 1
    retries: int = 0
    metrics: tuple[str, ...] = ()
    verification: bool = True
