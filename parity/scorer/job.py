"""A job as its stats see it: what was planned, which trials an earlier run left, and what happened to the others."""

from dataclasses import dataclass
from typing import Literal

from parity.scorer.pass_at_k import Trial, evals_key

CANCELLED = "CancelledError"


@dataclass(slots=True)  # not frozen, as `Trial` is not
class Usage:
    """What one run of the agent used, as it reports it. Tokens are counts, the cost is in US dollars."""

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
    """One entry for each run of the agent: one, or one a step."""

    literal_nans: tuple[str, ...] = ()
    """Reward keys whose nan was the literal `NaN` of a reward.json, as `values.literal_nans` gives them.

    Those of all trials are one object; every other nan is one of its own.
    """

    @property
    def key(self) -> str:
        return evals_key(self.agent, self.model, self.source)


@dataclass(frozen=True)
class Event:
    """Something that happens to a trial while the job runs: it starts, ends with a result, or is cancelled."""

    kind: Literal["start", "end", "cancel"]
    name: str
    trial: JobTrial | None = None
    """The result; of an end only."""


@dataclass(frozen=True)
class Job:
    """A job as far as its stats depend on it."""

    total: int
    """Trials planned."""

    events: tuple[Event, ...] = ()
    metrics: tuple[str, ...] = ()
    """Names of the configured metrics; none means mean."""

    datasets: tuple[str, ...] = ()
    """Names of the configured datasets."""

    earlier: tuple[JobTrial, ...] = ()
    """Trials that an earlier run left, in the order in which they were found again."""

    retries: int = 0
    """Retries that an earlier run counted."""

    finished: bool = True
    """Whether all events are over, so that the final stats are asked for instead of interim ones."""

    def planned_results(self) -> list[JobTrial]:
        """The last result of each trial: earlier ones first, then in the order in which trials were first seen."""
        ended = {event.name: event.trial for event in self.events if event.trial is not None}
        names = dict.fromkeys(event.name for event in self.events)
        # Rules: job-stats/planned-order, job-stats/earlier-first
        return [*self.earlier, *(trial for name in names if (trial := ended.get(name)) is not None)]
