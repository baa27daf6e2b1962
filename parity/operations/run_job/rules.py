"""Rules of `run_job`: which trials a job runs, when, how often, and what it writes about them.

A rule about the number of runs is identified by the reason for another run, or for none.
"""

from parity.operations.rule import Rule, rules

TIMES = "started_at finished_at updated_at created_at occurred_at"

_TEXTS = rules(
    "run_job",
    ("run-job/document-layout", "pydantic.BaseModel.model_dump_json", "", "Documents MUST be indented by four blanks per level, with one blank after each colon and no line break at the end.", "layout", "texts/layout"),
    ("run-job/document-spelling", "pydantic.BaseModel.model_dump_json", "", "Numbers MUST be spelled as in `stats`; in strings, only quotes, backslashes and control characters MUST be escaped.", "layout", "texts/spelling"),
    ("run-job/duplicate-key", "pydantic.BaseModel.model_dump_json", "", "An object in a document MUST NOT have the same key twice.", "layout", "texts/duplicate-key"),
    ("run-job/time-format", "harbor.job.Job.run and harbor.models.job.lock.JobLock", "", "Times of a job MUST be local, without a zone, and the time of the lock MUST be in UTC and end in Z; all have six digits for the fraction of a second, or none if it is 0.", "text", TIMES),
)  # fmt: skip

_PLAN = rules(
    "run_job",
    ("run-job/overflow", "harbor.job.Job._refresh_metrics_for_eval and asyncio.TaskGroup", "overflow", "A reward beyond the range of a double MUST end the job with an ExceptionGroup.", "fault"),
    ("run-job/left-out", "harbor.models.task.task.Task.is_valid_dir", "left-out", "A folder of the dataset that is not a task MUST be left out, and the job MUST run without it.", "fault"),
    ("run-job/cancelled", "harbor.job.Job._run_trials_with_queue", "cancelled", "If one trial alone is cancelled, the others MUST continue, and the job MUST stay unfinished.", "type", "finished_at trials/names trials/tasks stats"),
    ("run-job/tasks", "harbor.models.job.config.DatasetConfig._get_local_task_configs", "", "Every task of the dataset MUST be run, and nothing else.", "", "trials/tasks"),
    ("run-job/planned-order", "harbor.job.Job._init_trial_configs", "several-tasks-and-attempts", "The first attempts at all tasks MUST be planned before the second ones.", "", "trials/order"),
)  # fmt: skip

_QUEUE = rules(
    "run_job",
    ("run-job/same-name", "harbor.trial.queue.TrialQueue._execute_trial_with_retries", "retried", "All runs of a trial MUST have its name.", "", "trials/names"),
    ("run-job/concurrency", "harbor.trial.queue.TrialQueue._run_trial", "queued one-after-another", "A trial MUST begin as soon as fewer trials than allowed are running; a trial that waits for another run counts as running.", "bits", "0/0"),
    ("run-job/retry-limit", "harbor.trial.queue.TrialQueue._execute_trial_with_retries", "out-of-retries", "A trial MUST have at most one run more than it has retries.", "", "limit"),
    ("run-job/no-error-no-retry", "harbor.trial.queue.TrialQueue._execute_trial_with_retries", "", "A trial without an error MUST NOT be run again.", "", "no-error"),
    ("run-job/excluded", "harbor.trial.queue.TrialQueue._should_retry_exception and harbor.models.job.config.RetryConfig", "excluded", "A trial with an excluded error MUST NOT be run again; five errors are excluded by default.", "", "excluded"),
    ("run-job/included", "harbor.trial.queue.TrialQueue._should_retry_exception", "not-included", "If errors are included, a trial with any other error MUST NOT be run again.", "", "not-included"),
    ("run-job/excluded-beats-included", "harbor.trial.queue.TrialQueue._should_retry_exception", "included-and-excluded", "An error that is both included and excluded MUST count as excluded.", "", "included-and-excluded"),
    ("run-job/retried", "harbor.trial.queue.TrialQueue._should_retry_exception", "retried", "A trial with any other error MUST be run again; errors match by the exact name of their class, and an empty set has no effect.", "", "retried"),
    ("run-job/longest-wait", "harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec", "capped-wait", "A wait before a further run MUST NOT be longer than `max_wait_sec`.", "bits", "1/0 2/0 3/0"),
    ("run-job/waits", "harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec", "retried", "The first wait before a further run MUST be `min_wait_sec`, and each later one MUST be `wait_multiplier` times the one before.", "bits", "1/0 2/0 3/0"),
    ("run-job/folder-anew", "harbor.trial.queue.TrialQueue._execute_trial_with_retries", "retried", "A further run MUST begin with an empty folder.", "keys", "files"),
)  # fmt: skip

_RESUME = rules(
    "run_job",
    ("run-job/resume-settings", "harbor.models.job.config.JobConfig.__eq__", "earlier-other-settings", "A job MUST NOT go on with other settings: FileExistsError; its name and `debug` do not count as such, but `quiet` and the number of trials at a time do.", "fault"),
    ("run-job/resume-same-job", "harbor.job.Job._init_progress_tracking and harbor.job.Job.run", "earlier", "A job that goes on MUST keep its id, its start, and the number of its retries.", "value", "goes_on n_retries"),
    ("run-job/resume-again", "harbor.cli.jobs.resume and harbor.job.Job._maybe_init_existing_job", "earlier-begun earlier-cancelled", "An earlier trial without a result, or that was cancelled, MUST be removed, and MUST run again.", "keys"),
    ("run-job/resume-kept", "harbor.job.Job._init_remaining_trial_configs and harbor.job.Job.run", "earlier-ended", "An earlier trial that has ended, with an error or without, MUST be kept for the first planned one of its configuration, and MUST count before all new ones.", "keys"),
)  # fmt: skip

_SETTINGS = rules(
    "run_job",
    ("run-job/n-tasks", "harbor.models.job.config.DatasetConfig._filter_task_ids", "n-tasks", "The first n_tasks tasks of a dataset MUST be run; if n_tasks is negative, all but that many of the last tasks.", "", "trials/tasks"),
    ("run-job/no-attempts", "harbor.job.Job._init_trial_configs", "no-attempts", "A job with zero or a negative number of attempts MUST have no trials, and MUST finish.", "keys fault"),
    ("run-job/agents", "harbor.job.Job._init_trial_configs", "several-agents", "All agents MUST make each attempt at a task, one after the other.", "keys order", "trials/order trials/names trials/tasks calls config.json lock.json agents"),
    ("run-job/models", "harbor.agents.base.BaseAgent._init_model_info", "models", "Agents MUST be distinguished by the names of their models, without the provider before the first slash.", "keys text", "evals agent_info model_name stats"),
    ("run-job/metrics", "harbor.job.Job._resolve_metrics", "several-metrics", "Every configured metric MUST be computed, in the configured order.", "keys length", "metrics"),
    ("run-job/program-ends", "asyncio.TaskGroup", "program-ends", "An exception that ends the program MUST NOT be recorded as the trial's error; all other trials MUST be cancelled.", "keys type", "finished_at trials exception_info stats"),
)  # fmt: skip

_DOCUMENTS = rules(
    "run_job",
    ("run-job/retries-counted", "harbor.job.Job._remove_completed_attempt_for_retry", "", "n_retries MUST count all runs of trials after their first.", "", "n_retries"),
    ("run-job/last-run-counts", "harbor.trial.queue.TrialQueue._execute_trial_with_retries and harbor.job.Job.run", "retried", "Only the last run of each trial MUST count.", "value", "stats"),
    ("run-job/step-errors", "harbor.models.job.result.JobStats.increment and harbor.job.Job.run", "step-error", "An error of a step alone MUST NOT count as an error in the stats; its trial MUST count with its rewards, or as 0 without.", "", "stats"),
    ("run-job/stats", "harbor.job.Job.run", "", "result.json MUST have the stats of all trials.", "", "stats"),
    ("run-job/result", "harbor.job.Job.run", "", "result.json MUST record the number of trials, and when the job began and ended.", "", "files/result.json"),
    ("run-job/lock", "harbor.models.job.lock.build_job_lock", "", "lock.json MUST record what each trial was run with, in planned order.", "", "lock.json"),
    ("run-job/config", "harbor.models.job.config.JobConfig", "", "config.json MUST record how the job was run, with the included and excluded errors by name.", "", "retry n_attempts n_concurrent_trials datasets agents"),
    ("run-job/files", "harbor.job.Job.run and harbor.job.Job._init_logger", "", "A job's folder MUST hold config.json, lock.json, result.json and job.log beside the trials.", "keys", "files"),
    ("run-job/trials", "harbor.trial.queue.TrialQueue._run_trial", "", "Each trial of a job MUST run as it does alone."),
)  # fmt: skip

RULES: list[Rule] = [
    *_TEXTS,
    *_RESUME,
    *_SETTINGS,
    *_PLAN,
    *_QUEUE,
    *_DOCUMENTS,
]
"""All rules, special ones before general ones."""
