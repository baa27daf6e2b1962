"""The reference of each operation, together as one runner; and the operations that a release of Harbor lacks.

Only `open_reference` imports this module.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from parity.reference.lookup import lookup
from parity.reference.wheel import Wheel
from parity.runners.runner import Unsupported


class Authorities:
    """The expected answers for a session's runner; `Operation.authority` names where each answer comes from.

    Args:
        wheel: answers the operations that it implements.
        lacking: operations that the wheel's release does not have, each with the reason.
    """

    name = "the reference"

    def __init__(self, wheel: Wheel, lacking: Mapping[str, str]) -> None:
        self.read_reward = wheel.read_reward
        self.aggregate = wheel.aggregate
        self.pass_at_k = wheel.pass_at_k
        self.trial_reward = wheel.trial_reward
        self.run_trial = wheel.run_trial
        self.run_job = wheel.run_job
        self.job_stats = wheel.job_stats
        self.trial_score = wheel.trial_score
        self.harbor_env = wheel.harbor_env
        for operation, reason in lacking.items():
            setattr(self, operation, _refuses(reason))


def _refuses(reason: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any) -> NoReturn:
        raise Unsupported(reason)

    return refuse


_NEEDS: dict[str, tuple[str, str | None]] = {
    "pass_at_k": ("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals"),
    "trial_reward": ("harbor.models.trial.result", "StepResult"),
    **dict.fromkeys(("job_stats", "trial_score"), ("harbor.models.job.config", "DatasetConfig")),
    **dict.fromkeys(("run_trial", "run_job", "harbor_env"), ("harbor.environments.definition", None)),
}
"""The module, and one of its attributes, that each of these operations needs and that some releases lack."""


def lacking(release: str) -> dict[str, str]:
    """Return the operations that the installed release does not answer, each with a reason that names the version."""
    return {
        operation: f"harbor {release} has no {'.'.join(filter(None, need))}"
        for operation, need in _NEEDS.items()
        if lookup(*need) is None
    }
