"""`pass_at_k`: the trials of a job to pass@k of each group."""

from dataclasses import dataclass

from parity.scorer.pass_at_k import Trial


@dataclass(frozen=True)
class PassAtKCase:
    """The trials of a job, in the order in which they count."""

    trials: tuple[Trial, ...]
