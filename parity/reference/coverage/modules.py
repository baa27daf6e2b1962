"""The modules of the wheel that decide what a trial or a job scores, and what each of them decides.

Only functions count: what stands at the top of a module or of a class runs when it is imported. Modules without a
function of their own, such as the model of a verifier's result, are not named here.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScoringModule:
    """One module of the wheel, or the part of it that scores."""

    name: str
    decides: str
    functions: tuple[str, ...] | None = None
    """The qualified names of the functions that score; None for all."""

    def counts(self, qualified_name: str) -> bool:
        """Whether a function, or one inside it, is among those that score."""
        return self.functions is None or qualified_name.split(".<locals>")[0] in self.functions


SCORING = (
    ScoringModule("harbor.verifier.base", "what every verifier is given"),
    ScoringModule("harbor.verifier.factory", "which verifier judges a trial"),
    ScoringModule("harbor.verifier.verifier", "the rewards that a verifier's folder holds"),
    ScoringModule("harbor.models.task.verifier_mode", "where the verifier runs"),
    ScoringModule("harbor.trial.single_step", "the reward of a trial without steps"),
    ScoringModule("harbor.trial.multi_step", "which steps run, and the reward of a trial from theirs"),
    ScoringModule(
        "harbor.trial.trial",
        "what a trial records: rewards, errors and times",
        (
            "Trial.run", "Trial._finalize", "Trial._record_exception", "Trial._resolve_timeout_sec",
            "Trial._run_agent_phase", "Trial._run_shared_verifier", "Trial._run_separate_verifier",
            "Trial._separate_verifier_env", "Trial._populate_agent_context", "Trial._sync_agent_output",
            "Trial._init_result", "Trial._compute_agent_timeout_sec", "Trial._compute_verifier_timeout_sec",
        ),
    ),
    ScoringModule("harbor.models.trial.result", "a trial's result, and its sums of tokens and costs"),
    ScoringModule("harbor.trial.queue", "which attempt of a trial counts"),
    ScoringModule("harbor.metrics.base", "a metric over the rewards of all trials"),
    ScoringModule("harbor.metrics.factory", "which metric a job asks for"),
    ScoringModule("harbor.metrics.max", "the metric `max`"),
    ScoringModule("harbor.metrics.mean", "the metric `mean`"),
    ScoringModule("harbor.metrics.min", "the metric `min`"),
    ScoringModule("harbor.metrics.sum", "the metric `sum`"),
    ScoringModule("harbor.metrics.uv_script", "a metric that is a script of the dataset"),
    ScoringModule("harbor.utils.pass_at_k", "pass@k of every group"),
    ScoringModule("harbor.models.job.result", "a job's stats"),
    ScoringModule(
        "harbor.job",
        "which trials and which metrics a job's result.json counts",
        (
            "Job._maybe_init_existing_job", "Job._init_progress_tracking", "Job._init_remaining_trial_configs",
            "Job._is_cancelled_result", "Job._refresh_job_progress", "Job._evals_key_for_result",
            "Job._refresh_metrics_for_eval", "Job._remove_completed_attempt_for_retry", "Job._write_job_result",
            "Job._write_job_result_async", "Job._resolve_metrics", "Job._resolve_dataset_metrics",
            "Job._on_trial_started", "Job._on_trial_cancelled", "Job._on_trial_completed", "Job.run",
        ),
    ),
)  # fmt: skip
"""In the order of a trial's life."""
