"""Compares the jobs of several drivers, and prints a table.

    python -m tests.end_to_end.agreement JOB JOB...

The jobs must have the same tasks and the same agent.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import ndiff
from pathlib import Path

from tests.end_to_end.outcomes import JobOutcome, Outcome, read_job

type Jobs = Mapping[str, JobOutcome]
"""Jobs by the name of the driver."""


def disagreements(jobs: Jobs) -> list[str]:
    """Return a line for each difference of a job from the first job."""
    first, *others = jobs
    return [f"{name}: {line}" for name in others for line in _differences(jobs[first], jobs[name])]


def table(jobs: Jobs) -> str:
    """Return a table of every task's outcome: one line if all drivers agree, else one line for each driver."""
    lines = [f"{len(jobs)} jobs: {', '.join(jobs)}"]
    for task in _tasks(jobs.values()):
        shown = {name: _shown(job, task) for name, job in jobs.items()}
        if len(set(shown.values())) == 1:
            lines.append(f"{task:32} {next(iter(shown.values()))}")
        else:
            lines += [f"{task}: they disagree", *(f"    {name:28} {words}" for name, words in shown.items())]
    return "\n".join(lines)


def report(jobs: Jobs) -> str:
    """Return the table, followed by the differences."""
    return "\n".join([table(jobs), "", *(disagreements(jobs) or ["All agree."])])


def _tasks(jobs: Iterable[JobOutcome]) -> list[str]:
    return sorted({trial.name for job in jobs for trial in job.trials})


def _shown(job: JobOutcome, task: str) -> str:
    return "; ".join(_words(trial) for trial in job.trials if trial.name == task) or "did not run"


def _words(outcome: Outcome) -> str:
    steps = ", ".join(f"{step.name} {_words(step)}" for step in outcome.steps)
    return " ".join(part for part in (outcome.rewards, outcome.exception, f"({steps})" if steps else "") if part)


def _files(job: JobOutcome, task: str) -> set[str]:
    return {file for trial in job.trials if trial.name == task for file in trial.files}


def _differences(expected: JobOutcome, actual: JobOutcome) -> Iterator[str]:
    for task in _tasks((expected, actual)):
        if _shown(expected, task) != _shown(actual, task):
            yield f"{task}: {_shown(actual, task)} instead of {_shown(expected, task)}"
        missing, extra = (_files(expected, task) - _files(actual, task), _files(actual, task) - _files(expected, task))
        yield from (f"{task}: there is no {file}" for file in sorted(missing))
        yield from (f"{task}: there is {file}, which should not be" for file in sorted(extra))
    yield from (f"stats: {line}" for line in ndiff(_lines(expected), _lines(actual)) if line[0] in "+-")


def _lines(job: JobOutcome) -> list[str]:
    return json.dumps(job.stats, sort_keys=True, indent=1).splitlines()


if __name__ == "__main__":
    found = {folder: read_job(Path(folder)) for folder in sys.argv[1:]}
    if len(found) < 2:
        sys.exit("usage: python -m tests.end_to_end.agreement JOB JOB...")
    print(report(found))
    sys.exit(bool(disagreements(found)))
