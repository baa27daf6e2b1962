"""A job's input to its stats: the plan, the trials of an earlier run, and the events of this run."""

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
    """Class name of the error that the trial records."""

    usage: tuple[Usage, ...] = ()
    """The usage of each run of the agent: one run in all, or one for each step."""

    literal_nans: tuple[str, ...] = ()
    """Reward keys with the literal `NaN` of a reward.json, as `values.literal_nans` returns them.

    All of them share one nan object; any other nan is a separate object.
    """

    @property
    def key(self) -> str:
        return evals_key(self.agent, self.model, self.source)


@dataclass(frozen=True)
class Event:
    """An event of a trial while the job runs: it starts, ends with a result, or is cancelled."""

    kind: Literal["start", "end", "cancel"]
    name: str
    trial: JobTrial | None = None
    """The result; only for an end."""


@dataclass(frozen=True)
class Job:
    """The part of a job that decides its stats."""

    total: int
    """Number of planned trials."""

    events: tuple[Event, ...] = ()
    metrics: tuple[str, ...] = ()
    """Names of the configured metrics. Without any, the metric is the mean."""

    datasets: tuple[str, ...] = ()
    """Names of the configured datasets."""

    earlier: tuple[JobTrial, ...] = ()
    """Trials of an earlier run, in the order in which the job read them."""

    retries: int = 0
    """Retries that an earlier run counted."""

    finished: bool = True
    """Whether the job has ended. True for the final stats, false for interim ones."""

    def planned_results(self) -> list[JobTrial]:
        """Return the last result of each trial: earlier trials first, then the others in the order of their first
        events.
        """
        ended = {event.name: event.trial for event in self.events if event.trial is not None}
        names = dict.fromkeys(event.name for event in self.events)
        # Rules: job-stats/planned-order, job-stats/earlier-first
        return [*self.earlier, *(trial for name in names if (trial := ended.get(name)) is not None)]
