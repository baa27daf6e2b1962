"""The input from which a job's stats are computed: the plan, the trials of a previous run, and this run's events."""

from dataclasses import dataclass
from typing import Literal

from parity.scorer.pass_at_k import Trial, evals_key

CANCELLED = "CancelledError"


@dataclass(slots=True)  # not frozen, for the reason given at `Trial`
class Usage:
    """The usage that an agent reports for one run. Tokens are counts, the cost is in US dollars."""

    input_tokens: int | None = None
    cache_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


@dataclass(slots=True)
class JobTrial(Trial):
    """A trial that has ended."""

    name: str
    exception: str | None = None
    """Class name of the exception that the trial records; None if it records none."""

    usage: tuple[Usage, ...] = ()
    """The usage of each run of the agent. A multi-step trial runs the agent once for each step."""

    literal_nans: tuple[str, ...] = ()
    """The reward keys whose value in reward.json is the literal `NaN`, as `values.literal_nans` returns them.

    These values are one shared nan object; any other nan is a separate object.
    """

    @property
    def key(self) -> str:
        return evals_key(self.agent, self.model, self.source)


@dataclass(frozen=True)
class Event:
    """An event while the job runs: a trial starts, ends with a result, or is cancelled."""

    kind: Literal["start", "end", "cancel"]
    name: str
    trial: JobTrial | None = None
    """The trial's result if the event is the trial's end; else None."""


@dataclass(frozen=True)
class Job:
    """The facts about a job that determine its stats."""

    total: int
    """Number of planned trials."""

    events: tuple[Event, ...] = ()
    metrics: tuple[str, ...] = ()
    """Names of the configured metrics. If there is none, the mean is used."""

    datasets: tuple[str, ...] = ()
    """Names of the configured datasets."""

    earlier: tuple[JobTrial, ...] = ()
    """Trials of a previous run, in the order in which the job read them."""

    retries: int = 0
    """Number of retries in the previous run."""

    finished: bool = True
    """Whether the job has ended: true for the final stats, false for the stats of a running job."""

    def planned_results(self) -> list[JobTrial]:
        """Return the last result of each trial.

        Trials of the previous run come first, then the other trials in the order of their first events.
        """
        ended = {event.name: event.trial for event in self.events if event.trial is not None}
        names = dict.fromkeys(event.name for event in self.events)
        # Rules: job-stats/planned-order, job-stats/earlier-first
        return [*self.earlier, *(trial for name in names if (trial := ended.get(name)) is not None)]
