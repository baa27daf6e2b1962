"""Rules of `run_job`: which trials a job runs, when, how often, and what it writes of them.

A rule about the number of runs is known by why a trial was to be run again or not; see `parity.operations`.
"""

from parity.operations.rule import Rule, leaves_its_input, rules
from parity.operations.run_trial.rules import TIMES

_TEXTS = rules(
    "run_job",
    "pydantic.BaseModel.model_dump_json",
    ("run-job/document-layout", "", "Documents are indented by four blanks a level, with one blank after a colon and no line break at the end.", "layout", "texts/layout"),
    ("run-job/document-spelling", "", "Numbers are spelled as in `stats`, and of strings only quotes, backslashes and control characters are escaped.", "layout", "texts/spelling"),
    ("run-job/duplicate-key", "", "No object of a document has a key twice.", "layout", "texts/duplicate-key"),
    ("run-job/time-format", "", "Times of a job are local and name no zone, that of the lock is in UTC and ends in Z; all have six digits of a second's fraction, or none where it is 0.", "text", TIMES),
)  # fmt: skip

_PLAN = rules(
    "run_job",
    "harbor.job",
    ("run-job/overflow", "overflow", "A reward beyond the range of a double ends the job with an ExceptionGroup.", "fault"),
    ("run-job/left-out", "left-out", "A folder of the dataset that is no task is left out, and the job goes on without it.", "fault"),
    ("run-job/cancelled", "cancelled", "A trial that is cancelled alone lets the others go on, and leaves the job unfinished.", "", "finished_at trials/names trials/tasks stats"),
    ("run-job/tasks", "", "Every task of the dataset is run, and nothing else.", "", "trials/tasks"),
    ("run-job/planned-order", "several-tasks-and-attempts", "The first attempts at all tasks are planned before the second ones.", "", "trials/order"),
)  # fmt: skip

_QUEUE = rules(
    "run_job",
    "harbor.trial.queue",
    ("run-job/same-name", "retried", "All runs of a trial have its name.", "", "trials/names"),
    ("run-job/concurrency", "queued one-after-another", "A trial begins as soon as fewer than the allowed number are running, those that wait for another run included.", "bits", "0/0"),
    ("run-job/retry-limit", "out-of-retries", "A trial has no more runs than its retries and one.", "", "limit"),
    ("run-job/no-error-no-retry", "", "A trial without an error is not run again.", "", "no-error"),
    ("run-job/excluded", "excluded", "A trial with an excluded error is not run again; five errors are excluded by default.", "", "excluded"),
    ("run-job/included", "not-included", "Where errors are included, a trial with any other is not run again.", "", "not-included"),
    ("run-job/excluded-beats-included", "included-and-excluded", "An error that is included and excluded is excluded.", "", "included-and-excluded"),
    ("run-job/retried", "retried", "A trial with any other error is run again, by the exact name of its class; an empty set includes and excludes nothing.", "", "retried"),
    ("run-job/longest-wait", "capped-wait", "No wait before a further run is longer than the longest.", "bits", "1/0 2/0 3/0"),
    ("run-job/waits", "retried", "Before a further run the shortest wait passes, each time multiplied once more.", "bits", "1/0 2/0 3/0"),
    ("run-job/folder-anew", "retried", "A further run begins with an empty folder.", "keys", "files"),
)  # fmt: skip

_RESUME = rules(
    "run_job",
    "harbor.cli.jobs",
    ("run-job/resume-not-finite", "earlier-not-finite", "An earlier reward that is nan or infinite was written as null, so that its job never goes on: ValidationError.", "fault"),
    ("run-job/resume-legacy-retries", "earlier-legacy", "Where the `stats` of an earlier result.json lack n_retries, those of its object `status` count.", "", "n_retries"),
    ("run-job/resume-legacy-damaged", "earlier-legacy", "Counts that an earlier result.json has in `status`, or as n_trials and n_errors, are checked where they stand for missing ones: ValidationError.", "fault"),
    ("run-job/resume-lock-digests", "earlier-lock-digests", "In an earlier lock.json, tasks, skills, instructions and Compose files count by their digests, and the paths of agent and environment do not: FileExistsError; a digest that is none is a ValueError.", "fault"),
    ("run-job/resume-damaged", "earlier-damaged", "A document of an earlier run that is no JSON, or not what Harbor's models take, ends the job: ValidationError; one that a trial lacks, FileNotFoundError.", "fault"),
    ("run-job/resume-without-config", "earlier-without-config", "A result.json without a config.json is a ValueError.", "fault"),
    ("run-job/resume-lock", "earlier-lock", "An earlier lock.json of other trials or settings is a FileExistsError, one that is no lock a ValueError; where no error is excluded from retries it is always another.", "fault"),
    ("run-job/resume-otherwise", "earlier-otherwise", "A document of an earlier run may lack what has a default, and hold what no model knows.", "fault"),
    ("run-job/resume-settings", "earlier-other-settings", "A job does not go on with other settings: FileExistsError; its name and `debug` are none, `quiet` and the number of trials at a time are.", "fault"),
    ("run-job/resume-not-planned", "earlier-not-planned", "An earlier trial that is not planned, or once more than it is, is a ValueError.", "fault"),
    ("run-job/resume-replaced-key", "earlier-replaced-key", "A half of a surrogate pair in a key of an earlier reward was replaced when it was written, and stays so: the same key of a new trial is another one.", "", "stats"),
    ("run-job/resume-same-job", "earlier", "A job that goes on keeps its id, its start, and the number of its retries.", "", "goes_on n_retries"),
    ("run-job/resume-again", "earlier-begun earlier-cancelled", "An earlier trial without a result, or that was cancelled, is removed, and runs again."),
    ("run-job/resume-kept", "earlier-ended", "An earlier trial that has ended, with an error or without, is kept for the first planned one of its configuration, and counts before all new ones."),
)  # fmt: skip

_SETTINGS = rules(
    "run_job",
    "harbor.models.job.config",
    ("run-job/n-tasks", "n-tasks", "The first n_tasks tasks of a dataset are run; of a negative number, all but so many of the last.", "", "trials/tasks"),
    ("run-job/no-attempts", "no-attempts", "A job of no attempts, or fewer, has no trials, and finishes.", ""),
    ("run-job/agents", "several-agents", "Each attempt at a task is made by one agent after the other.", "", "trials/order trials/names trials/tasks calls config.json lock.json agents"),
    ("run-job/models", "models", "Agents are distinguished by the names of their models, which are what follows the first slash.", "", "evals agent_info model_name stats"),
    ("run-job/metrics", "several-metrics", "Every configured metric is computed, in their order.", "", "metrics"),
    ("run-job/program-ends", "program-ends", "What ends the program is no error of the trial, which is written without one; all others are cancelled.", "", "finished_at trials exception_info stats"),
)  # fmt: skip

_DOCUMENTS = rules(
    "run_job",
    "harbor.job",
    ("run-job/retries-counted", "", "n_retries counts the runs that were begun again.", "", "n_retries"),
    ("run-job/last-run-counts", "retried", "Only the last run of each trial counts.", "", "stats"),
    ("run-job/stats", "", "result.json has the stats of all trials.", "", "stats"),
    ("run-job/result", "", "result.json says how many trials there are, and when the job began and ended.", "", "files/result.json"),
    ("run-job/lock", "", "lock.json says what each trial was run with, in planned order.", "", "lock.json"),
    ("run-job/config", "", "config.json says how the job was run, and its errors by name.", "", "retry n_attempts n_concurrent_trials datasets agents"),
    ("run-job/files", "", "A job's folder holds config.json, lock.json, result.json and job.log beside the trials.", "keys", "files"),
    ("run-job/trials", "", "Each trial of a job runs as it does alone."),
)  # fmt: skip

RULES: list[Rule] = [
    *_TEXTS,
    *_RESUME,
    *_SETTINGS,
    *_PLAN,
    *_QUEUE,
    *_DOCUMENTS,
    leaves_its_input("run_job", "harbor.job"),
]
"""Special rules before general ones."""
