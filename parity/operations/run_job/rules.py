"""Rules for `run_job`: the trials of a job, the times and number of their runs, and the files that the job writes."""

from parity.operations.rule import Rule

GENERAL = {
    "": "run-job/ends",
    "trials": "run-job/trials",
    "files": "run-job/files",
    "texts": "run-job/texts",
}
"""The general rule for each part of a transcript."""

RULES: list[Rule] = [
    # Documents.
    Rule(
        "run-job/document-layout",
        "Documents MUST be indented by four blanks per level, with one blank after each colon and no line break at "
        "the end.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-job/document-spelling",
        "Numbers MUST be spelled as in `stats`; in strings, only quotes, backslashes and control characters MUST be"
        " escaped.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-job/duplicate-key",
        "An object in a document MUST NOT have the same key twice.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-job/time-format",
        "Times of a job MUST be local, without a zone, and the time of the lock MUST be in UTC and end in Z; all "
        "have six digits for the fraction of a second, or none if it is 0.",
        source="harbor.job.Job.run and harbor.models.job.lock.JobLock",
    ),
    # Earlier runs.
    Rule(
        "run-job/resume-settings",
        "A job MUST NOT go on with other settings: FileExistsError; its name and `debug` do not count as such, but "
        "`quiet` and the number of trials at a time do.",
        source="harbor.models.job.config.JobConfig.__eq__",
    ),
    Rule(
        "run-job/resume-same-job",
        "A job that goes on MUST keep its id, its start, and the number of its retries.",
        source="harbor.job.Job._init_progress_tracking and harbor.job.Job.run",
    ),
    Rule(
        "run-job/resume-again",
        "An earlier trial without a result, or that was cancelled, MUST be removed, and MUST run again.",
        source="harbor.cli.jobs.resume and harbor.job.Job._maybe_init_existing_job",
    ),
    Rule(
        "run-job/resume-kept",
        "An earlier trial that has ended, with an error or without, MUST be kept for the first planned one of its "
        "configuration, and MUST count before all new ones.",
        source="harbor.job.Job._init_remaining_trial_configs and harbor.job.Job.run",
    ),
    # The settings.
    Rule(
        "run-job/n-tasks",
        "The first n_tasks tasks of a dataset MUST be run; if n_tasks is negative, all but that many of the last "
        "tasks.",
        source="harbor.models.job.config.DatasetConfig._filter_task_ids",
    ),
    Rule(
        "run-job/no-attempts",
        "A job with zero or a negative number of attempts MUST have no trials, and MUST finish.",
        source="harbor.job.Job._init_trial_configs",
    ),
    Rule(
        "run-job/agents",
        "All agents MUST make each attempt at a task, one after the other.",
        source="harbor.job.Job._init_trial_configs",
    ),
    Rule(
        "run-job/models",
        "Agents MUST be distinguished by the names of their models, without the provider before the first slash.",
        source="harbor.agents.base.BaseAgent._init_model_info",
    ),
    Rule(
        "run-job/metrics",
        "Every configured metric MUST be computed, in the configured order.",
        source="harbor.job.Job._resolve_metrics",
    ),
    Rule(
        "run-job/program-ends",
        "An exception that ends the program MUST NOT be recorded as the trial's error; all other trials MUST be "
        "cancelled.",
        source="asyncio.TaskGroup",
    ),
    # Plan and end of the job.
    Rule(
        "run-job/overflow",
        "A reward beyond the range of a double MUST end the job with an ExceptionGroup.",
        source="harbor.job.Job._refresh_metrics_for_eval and asyncio.TaskGroup",
    ),
    Rule(
        "run-job/left-out",
        "A directory of the dataset that is not a task MUST be left out, and the job MUST run without it.",
        source="harbor.models.task.task.Task.is_valid_dir",
    ),
    Rule(
        "run-job/cancelled",
        "A trial that is cancelled alone MUST NOT run again; the others MUST continue, and the job MUST stay "
        "unfinished.",
        source="harbor.job.Job._run_trials_with_queue",
    ),
    Rule(
        "run-job/tasks",
        "Every task of the dataset MUST be run, and nothing else.",
        source="harbor.models.job.config.DatasetConfig._get_local_task_configs",
    ),
    Rule(
        "run-job/planned-order",
        "The first attempts at all tasks MUST be planned before the second ones.",
        source="harbor.job.Job._init_trial_configs",
    ),
    # Runs of a trial.
    Rule(
        "run-job/same-name",
        "All runs of a trial MUST have its name.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
    ),
    Rule(
        "run-job/concurrency",
        "A trial MUST begin as soon as fewer trials than allowed are running; a trial that waits for another run "
        "counts as running.",
        source="harbor.trial.queue.TrialQueue._run_trial",
    ),
    Rule(
        "run-job/retry-limit",
        "A trial MUST have at most one run more than it has retries.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
    ),
    Rule(
        "run-job/no-error-no-retry",
        "A trial without an error MUST NOT be run again.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
    ),
    Rule(
        "run-job/excluded",
        "A trial with an excluded error MUST NOT be run again; five errors are excluded by default.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception and harbor.models.job.config.RetryConfig",
    ),
    Rule(
        "run-job/included",
        "If errors are included, a trial with any other error MUST NOT be run again.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
    ),
    Rule(
        "run-job/excluded-beats-included",
        "An error that is both included and excluded MUST count as excluded.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
    ),
    Rule(
        "run-job/retried",
        "A trial with any other error MUST be run again; errors match by the exact name of their class, and an "
        "empty set has no effect.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
    ),
    Rule(
        "run-job/longest-wait",
        "A wait before a further run MUST NOT be longer than `max_wait_sec`.",
        source="harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec",
    ),
    Rule(
        "run-job/waits",
        "The first wait before a further run MUST be `min_wait_sec`, and each later one MUST be `wait_multiplier` "
        "times the one before.",
        source="harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec",
    ),
    Rule(
        "run-job/folder-anew",
        "A further run MUST begin with an empty directory.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
    ),
    # All else.
    Rule(
        "run-job/retries-counted",
        "n_retries MUST count all runs of trials after their first.",
        source="harbor.job.Job._remove_completed_attempt_for_retry",
    ),
    Rule(
        "run-job/last-run-counts",
        "Only the last run of each trial MUST count.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries and harbor.job.Job.run",
    ),
    Rule(
        "run-job/step-errors",
        "An error of a step alone MUST NOT count as an error in the stats; its trial MUST count with its rewards, "
        "or as 0 without.",
        source="harbor.models.job.result.JobStats.increment and harbor.job.Job.run",
    ),
    Rule(
        "run-job/stats",
        "`stats` in result.json MUST be as in `job_stats`, over all trials of the job.",
        source="harbor.job.Job.run",
    ),
    Rule(
        "run-job/result",
        "result.json MUST have the job's id, the number of planned trials, and the times at which the job began, "
        "was updated last, and ended; the last is null if the job has not finished.",
        source="harbor.job.Job.run",
    ),
    Rule(
        "run-job/lock",
        "lock.json MUST list the trials in planned order, each with its task's name, digest and path, its agent, "
        "its environment and its verifier; beside them it has the settings of retries and the number of trials at a"
        " time. Members without a value are left out.",
        source="harbor.models.job.lock.build_job_lock",
    ),
    Rule(
        "run-job/config",
        "config.json MUST have every member of Harbor's JobConfig, with the settings as given; the included and the"
        " excluded errors are lists of names, or null.",
        source="harbor.models.job.config.JobConfig",
    ),
    Rule(
        "run-job/files",
        "A job's directory MUST hold config.json, lock.json, result.json and job.log beside the trials.",
        source="harbor.job.Job.run and harbor.job.Job._init_logger",
    ),
    Rule(
        "run-job/trials",
        "Each trial of a job MUST make the calls and leave the files that it does alone, as in `run_trial`.",
        source="harbor.trial.queue.TrialQueue._run_trial",
    ),
    Rule(
        "run-job/texts",
        "Documents MUST be written as pydantic writes them: the layout, the spelling of each value, and each key once.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-job/ends",
        "A job MUST end with its trials and files, whatever fails in a trial; an error of the job itself MUST be "
        "raised, under Harbor's name.",
        source="harbor.job.Job.create and harbor.job.Job.run",
    ),
]
"""The rules for `run_job`."""
