"""Makes the summary of a job that has ended: a table of its tasks, the numbers of its result.json, and its errors."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from parity.command.streams import counted
from parity.formats.trial_result import ExceptionInfo, TrialResult
from parity.scorer.job import JobTrial
from parity.scorer.job_directory.trial_file import job_trial
from parity.scorer.printable import printable
from parity.scorer.result_text import key_text
from parity.scorer.stats import Group, Stats
from parity.scorer.values import Number

_NAME_WIDTH = 48
"""Maximum length of a displayed name, in characters."""

_RESULT_WIDTH = 100
"""Maximum length of the displayed results of a task's trials, in characters."""

_SHOWN = 10
"""Maximum number of error classes that are shown with a message."""

_ERROR_WIDTH = 200
"""Maximum length of a displayed error with its message, in characters."""


def summary(
    results: Sequence[TrialResult[Any, Any]],
    stats: Stats,
    directory: Path,
    seconds: float,
    notes: Sequence[str] = (),
    *,
    left_out: int = 0,
) -> str:
    """Return the summary of a job, with a newline at the end of each line.

    Args:
        results: the last result of each trial of the job.
        stats: the stats in result.json.
        directory: the job's directory.
        seconds: the duration of this run.
        notes: lines about variables that tasks were given, kept images and tasks that were left out.
        left_out: the number of tasks in the dataset that were not run, broken ones included.
    """
    lines = [*_aligned([("task", "trials", "errors", "gave"), *_rows(results)]), ""]
    for key, group in sorted(stats.groups.items()):
        lines += [printable(key, _NAME_WIDTH), *(f"  {line}" for line in _group(group)), ""]
    if errors := [*_error_lines(results)]:
        lines += [*errors, ""]
    lines += map(printable, notes)
    counts = [counted(stats.completed, "trial"), counted(stats.errored, "error")]
    if of_steps := sum(1 for result in results for _ in step_errors_of(result)):
        counts.append(f"{counted(of_steps, 'error')} in steps")
    if left_out:
        counts.append(f"{counted(left_out, 'task')} left out")
    lines.append(f"{', '.join(counts)}, in {duration(seconds)}")
    lines.append(printable(str(directory / "result.json")))
    return "\n".join(lines) + "\n"


def duration(seconds: float) -> str:
    """Return a duration in words: `2.1 s`, `3 min 5 s` or `2 h 14 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _rows(results: Iterable[TrialResult[Any, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each task, sorted by name."""
    tasks: dict[str, list[TrialResult[Any, Any]]] = {}
    for result in results:
        tasks.setdefault(result.task_name, []).append(result)
    for name, own in sorted(tasks.items()):
        errors = [error.name for result in own for error in errors_of(result)]
        gave = "; ".join([*_rewards([*map(job_trial, own)]), *_tally(errors)]) or "no reward"
        yield printable(name, _NAME_WIDTH), str(len(own)), str(len(errors) or "-"), printable(gave, _RESULT_WIDTH)


def _error_lines(results: Iterable[TrialResult[Any, Any]]) -> Iterator[str]:
    """Yield a line for each class of error in trials or steps, with the message of its first occurrence."""
    first: dict[str, str] = {}
    counts = Counter[str]()
    for error in (error for result in results for error in errors_of(result)):
        first.setdefault(error.name, str(error))
        counts[error.name] += 1
    for name, times in counts.most_common(_SHOWN):
        yield printable(first[name], _ERROR_WIDTH) + (f" (and {times - 1:,} more)" if times > 1 else "")
    if len(counts) > _SHOWN:
        yield f"and {counted(len(counts) - _SHOWN, 'other error')}"


def _rewards(trials: Sequence[JobTrial]) -> Iterator[str]:
    """Yield a string for each reward key, with its values from all trials, the largest first."""
    values: dict[str, list[Number]] = {}
    for trial in trials:
        for key, value in (trial.rewards or {}).items():
            values.setdefault(key, []).append(value)
    for key, numbers in values.items():
        in_order = sorted(numbers, key=lambda number: (math.isnan(number), -number))
        yield f"{key} {', '.join(_tally(map(key_text, in_order)))}"


def _tally(names: Iterable[str]) -> list[str]:
    return [name if times == 1 else f"{name} x{times}" for name, times in Counter(names).items()]


def _group(group: Group) -> Iterator[str]:
    """Yield the lines about one agent on one dataset, from result.json."""
    yield f"rewarded    {group.rewarded:,}"
    for metric in group.metrics:
        yield f"metrics     {_numbers(metric)}"
    if group.pass_at_k:
        yield f"pass@k      {_numbers({str(k): estimate for k, estimate in sorted(group.pass_at_k.items())})}"
    if group.exceptions:
        errors = {error: len(names) for error, names in sorted(group.exceptions.items())}
        yield f"exceptions  {_numbers(errors)}"


def _numbers(numbers: Mapping[str, Number]) -> str:
    return printable(", ".join(f"{name} {key_text(number)}" for name, number in numbers.items()), 2 * _RESULT_WIDTH)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{name:{widths[0]}}  {trials:>{widths[1]}}  {errors:>{widths[2]}}  {gave}"
        for name, trials, errors, gave in rows
    ]


class ShownError(NamedTuple):
    """An error of a trial or of one of its steps."""

    name: str
    """The class of the error and, for the error of a step, the name of the step."""

    message: str
    """The first line of the error's message."""

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name


def errors_of(result: TrialResult[Any, Any]) -> Iterator[ShownError]:
    """Yield the error of a trial, if there is one, and the errors of its steps."""
    if result.exception_info is not None:
        yield _first_line(result.exception_info)
    yield from step_errors_of(result)


def step_errors_of(result: TrialResult[Any, Any]) -> Iterator[ShownError]:
    """Yield the errors of a trial's steps, without the error of the trial itself."""
    for step in result.step_results or ():
        if step.exception_info is not None:
            yield _first_line(step.exception_info, f" in step {step.step_name}")


def _first_line(error: ExceptionInfo, where: str = "") -> ShownError:
    return ShownError(error.exception_type + where, error.exception_message.strip().partition("\n")[0])
