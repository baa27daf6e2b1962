"""The class of cases for `pass_at_k`: the trials of a job."""

from dataclasses import dataclass

from parity.scorer.pass_at_k import Trial


@dataclass(frozen=True)
class PassAtKCase:
    """The trials of a job, in order."""

    trials: tuple[Trial, ...]
