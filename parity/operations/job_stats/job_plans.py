"""Plans of jobs: which tasks, agents and attempts, and what happens in each. `parity.reference.real_jobs` runs them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parity.scorer import Number, Usage


@dataclass(frozen=True)
class PlannedRun:
    """What happens in one run of a trial, or in one of its steps. Errors are class names."""

    rewards: Mapping[str, Number | str] | None = None
    """What the test script leaves in reward.json; None leaves `null`. A nan is written as the literal `NaN`."""

    text: str | None = None
    """What it leaves in reward.txt instead."""

    start: str | None = None
    agent: str | None = None
    verifier: str | None = None
    usage: Usage | None = None
    pause: float = 0.0
    """Seconds that the agent takes while other trials go on."""

    steps: tuple["PlannedRun", ...] = ()
    """For a multi-step task: what happens in each step."""


@dataclass(frozen=True)
class PlannedTask:
    """A task of a local dataset, or one named by itself."""

    name: str
    dataset: str | None = None
    steps: int = 0
    strategy: str | None = None
    source: str | None = None
    """The dataset that a task named by itself says that it is of."""


@dataclass(frozen=True)
class Spot:
    """Which run of which trial: attempts and runs count from 0, and a run above 0 is a retry."""

    task: str
    agent: str
    attempt: int
    run: int


def one_of(runs: tuple[PlannedRun, ...], spot: Spot) -> PlannedRun:
    """Which of these happens there: always the same."""
    number = sum(map(ord, spot.task + spot.agent)) + 3 * spot.attempt + 7 * spot.run
    return runs[number % len(runs)]


@dataclass(frozen=True)
class RealJobPlan:
    """A job of the wheel. A resumed job counts the attempts that it still runs, from 0."""

    tasks: tuple[PlannedTask, ...]
    behave: Callable[[Spot], PlannedRun]
    agents: tuple[tuple[str, str | None], ...] = (("scripted", None),)
    """Name and model of each agent."""

    attempts: int = 1
    concurrent: int = 1
    retries: int = 0
    metrics: tuple[str, ...] = ()
    verification: bool = True
