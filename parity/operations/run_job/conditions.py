"""Conditions on cases, differences and the reference's answers, which the rules for `run_job` use."""

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

# Conditions on the job.


def has_n_tasks(case: JobScenario) -> bool:
    return case.n_tasks is not None


def has_no_attempts(case: JobScenario) -> bool:
    return case.attempts < 1


def has_several_agents(case: JobScenario) -> bool:
    return bool(case.further_agents)


def has_model(case: JobScenario) -> bool:
    """Return whether an agent has a model whose name is not empty."""
    agents = (case.settings.agent, *case.further_agents)
    return any((agent.model or "").split("/", 1)[-1] for agent in agents)


def has_metrics(case: JobScenario) -> bool:
    """Return whether the job has several metrics, or a metric other than the mean."""
    return case.metrics not in ((), ("mean",))


def repeats_several_tasks(case: JobScenario) -> bool:
    """Return whether the job has several tasks with several attempts each."""
    return len(case.tasks) > 1 and case.attempts > 1


def has_waiting_trials(case: JobScenario) -> bool:
    """Return whether the job has more trials than may run at the same time."""
    return len(case.tasks) * case.attempts * (1 + len(case.further_agents)) > case.concurrent


def program_ends(case: JobScenario) -> bool:
    """Return whether a script raises an exception that ends the whole program."""
    return any(each.text in ENDS_PROGRAM for script in chain(*case.scripts) for each in script.effects.values())


def has_other_directory(case: JobScenario) -> bool:
    """Return whether a directory in the dataset is not a task."""
    return not all(map(_is_task, case.tasks))


def _is_task(files: TaskFiles) -> bool:
    with scratch_directory() as directory:
        try:
            read_task(files.write(directory / "task"), in_dataset=True)
        except TaskError as error:
            return not isinstance(error, InvalidTask)
    return True


# Conditions on earlier runs.


def has_earlier(case: JobScenario) -> bool:
    return bool(case.earlier)


def _cancellations(case: JobScenario) -> list[bool]:
    """Return one bool for each result of an earlier trial: whether the trial was cancelled."""
    return ['"CancelledError"' in text for name, text in case.earlier.items() if name.endswith("/result.json")]


def keeps_earlier(case: JobScenario) -> bool:
    """Return whether an earlier trial ended without being cancelled."""
    return not all(_cancellations(case))


def repeats_earlier(case: JobScenario) -> bool:
    """Return whether an earlier trial has no result, or was cancelled."""
    trials = {name.partition("/")[0] for name in case.earlier if "/" in name}
    return any(_cancellations(case)) or len(_cancellations(case)) < len(trials)


# Conditions on differences.


def trials_differ(*ways: Literal["tasks", "number", "order"]) -> Where:
    """Build a condition that holds if the names of the trials differ in one of these ways.

    `tasks`: the trials belong to different tasks. `number`: there are more or fewer trials. `order`: there are as many
    trials, but with different names.
    """
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
    """Build a condition that holds if the difference is in the job's own file with this name."""
    return lambda difference, answer: difference.path[:2] == ("files", name)


def in_job_files(difference: Difference, answer: Answer) -> bool:
    """Return whether the difference is in the job's own files."""
    return difference.path[:1] == ("files",)


def in_trial_keys(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial, a part of its record or one of its files is missing or superfluous."""
    return difference.path[:1] == ("trials",) and len(difference.path) <= 3 and difference.aspect in ("keys", "type")


def in_first_begin(difference: Difference, answer: Answer) -> bool:
    """Return whether the first run of a trial begins at a different time than expected."""
    return _run_with_other_begin(difference) == 0


def _run_with_other_begin(difference: Difference) -> int | None:
    match difference:
        case Difference(("trials", _, "calls", int(run), 0, *_), "bits"):
            return run
    return None


# Conditions on the reference's answer.


def is_fault(kind: str) -> Where:
    """Build a condition that holds if the reference's job ends with an error of this class."""
    return lambda difference, answer: isinstance(answer, Fault) and answer.kind == kind


def in_trial(holds: Callable[[Record], bool]) -> Where:
    """Build a condition that holds if the predicate holds for one of the trials."""
    return in_record(lambda job: any(map(holds, job["trials"].values())))


def _document(text: Any) -> Record:
    """Return the parsed document, or an empty dict if the document is truncated or missing."""
    return text if isinstance(text, dict) else {}


def _error(trial: Record) -> str | None:
    return error_of(_document(trial.get("result")))


def is_retried(trial: Record) -> bool:
    return len(trial["calls"]) > 1


def is_cancelled(trial: Record) -> bool:
    return _error(trial) == "CancelledError"


def has_error_of_step(trial: Record) -> bool:
    """Return whether a step has an error, but the trial has none."""
    steps = _document(trial.get("result")).get("step_results") or []
    return _error(trial) is None and any(map(error_of, steps))


def in_files_of_retried(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial with several runs lacks a file or has an unexpected file."""
    match difference, answer:
        case Difference(("trials", name, "files"), "keys"), Value(dict(job)):
            trial: Record = job["trials"][name]
            return is_retried(trial)
    return False


# Conditions on the runs of a trial.


def _retry(job: Record) -> Record:
    """Return the retry settings from the job's config.json."""
    return _document(_document(job["files"].get("config.json")).get("retry"))


def runs_too_rarely(difference: Difference, answer: Answer) -> bool:
    """Return whether a trial has fewer runs than expected."""
    match difference:
        case Difference(("trials", _, "calls"), "length", list(expected), list(actual)):
            return len(actual) < len(expected)
    return False


def runs_too_often(holds: Callable[[Record, Record], bool]) -> Where:
    """Build a condition that holds if a trial has more runs than expected, and the predicate holds.

    The predicate is called with the reference's record of the trial and the retry settings.
    """

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
    """Return two bools: whether the trial's error is included, and whether the error is excluded."""
    included, excluded = (retry.get(f"{name}_exceptions") or () for name in ("include", "exclude"))
    return _error(trial) in included, _error(trial) in excluded


def is_excluded(trial: Record, retry: Record) -> bool:
    """Return whether the trial's error is excluded but not included."""
    return _is_listed(trial, retry) == (False, True)


def is_not_included(trial: Record, retry: Record) -> bool:
    """Return whether the trial's error is neither included nor excluded."""
    return _is_listed(trial, retry) == (False, False)


def is_included_and_excluded(trial: Record, retry: Record) -> bool:
    return _is_listed(trial, retry) == (True, True)


def in_begin_after_wait(difference: Difference, answer: Answer) -> bool:
    """Return whether a run after the first one begins at a different time than expected."""
    return bool(_run_with_other_begin(difference))


def in_begin_after_longest_wait(difference: Difference, answer: Answer) -> bool:
    """Return whether a run begins at a different time than expected after a wait that the longest wait limits."""
    match difference, answer:
        case Difference(("trials", _, "calls", int(run), 0, *_), "bits"), Value(dict(job)) if run:
            retry = _retry(job)
            wait: float = retry.get("min_wait_sec", 0) * retry.get("wait_multiplier", 0) ** (run - 1)
            longest: float = retry.get("max_wait_sec", wait)
            return wait > longest
    return False
