"""The cases, differences and reference's answers of `run_job` that its rules are about."""

from collections.abc import Callable
from itertools import chain
from typing import Any, Literal

from parity.driver.errors import InvalidTask, TaskError
from parity.driver.task import read_task
from parity.operations.answers import Answer, Fault, Value
from parity.operations.compare import Difference
from parity.operations.files.directories import scratch_directory
from parity.operations.rule import Where
from parity.operations.run_trial.conditions import ENDS_PROGRAM, error_of, in_record
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario, TaskFiles

# The job.


def has_n_tasks(case: JobScenario) -> bool:
    return case.n_tasks is not None


def has_no_attempts(case: JobScenario) -> bool:
    return case.attempts < 1


def has_several_agents(case: JobScenario) -> bool:
    return bool(case.further_agents)


def has_model(case: JobScenario) -> bool:
    """Return whether an agent has a model with a name."""
    agents = (case.settings.agent, *case.further_agents)
    return any((agent.model or "").split("/", 1)[-1] for agent in agents)


def has_metrics(case: JobScenario) -> bool:
    """Return whether there is more than one metric, or another one than the mean."""
    return case.metrics not in ((), ("mean",))


def repeats_several_tasks(case: JobScenario) -> bool:
    """Return whether there is more than one attempt at each of several tasks."""
    return len(case.tasks) > 1 and case.attempts > 1


def has_waiting_trials(case: JobScenario) -> bool:
    """Return whether not all trials may run at the same time."""
    return len(case.tasks) * case.attempts * (1 + len(case.further_agents)) > case.concurrent


def program_ends(case: JobScenario) -> bool:
    """Return whether the script has an exception that ends the whole program."""
    return any(each.text in ENDS_PROGRAM for script in chain(*case.scripts) for each in script.effects.values())


def has_other_directory(case: JobScenario) -> bool:
    """Return whether a directory of the dataset is not a task."""
    return not all(map(_is_task, case.tasks))


def _is_task(files: TaskFiles) -> bool:
    with scratch_directory() as directory:
        try:
            read_task(files.write(directory / "task"), in_dataset=True)
        except TaskError as error:
            return not isinstance(error, InvalidTask)
    return True


# Earlier runs.


def has_earlier(case: JobScenario) -> bool:
    return bool(case.earlier)


def _cancellations(case: JobScenario) -> list[bool]:
    """Return for each result of an earlier trial whether the trial was cancelled."""
    return ['"CancelledError"' in text for name, text in case.earlier.items() if name.endswith("/result.json")]


def keeps_earlier(case: JobScenario) -> bool:
    """Return whether an earlier trial has ended."""
    return not all(_cancellations(case))


def repeats_earlier(case: JobScenario) -> bool:
    """Return whether an earlier trial has no result, or was cancelled."""
    trials = {name.partition("/")[0] for name in case.earlier if "/" in name}
    return any(_cancellations(case)) or len(_cancellations(case)) < len(trials)


# Differences.


def trials_differ(*ways: Literal["tasks", "number", "order"]) -> Where:
    """Return a condition: there are trials of other tasks, more or fewer trials, or as many with other names."""
    return lambda difference, answer: _way(difference) in ways


def _way(difference: Difference) -> str | None:
    match difference:
        case Difference(("trials",), "keys", dict(expected), dict(actual)):
            if _tasks(expected) != _tasks(actual):
                return "tasks"
            return "order" if len(expected) == len(actual) else "number"
    return None


def _tasks(trials: dict[Any, Any]) -> set[str]:
    return {str(name).partition("__")[0] for name in trials}


def in_file(name: str) -> Where:
    """Return a condition: the difference is in this file of the job."""
    return lambda difference, answer: difference.path[:2] == ("files", name)


def in_job_files(difference: Difference, answer: Answer) -> bool:
    """Return whether the difference is in the job's own files."""
    return difference.path[:1] == ("files",)


def in_trial_keys(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial, or the record or a file of a trial, is missing or superfluous."""
    return difference.path[:1] == ("trials",) and len(difference.path) <= 3 and difference.aspect in ("keys", "type")


def in_first_begin(difference: Difference, answer: Answer) -> bool:
    """Return whether the first run of a trial begins at another time."""
    return _run_with_other_begin(difference) == 0


def _run_with_other_begin(difference: Difference) -> int | None:
    match difference:
        case Difference(("trials", _, "calls", int(run), 0, *_), "bits"):
            return run
    return None


# The reference's answer.


def is_fault(kind: str) -> Where:
    """Return a condition: the reference's job ends with an error of this class."""
    return lambda difference, answer: isinstance(answer, Fault) and answer.kind == kind


def in_trial(holds: Callable[[Record], bool]) -> Where:
    """Build a condition from a predicate of one of the trials."""
    return in_record(lambda job: any(map(holds, job["trials"].values())))


def _document(text: Any) -> Record:
    """Return a parsed document, or an empty one if it is cut off or missing."""
    return text if isinstance(text, dict) else {}


def _error(trial: Record) -> str | None:
    return error_of(_document(trial.get("result")))


def is_retried(trial: Record) -> bool:
    return len(trial["calls"]) > 1


def is_cancelled(trial: Record) -> bool:
    return _error(trial) == "CancelledError"


def has_error_of_step(trial: Record) -> bool:
    """Return whether a step has an error, and the trial has none."""
    steps = _document(trial.get("result")).get("step_results") or []
    return _error(trial) is None and any(map(error_of, steps))


def in_files_of_retried(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial that is run again lacks a file, or has one more."""
    match difference, answer:
        case Difference(("trials", name, "files"), "keys"), Value(dict(job)):
            trial: Record = job["trials"][name]
            return is_retried(trial)
    return False


# Runs of a trial.


def _retry(job: Record) -> Record:
    """Return the settings of retries in the job's config.json."""
    return _document(_document(job["files"].get("config.json")).get("retry"))


def runs_too_rarely(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial lacks a further run."""
    match difference:
        case Difference(("trials", _, "calls"), "length", list(expected), list(actual)):
            return len(actual) < len(expected)
    return False


def runs_too_often(holds: Callable[[Record, Record], bool]) -> Where:
    """Return a condition: a trial has a further run, and the predicate holds for it and the settings of retries."""

    def condition(difference: Difference, answer: Answer) -> bool:
        match difference, answer:
            case Difference(("trials", name, "calls"), "length", list(expected), list(actual)), Value(dict(job)):
                trial: Record = job["trials"][name]
                return len(actual) > len(expected) and holds(trial, _retry(job))
        return False

    return condition


def is_at_limit(trial: Record, retry: Record) -> bool:
    most: int = retry.get("max_retries", 0) + 1
    return len(trial["calls"]) == most


def has_no_error(trial: Record, retry: Record) -> bool:
    return _error(trial) is None


def _is_listed(trial: Record, retry: Record) -> tuple[bool, bool]:
    """Return whether the trial's error is included, and whether it is excluded."""
    included, excluded = (retry.get(f"{name}_exceptions") or () for name in ("include", "exclude"))
    return _error(trial) in included, _error(trial) in excluded


def is_excluded(trial: Record, retry: Record) -> bool:
    """Return whether the trial's error is excluded, and not included."""
    return _is_listed(trial, retry) == (False, True)


def is_not_included(trial: Record, retry: Record) -> bool:
    """Return whether the trial's error is neither included nor excluded."""
    return _is_listed(trial, retry) == (False, False)


def is_included_and_excluded(trial: Record, retry: Record) -> bool:
    return _is_listed(trial, retry) == (True, True)


def in_begin_after_wait(difference: Difference, answer: Answer) -> bool:
    """Return whether a further run of a trial begins at another time."""
    return bool(_run_with_other_begin(difference))


def in_begin_after_longest_wait(difference: Difference, answer: Answer) -> bool:
    """Return whether a further run begins at another time, and the wait before it is cut to the longest."""
    match difference, answer:
        case Difference(("trials", _, "calls", int(run), 0, *_), "bits"), Value(dict(job)) if run:
            retry = _retry(job)
            wait: float = retry.get("min_wait_sec", 0) * retry.get("wait_multiplier", 0) ** (run - 1)
            longest: float = retry.get("max_wait_sec", wait)
            return wait > longest
    return False
