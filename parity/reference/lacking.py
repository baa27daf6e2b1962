"""Which operations a release of Harbor cannot be asked, each with what it lacks."""

from parity.reference.having import found
from parity.reference.releases import HARBOR_VERSION

_NEEDS = {"pass_at_k": ("harbor.utils.pass_at_k", "compute_pass_at_k_by_evals")}
"""Operation to what answers it, where not every release has that."""

_RUN_TRIALS = ("trial_reward", "run_trial", "run_job", "job_stats", "harbor_env")


def lacking(release: str) -> dict[str, str]:
    """The operations that the release at hand, whose number this is, does not answer, each with the reason."""
    lacks = {
        operation: f"harbor {release} has no {'.'.join(need)}"
        for operation, need in _NEEDS.items()
        if found(*need) is None
    }
    if release != HARBOR_VERSION:
        lacks |= dict.fromkeys(_RUN_TRIALS, f"trials of harbor {release} are not run")
    return lacks
