"""The class of cases for `pass_at_k`: the trials of a job."""

from dataclasses import dataclass

from parity.scorer.pass_at_k import Trial


@dataclass(frozen=True)
class PassAtKCase:
    """The trials of a job, in order."""

    trials: tuple[Trial, ...]


def group_key(trial: Trial) -> str:
    """Return the evals key of a trial's group: agent, model if there is one, and dataset or `adhoc`."""
    model = f"__{trial.model}" if trial.model else ""
    return f"{trial.agent}{model}__{trial.source or 'adhoc'}"
