"""Rules for `run_job`: the trials of a job, the times and the number of their runs, and the files that the job writes.

The reason for which a trial is run again, or not, decides which of the rules on the number of runs is broken.
"""

from parity.operations.rule import Rule, aspects, at, both, either, in_faults, in_keys
from parity.operations.run_job import conditions
from parity.operations.run_job.conditions import in_file, in_trial, is_fault, runs_too_often, trials_differ
from parity.operations.scenarios.call_differences import in_course
from parity.operations.scenarios.document_differences import in_times

_IN_AGENTS_CALLS = in_course("upload-solution", "allow-solution", "run-solution", "run-command")

RULES: list[Rule] = [
    # Documents.
    Rule(
        "run-job/document-layout",
        "Documents MUST be indented by four blanks per level, with one blank after each colon and no line break at "
        "the end.",
        source="pydantic.BaseModel.model_dump_json",
        where=at("texts/layout"),
    ),
    Rule(
        "run-job/document-spelling",
        "Numbers MUST be spelled as in `stats`; in strings, only quotes, backslashes and control characters MUST be"
        " escaped.",
        source="pydantic.BaseModel.model_dump_json",
        where=at("texts/spelling"),
    ),
    Rule(
        "run-job/duplicate-key",
        "An object in a document MUST NOT have the same key twice.",
        source="pydantic.BaseModel.model_dump_json",
        where=at("texts/duplicate-key"),
    ),
    Rule(
        "run-job/time-format",
        "Times of a job MUST be local, without a zone, and the time of the lock MUST be in UTC and end in Z; all "
        "have six digits for the fraction of a second, or none if it is 0.",
        source="harbor.job.Job.run and harbor.models.job.lock.JobLock",
        where=in_times,
    ),
    # Earlier runs.
    Rule(
        "run-job/resume-settings",
        "A job MUST NOT go on with other settings: FileExistsError; its name and `debug` do not count as such, but "
        "`quiet` and the number of trials at a time do.",
        source="harbor.models.job.config.JobConfig.__eq__",
        when=conditions.has_earlier,
        where=both(is_fault("FileExistsError"), in_faults),
    ),
    Rule(
        "run-job/resume-same-job",
        "A job that goes on MUST keep its id, its start, and the number of its retries.",
        source="harbor.job.Job._init_progress_tracking and harbor.job.Job.run",
        when=conditions.has_earlier,
        where=both(aspects("value"), at("goes_on", "n_retries")),
    ),
    Rule(
        "run-job/resume-again",
        "An earlier trial without a result, or that was cancelled, MUST be removed, and MUST run again.",
        source="harbor.cli.jobs.resume and harbor.job.Job._maybe_init_existing_job",
        when=conditions.repeats_earlier,
        where=both(in_keys, at("trials", "stats")),
    ),
    Rule(
        "run-job/resume-kept",
        "An earlier trial that has ended, with an error or without, MUST be kept for the first planned one of its "
        "configuration, and MUST count before all new ones.",
        source="harbor.job.Job._init_remaining_trial_configs and harbor.job.Job.run",
        when=conditions.keeps_earlier,
        where=both(in_keys, at("trials", "stats")),
    ),
    # The settings.
    Rule(
        "run-job/n-tasks",
        "The first n_tasks tasks of a dataset MUST be run; if n_tasks is negative, all but that many of the last "
        "tasks.",
        source="harbor.models.job.config.DatasetConfig._filter_task_ids",
        when=conditions.has_n_tasks,
        where=trials_differ("tasks"),
    ),
    Rule(
        "run-job/no-attempts",
        "A job with zero or a negative number of attempts MUST have no trials, and MUST finish.",
        source="harbor.job.Job._init_trial_configs",
        when=conditions.has_no_attempts,
        where=aspects("keys", "fault"),
    ),
    Rule(
        "run-job/agents",
        "All agents MUST make each attempt at a task, one after the other.",
        source="harbor.job.Job._init_trial_configs",
        when=conditions.has_several_agents,
        where=either(trials_differ("number", "order"), _IN_AGENTS_CALLS, both(in_keys, at("lock.json", "agents"))),
    ),
    Rule(
        "run-job/models",
        "Agents MUST be distinguished by the names of their models, without the provider before the first slash.",
        source="harbor.agents.base.BaseAgent._init_model_info",
        when=conditions.has_model,
        where=both(aspects("keys", "text"), at("evals", "agent_info", "model_name", "stats")),
    ),
    Rule(
        "run-job/metrics",
        "Every configured metric MUST be computed, in the configured order.",
        source="harbor.job.Job._resolve_metrics",
        when=conditions.has_metrics,
        where=both(aspects("keys", "length"), at("metrics")),
    ),
    Rule(
        "run-job/program-ends",
        "An exception that ends the program MUST NOT be recorded as the trial's error; all other trials MUST be "
        "cancelled.",
        source="asyncio.TaskGroup",
        when=conditions.program_ends,
        where=either(
            conditions.in_trial_keys, both(aspects("keys", "type"), at("finished_at", "exception_info", "stats"))
        ),
    ),
    # Plan and end of the job.
    Rule(
        "run-job/overflow",
        "A reward beyond the range of a double MUST end the job with an ExceptionGroup.",
        source="harbor.job.Job._refresh_metrics_for_eval and asyncio.TaskGroup",
        where=both(is_fault("ExceptionGroup"), in_faults),
    ),
    Rule(
        "run-job/left-out",
        "A directory of the dataset that is not a task MUST be left out, and the job MUST run without it.",
        source="harbor.models.task.task.Task.is_valid_dir",
        when=conditions.has_other_directory,
        where=in_faults,
    ),
    Rule(
        "run-job/cancelled",
        "A trial that is cancelled alone MUST NOT run again; the others MUST continue, and the job MUST stay "
        "unfinished.",
        source="harbor.job.Job._run_trials_with_queue",
        where=both(in_trial(conditions.is_cancelled), aspects("type"), at("finished_at", "stats")),
    ),
    Rule(
        "run-job/tasks",
        "Every task of the dataset MUST be run, and nothing else.",
        source="harbor.models.job.config.DatasetConfig._get_local_task_configs",
        where=trials_differ("tasks"),
    ),
    Rule(
        "run-job/planned-order",
        "The first attempts at all tasks MUST be planned before the second ones.",
        source="harbor.job.Job._init_trial_configs",
        when=conditions.repeats_several_tasks,
        where=trials_differ("order"),
    ),
    # Runs of a trial.
    Rule(
        "run-job/same-name",
        "All runs of a trial MUST have its name.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
        where=both(in_trial(conditions.is_retried), trials_differ("number")),
    ),
    Rule(
        "run-job/concurrency",
        "A trial MUST begin as soon as fewer trials than allowed are running; a trial that waits for another run "
        "counts as running.",
        source="harbor.trial.queue.TrialQueue._run_trial",
        when=conditions.has_waiting_trials,
        where=conditions.in_first_begin,
    ),
    Rule(
        "run-job/retry-limit",
        "A trial MUST have at most one run more than it has retries.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
        where=runs_too_often(conditions.is_at_limit),
    ),
    Rule(
        "run-job/no-error-no-retry",
        "A trial without an error MUST NOT be run again.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
        where=runs_too_often(conditions.has_no_error),
    ),
    Rule(
        "run-job/excluded",
        "A trial with an excluded error MUST NOT be run again; five errors are excluded by default.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception and harbor.models.job.config.RetryConfig",
        where=runs_too_often(conditions.is_excluded),
    ),
    Rule(
        "run-job/included",
        "If errors are included, a trial with any other error MUST NOT be run again.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
        where=runs_too_often(conditions.is_not_included),
    ),
    Rule(
        "run-job/excluded-beats-included",
        "An error that is both included and excluded MUST count as excluded.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
        where=runs_too_often(conditions.is_included_and_excluded),
    ),
    Rule(
        "run-job/retried",
        "A trial with any other error MUST be run again; errors match by the exact name of their class, and an "
        "empty set has no effect.",
        source="harbor.trial.queue.TrialQueue._should_retry_exception",
        where=conditions.runs_too_rarely,
    ),
    Rule(
        "run-job/longest-wait",
        "A wait before a further run MUST NOT be longer than `max_wait_sec`.",
        source="harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec",
        where=conditions.in_begin_after_longest_wait,
    ),
    Rule(
        "run-job/waits",
        "The first wait before a further run MUST be `min_wait_sec`, and each later one MUST be `wait_multiplier` "
        "times the one before.",
        source="harbor.trial.queue.TrialQueue._calculate_backoff_delay_sec",
        where=conditions.in_begin_after_wait,
    ),
    Rule(
        "run-job/folder-anew",
        "A further run MUST begin with an empty directory.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries",
        where=conditions.in_files_of_retried,
    ),
    # All else.
    Rule(
        "run-job/retries-counted",
        "n_retries MUST count all runs of trials after their first.",
        source="harbor.job.Job._remove_completed_attempt_for_retry",
        where=at("n_retries"),
    ),
    Rule(
        "run-job/last-run-counts",
        "Only the last run of each trial MUST count.",
        source="harbor.trial.queue.TrialQueue._execute_trial_with_retries and harbor.job.Job.run",
        where=both(in_trial(conditions.is_retried), aspects("value"), at("stats")),
    ),
    Rule(
        "run-job/step-errors",
        "An error of a step alone MUST NOT count as an error in the stats; its trial MUST count with its rewards, "
        "or as 0 without.",
        source="harbor.models.job.result.JobStats.increment and harbor.job.Job.run",
        where=both(in_trial(conditions.has_error_of_step), at("stats")),
    ),
    Rule(
        "run-job/stats",
        "`stats` in result.json MUST be as in `job_stats`, over all trials of the job.",
        source="harbor.job.Job.run",
        where=at("stats"),
    ),
    Rule(
        "run-job/result",
        "result.json MUST have the job's id, the number of planned trials, and the times at which the job began, "
        "was updated last, and ended; the last is null if the job has not finished.",
        source="harbor.job.Job.run",
        where=in_file("result.json"),
    ),
    Rule(
        "run-job/lock",
        "lock.json MUST list the trials in planned order, each with its task's name, digest and path, its agent, "
        "its environment and its verifier; beside them it has the settings of retries and the number of trials at a"
        " time. Members without a value are left out.",
        source="harbor.models.job.lock.build_job_lock",
        where=in_file("lock.json"),
    ),
    Rule(
        "run-job/config",
        "config.json MUST have every member of Harbor's JobConfig, with the settings as given; the included and the"
        " excluded errors are lists of names, or null.",
        source="harbor.models.job.config.JobConfig",
        where=in_file("config.json"),
    ),
    Rule(
        "run-job/files",
        "A job's directory MUST hold config.json, lock.json, result.json and job.log beside the trials.",
        source="harbor.job.Job.run and harbor.job.Job._init_logger",
        where=conditions.in_job_files,
    ),
    Rule(
        "run-job/trials",
        "Each trial of a job MUST make the calls and leave the files that it does alone, as in `run_trial`.",
        source="harbor.trial.queue.TrialQueue._run_trial",
    ),
]
"""The rules for `run_job`, special ones before general ones."""
