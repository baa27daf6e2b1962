"""The operations that a release of Harbor does not answer."""

from parity.reference.having import found

_NEEDS: dict[str, tuple[str, str | None]] = {
    "pass_at_k": ("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals"),
    "trial_reward": ("harbor.models.trial.result", "StepResult"),
    "job_stats": ("harbor.models.job.config", "DatasetConfig"),
    **dict.fromkeys(("run_trial", "run_job", "harbor_env"), ("harbor.environments.definition", None)),
}
"""By operation: the module, and a member of it, that the operation needs and that some releases lack."""


def lacking(release: str) -> dict[str, str]:
    """Return the operations that the installed release does not answer, each with a reason that names the version."""
    return {
        operation: f"harbor {release} has no {'.'.join(filter(None, need))}"
        for operation, need in _NEEDS.items()
        if found(*need) is None
    }
