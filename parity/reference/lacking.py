"""Which operations a release of Harbor cannot be asked, each with what it lacks."""

from parity.reference.having import found

_NEEDS: dict[str, tuple[str, str | None]] = {
    "pass_at_k": ("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals"),
    "trial_reward": ("harbor.models.trial.result", "StepResult"),
    "job_stats": ("harbor.models.job.config", "DatasetConfig"),
    **dict.fromkeys(("run_trial", "run_job", "harbor_env"), ("harbor.environments.definition", None)),
}
"""Operation to what answers it, or what the recording sandbox needs for it, where not every release has that."""


def lacking(release: str) -> dict[str, str]:
    """The operations that the release at hand, whose number this is, does not answer, each with the reason."""
    return {
        operation: f"harbor {release} has no {'.'.join(filter(None, need))}"
        for operation, need in _NEEDS.items()
        if found(*need) is None
    }
