"""Rules of `job_stats`: the content of a job's stats in result.json, and their spelling."""

from parity.operations.rule import Rule, rules

_TEXT = rules(
    "job_stats",
    ("result-text/surrogates", "pydantic.BaseModel.model_dump_json", "lone-surrogate", "Half of a surrogate pair in a key MUST be written as three replacement characters.", "keys"),
    ("result-text/escapes", "pydantic.BaseModel.model_dump_json", "escaped-name", "Quotes, backslashes and control characters MUST be escaped, with the short forms \\b \\f \\n \\r \\t; DEL and slashes MUST NOT.", "layout"),
    ("result-text/unescaped", "pydantic.BaseModel.model_dump_json", "non-ascii-name", "Characters beyond ASCII MUST be written unescaped.", "layout"),
    ("result-text/non-finite-values", "pydantic.BaseModel.model_dump_json", "non-finite-key non-finite-cost", "A metric or cost that is nan or infinite MUST be written as null.", "type text", "metrics cost_usd"),
    ("result-text/float-values", "pydantic.BaseModel.model_dump_json", "exponent", "A float as a value MUST be written without an exponent from 0.00001 up to 1e+16, and otherwise like 1e-7.", "text", "metrics pass_at_k cost_usd"),
    ("result-text/big-integers", "pydantic.BaseModel.model_dump_json", "int-beyond-2**53", "An int MUST be written in full, however large.", "value text", "metrics reward_stats n_input_tokens n_cache_tokens n_output_tokens"),
)  # fmt: skip

_LIVE = rules(
    "job_stats",
    ("job-stats/not-resumable", "harbor.job.Job._maybe_init_existing_job", "non-finite-earlier", "A reward that is nan or infinite is written as null, so a job with one in an earlier run MUST NOT be resumed: ValidationError.", "fault"),
    ("job-stats/retry-is-counted", "harbor.job.Job._remove_completed_attempt_for_retry", "retried", "A trial that starts again after it has ended MUST count as one retry.", "", "n_retries"),
    ("job-stats/replacing-is-no-retry", "harbor.job.Job._on_trial_completed", "replaced", "A trial that ends again without a start MUST replace its result, and MUST NOT count as a retry.", "", "n_retries"),
    ("job-stats/taken-back", "harbor.models.job.result.JobStats.remove_trial", "retried replaced", "When a trial starts or ends again, its earlier contribution MUST be subtracted; empty lists of names remain.", "keys text length", "reward_stats exception_stats n_trials n_errors n_errored_trials n_completed_trials"),
    ("job-stats/usage-taken-back", "harbor.models.job.result.JobStats.remove_trial", "retried replaced", "When a trial starts or ends again, its tokens and costs MUST be subtracted, but never below zero; a total MUST NOT become null again.", "", "n_input_tokens n_cache_tokens n_output_tokens cost_usd"),
    ("job-stats/interim-resumed-metrics", "harbor.job.Job.run and harbor.job.Job._refresh_metrics_for_eval", "resumed", "While a resumed job runs, a group MUST have no metrics until one of its trials ends, or starts again.", "length", "metrics"),
    ("job-stats/interim-metrics", "harbor.job.Job._refresh_metrics_for_eval", "interim", "While a job runs, a group's metrics MUST be computed over its trials so far, in the order of their first result.", "length text", "metrics"),
    ("job-stats/interim-pass-at-k", "harbor.job.Job.run", "interim", "pass@k MUST be computed when the job ends, not before.", "", "pass_at_k"),
    ("job-stats/running", "harbor.job.Job._on_trial_started and harbor.job.Job._on_trial_completed", "running", "A trial MUST count as running from its start to its end.", "", "n_running_trials"),
    ("job-stats/cancelled", "harbor.job.Job._on_trial_cancelled and harbor.job.Job._on_trial_completed", "cancelled cancel-event", "A trial MUST count as cancelled, once, if it was being cancelled or its error is CancelledError.", "", "n_cancelled_trials"),
    ("job-stats/pending", "harbor.models.job.result.JobStats.update_progress_counts", "", "n_pending_trials MUST count the planned trials that have not ended and do not run; it is never negative.", "", "n_pending_trials"),
)  # fmt: skip

_DENOMINATORS = rules(
    "job_stats",
    ("job-stats/no-reward-is-zero", "harbor.job.Job.run and harbor.job.Job._refresh_metrics_for_eval", "null-reward empty-rewards", "A trial without rewards, or with `{}`, MUST count as 0 in its group's metrics, whatever its error is; it MUST NOT be left out.", "text length", "metrics"),
    ("job-stats/no-reward-fails", "harbor.job.Job.run and harbor.utils.pass_at_k.compute_pass_at_k_by_evals", "null-reward", "In pass@k, a trial without rewards MUST count as a failed attempt, whatever its error is.", "", "pass_at_k"),
    ("job-stats/errors-and-rewards", "harbor.models.job.result.JobStats.increment and harbor.job.Job.run", "error-with-reward", "A trial with both rewards and an error MUST count for both: its rewards in metrics and pass@k, and its error as an error.", "", "metrics pass_at_k n_trials n_errors n_errored_trials exception_stats"),
)  # fmt: skip

_FINAL = rules(
    "job_stats",
    ("job-stats/shown-metric", "harbor.job.Job._update_metric_display", "shown-int", "When a trial first ends in a run, the first number of its group's first metric is displayed; if that is an int beyond a double, OverflowError MUST end the job.", "fault"),
    ("job-stats/shown-dataset", "harbor.job.Job._update_metric_display", "unknown-dataset-ends", "If a trial ends and its dataset is not configured, there is no metric to display, and IndexError MUST end the job.", "fault"),
    ("job-stats/overflow", "harbor.job.Job.run", "int-beyond-double", "A metric beyond the largest double MUST end the job with OverflowError.", "fault"),
    ("job-stats/default-metric", "harbor.job.Job._resolve_metrics", "no-metrics", "If no metric is configured, the metric MUST be mean.", "keys length", "metrics"),
    ("job-stats/separator-in-dataset", "harbor.job.Job.run", "separator-in-dataset", "The final metrics MUST be looked up by the last part of the evals key, so a dataset with `__` in its name has none.", "", "metrics"),
    ("job-stats/repeated-dataset", "harbor.job.Job._resolve_dataset_metrics", "repeated-dataset", "Datasets that share a name MUST repeat their metrics, and a dataset called `adhoc` MUST repeat those of trials without a dataset.", "length", "metrics"),
    ("job-stats/unknown-dataset", "harbor.job.Job.run", "unknown-dataset", "Trials of an earlier run MUST have no metrics if their dataset is no longer configured.", "", "metrics"),
    ("job-stats/adhoc-metrics", "harbor.job.Job._resolve_metrics", "no-source", "Trials without a dataset MUST have the metrics of the job.", "length", "metrics"),
    ("job-stats/several-metrics", "harbor.job.Job.run", "several-metrics", "Each configured metric MUST have an entry, in the order of the configuration.", "keys length", "metrics"),
    ("job-stats/planned-order", "harbor.job.Job._run_trials_with_queue", "out-of-order", "When the job ends, trials MUST count in planned order, whatever the order of their ends.", "order text"),
    ("job-stats/earlier-first", "harbor.job.Job.run", "resumed", "When a resumed job ends, the trials of the earlier run MUST count before the others.", "order text"),
    ("job-stats/summation", "builtins.sum", "inexact-sum mixed-int-float", "Metrics MUST add numbers as `sum` does on the running interpreter, in the order of the trials.", "text rounding", "metrics"),
    ("job-stats/pass-at-k", "harbor.job.Job.run and harbor.utils.pass_at_k.compute_pass_at_k_by_evals", "pass-at-k", "When the job ends, each group with only binary rewards MUST have its pass@k, with each k as text.", "", "pass_at_k"),
)  # fmt: skip

_GROUPS = rules(
    "job_stats",
    ("job-stats/evals-key", "harbor.models.job.result.JobStats.format_agent_evals_key", "no-model no-source colliding-keys", "Groups MUST be named agent__model__dataset, without the model if there is none, and with `adhoc` if there is no dataset.", "keys length"),
    ("job-stats/literal-nan", "json.loads and harbor.models.job.result.JobStats.increment", "literal-nan", "Trials MUST share one key for the literal `NaN` of reward.json, which is read as one object.", "type length", "reward_stats"),
    ("job-stats/nan-keys", "harbor.models.job.result.JobStats.increment", "repeated-nan", "Every other nan (a text, a string, a computed one) MUST be a key of its own, so the key `nan` MAY occur several times.", "type length", "reward_stats"),
    ("job-stats/float-keys", "pydantic.BaseModel.model_dump_json", "exponent non-finite-key", "A float as a key MUST be written as Python's `str` writes it: 1e-05, 1e+16, nan, inf.", "keys", "reward_stats"),
    ("job-stats/equal-rewards", "harbor.models.job.result.JobStats.increment", "equal-across-types", "Equal rewards, such as 1 and 1.0, or 0 and -0.0, MUST share a key, spelled like the first of them.", "keys", "reward_stats"),
    ("job-stats/reward-order", "harbor.models.job.result.JobStats.increment", "unsorted-rewards", "Rewards MUST come in the order of the first trial that got them, not in ascending order.", "order", "reward_stats"),
    ("job-stats/reward-stats", "harbor.models.job.result.JobStats.increment", "", "Every reward of every trial MUST have an entry under its key and value, with the trial's name.", "", "reward_stats"),
    ("job-stats/rewarded-trials", "harbor.models.job.result.JobStats.increment", "null-reward empty-rewards", "A group's n_trials MUST count trials with rewards, even `{}`, but not trials without rewards.", "", "n_trials"),
    ("job-stats/errors", "harbor.models.job.result.JobStats.increment", "error error-with-reward cancelled", "Errors MUST be counted, and their trials listed under the name of the error, in the order of the errors' first occurrence.", "", "exception_stats n_errors n_errored_trials"),
    ("job-stats/several-runs", "harbor.models.trial.result.TrialResult.compute_token_cost_totals", "several-runs", "The usage of all runs of a trial's agent MUST be added up; a run that reports nothing adds nothing.", "", "n_input_tokens n_cache_tokens n_output_tokens cost_usd"),
    ("job-stats/cost", "harbor.models.job.result.JobStats.increment", "inexact-cost", "Costs MUST be added one by one, without compensation.", "", "cost_usd"),
    ("job-stats/usage", "harbor.models.job.result.JobStats.increment", "", "Tokens and costs MUST be the sums over all trials, and null if no trial reports any.", "", "n_input_tokens n_cache_tokens n_output_tokens cost_usd"),
    ("job-stats/group-order", "harbor.models.job.result.JobStats.increment", "several-groups", "Groups MUST come in the order of their first trial.", "order"),
    ("job-stats/layout", "harbor.job.Job._write_job_result", "", "The stats MUST be indented by four blanks per level, without white space at the end.", "layout"),
    ("job-stats/stats", "harbor.models.job.result.JobStats", "", "The stats MUST hold the counters, groups and totals of a job, in Harbor's order of fields."),
)  # fmt: skip

RULES: list[Rule] = [
    *_TEXT,
    *_LIVE,
    *_DENOMINATORS,
    *_FINAL,
    *_GROUPS,
]
