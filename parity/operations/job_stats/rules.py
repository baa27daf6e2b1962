"""Rules for `job_stats`: the content and the spelling of a job's stats in result.json."""

from parity.operations.rule import Rule

_TEXT = "pydantic.BaseModel.model_dump_json"
_RUN = "harbor.job.Job.run"
_INCREMENT = "harbor.models.job.result.JobStats.increment"
_INTERIM = "harbor.job.Job._refresh_metrics_for_eval"
_METRICS = "harbor.job.Job._resolve_metrics"
_PASS_AT_K = "harbor.job.Job.run and harbor.utils.pass_at_k.compute_pass_at_k_by_evals"

GENERAL = {
    "": "job-stats/ends",
    "text": "job-stats/layout",
    **dict.fromkeys(
        (
            *("n_completed_trials", "n_errored_trials", "n_running_trials", "n_pending_trials", "n_cancelled_trials"),
            *("n_retries", "evals", "n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd"),
        ),
        "job-stats/stats",
    ),
}
"""The general rule for the text as a whole, and for each field of the stats."""

RULES: list[Rule] = [
    Rule(
        "result-text/surrogates",
        "Half of a surrogate pair in a key MUST be written as three replacement characters.",
        source=_TEXT,
    ),
    Rule(
        "result-text/escapes",
        "Quotes, backslashes and control characters MUST be escaped, with the short forms \\b \\f \\n \\r \\t; DEL "
        "and slashes MUST NOT.",
        source=_TEXT,
    ),
    Rule(
        "result-text/unescaped",
        "All other characters MUST be written unescaped: those beyond ASCII, and those with a meaning in HTML, such as "
        "`<` and `&`.",
        source=_TEXT,
    ),
    Rule(
        "result-text/non-finite-values",
        "A metric or cost that is nan or infinite MUST be written as null.",
        source=_TEXT,
    ),
    Rule(
        "result-text/float-values",
        "A float as a value MUST be written without an exponent from 0.00001 up to 1e+16, and otherwise like 1e-7.",
        source=_TEXT,
    ),
    Rule(
        "result-text/big-integers",
        "An int MUST be written in full, however large.",
        source=_TEXT,
    ),
    Rule(
        "job-stats/not-resumable",
        "A reward that is nan or infinite is written as null, so a job with one in an earlier run MUST NOT be "
        "resumed: ValidationError.",
        source="harbor.job.Job._maybe_init_existing_job",
    ),
    Rule(
        "job-stats/retry-is-counted",
        "A trial that starts again after it has ended MUST count as one retry.",
        source="harbor.job.Job._remove_completed_attempt_for_retry",
    ),
    Rule(
        "job-stats/replacing-is-no-retry",
        "A trial that ends again without a start MUST replace its result, and MUST NOT count as a retry.",
        source="harbor.job.Job._on_trial_completed",
    ),
    Rule(
        "job-stats/taken-back",
        "When a trial starts or ends again, its earlier contribution MUST be subtracted; empty lists of names remain.",
        source="harbor.models.job.result.JobStats.remove_trial",
    ),
    Rule(
        "job-stats/usage-taken-back",
        "When a trial starts or ends again, its tokens and costs MUST be subtracted, but never below zero; a "
        "total MUST NOT become null again.",
        source="harbor.models.job.result.JobStats.remove_trial",
    ),
    Rule(
        "job-stats/interim-resumed-metrics",
        "While a resumed job runs, a group MUST have no metrics until one of its trials ends, or starts again.",
        source="harbor.job.Job.run and harbor.job.Job._refresh_metrics_for_eval",
    ),
    Rule(
        "job-stats/interim-metrics",
        "While a job runs, a group's metrics MUST be computed over its trials so far, in the order of their "
        "first result since their last start.",
        source=_INTERIM,
    ),
    Rule(
        "job-stats/interim-pass-at-k",
        "pass@k MUST be computed when the job ends, not before.",
        source=_RUN,
    ),
    Rule(
        "job-stats/running",
        "A trial MUST count as running from its start to its end.",
        source="harbor.job.Job._on_trial_started and harbor.job.Job._on_trial_completed",
    ),
    Rule(
        "job-stats/cancelled",
        "A trial MUST count as cancelled, once, if it was being cancelled or its error is CancelledError.",
        source="harbor.job.Job._on_trial_cancelled and harbor.job.Job._on_trial_completed",
    ),
    Rule(
        "job-stats/pending",
        "n_pending_trials MUST count the planned trials that have not ended and do not run; it is never negative.",
        source="harbor.models.job.result.JobStats.update_progress_counts",
    ),
    Rule(
        "job-stats/no-reward-is-zero",
        "A trial without rewards, or with `{}`, MUST count as 0 in its group's metrics, whatever its error "
        "is; it MUST NOT be left out.",
        source="harbor.job.Job.run and harbor.job.Job._refresh_metrics_for_eval",
    ),
    Rule(
        "job-stats/no-reward-fails",
        "In pass@k, a trial without rewards MUST count as a failed attempt, whatever its error is.",
        source=_PASS_AT_K,
    ),
    Rule(
        "job-stats/errors-and-rewards",
        "A trial with both rewards and an error MUST count for both: its rewards in metrics and pass@k, and "
        "its error as an error.",
        source="harbor.models.job.result.JobStats.increment and harbor.job.Job.run",
    ),
    Rule(
        "job-stats/shown-metric",
        "When a trial first ends in a run, the first number of its group's first metric is displayed; if that "
        "is an int beyond a double, OverflowError MUST end the job.",
        source="harbor.job.Job._update_metric_display",
    ),
    Rule(
        "job-stats/shown-dataset",
        "If a trial ends and its dataset is not configured, there is no metric to display, and IndexError "
        "MUST end the job.",
        source="harbor.job.Job._update_metric_display",
    ),
    Rule(
        "job-stats/overflow",
        "A metric beyond the largest double MUST end the job with OverflowError.",
        source=_RUN,
    ),
    Rule(
        "job-stats/default-metric",
        "If no metric is configured, the metric MUST be mean.",
        source=_METRICS,
    ),
    Rule(
        "job-stats/separator-in-dataset",
        "The final metrics MUST be looked up by the last part of the evals key, so a dataset with `__` in its "
        "name has none.",
        source=_RUN,
    ),
    Rule(
        "job-stats/repeated-dataset",
        "Datasets that share a name MUST repeat their metrics, and a dataset called `adhoc` MUST repeat those "
        "of trials without a dataset.",
        source="harbor.job.Job._resolve_dataset_metrics",
    ),
    Rule(
        "job-stats/unknown-dataset",
        "Trials of an earlier run MUST have no metrics if their dataset is no longer configured.",
        source=_RUN,
    ),
    Rule(
        "job-stats/adhoc-metrics",
        "Trials without a dataset MUST have the metrics of the job.",
        source=_METRICS,
    ),
    Rule(
        "job-stats/several-metrics",
        "Each configured metric MUST have an entry, in the order of the configuration.",
        source=_RUN,
    ),
    Rule(
        "job-stats/planned-order",
        "When the job ends, trials MUST count in planned order, whatever the order of their ends.",
        source="harbor.job.Job._run_trials_with_queue",
    ),
    Rule(
        "job-stats/earlier-first",
        "When a resumed job ends, the trials of the earlier run MUST count before the others.",
        source=_RUN,
    ),
    Rule(
        "job-stats/summation",
        "Metrics MUST add numbers as `sum` does on the running interpreter, in the order of the trials.",
        source="builtins.sum",
    ),
    Rule(
        "job-stats/pass-at-k",
        "When the job ends, each group with only binary rewards MUST have its pass@k, with each k as text.",
        source=_PASS_AT_K,
    ),
    Rule(
        "job-stats/evals-key",
        "Groups MUST be named agent__model__dataset, without the model if there is none, and with `adhoc` if "
        "there is no dataset.",
        source="harbor.models.job.result.JobStats.format_agent_evals_key",
    ),
    Rule(
        "job-stats/literal-nan",
        "Trials MUST share one key for the literal `NaN` of reward.json, which is read as one object.",
        source="json.loads and harbor.models.job.result.JobStats.increment",
    ),
    Rule(
        "job-stats/nan-keys",
        "Every other nan (a text, a string, a computed one) MUST be a key of its own, so the key `nan` MAY "
        "occur several times.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/float-keys",
        "A float as a key MUST be written as Python's `str` writes it: 1e-05, 1e+16, nan, inf.",
        source=_TEXT,
    ),
    Rule(
        "job-stats/equal-rewards",
        "Equal rewards, such as 1 and 1.0, or 0 and -0.0, MUST share a key, spelled like the first of them.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/reward-order",
        "Rewards MUST come in the order of the first trial that got them, not in ascending order.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/reward-stats",
        "Every reward of every trial MUST have an entry under its key and value, with the trial's name.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/rewarded-trials",
        "A group's n_trials MUST count trials with rewards, even `{}`, but not trials without rewards.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/errors",
        "Errors MUST be counted, and their trials listed under the name of the error, in the order of the "
        "errors' first occurrence.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/several-runs",
        "The usage of all runs of a trial's agent MUST be added up; a run that reports nothing adds nothing.",
        source="harbor.models.trial.result.TrialResult.compute_token_cost_totals",
    ),
    Rule(
        "job-stats/cost",
        "Costs MUST be added one by one, without compensation.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/usage",
        "Tokens and costs MUST be the sums over all trials, and null if no trial reports any.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/group-order",
        "Groups MUST come in the order of their first trial.",
        source=_INCREMENT,
    ),
    Rule(
        "job-stats/layout",
        "The stats MUST be indented by four blanks per level, without white space at the end.",
        source="harbor.job.Job._write_job_result",
    ),
    Rule(
        "job-stats/stats",
        "The stats MUST hold the counters, groups and totals of a job, in Harbor's order of fields.",
        source="harbor.models.job.result.JobStats",
    ),
    Rule(
        "job-stats/ends",
        "A job MUST have its stats, with all of Harbor's fields, unless it ends with an error; then this error MUST be "
        "raised.",
        source=_RUN,
    ),
]
