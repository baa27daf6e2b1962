"""The results in a job's folder, without trial names, times, and the order of ends, which differ from run to run."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

type Content = Any
"""Something parsed from JSON."""


@dataclass(frozen=True, order=True)
class Outcome:
    """The result of a trial or of a step."""

    name: str
    """The name of the task or of the step."""

    rewards: str
    """The rewards as JSON with sorted keys, so that 1 differs from 1.0; `null` without rewards."""

    exception: str
    """The exception's class; empty without one."""

    steps: tuple["Outcome", ...] = ()
    files: tuple[str, ...] = ()
    """The files in the trial's folder; links count as their targets."""


@dataclass(frozen=True)
class JobOutcome:
    """The result of a job."""

    trials: tuple[Outcome, ...]
    stats: Content


def read_job(folder: Path) -> JobOutcome:
    """Return the result of the job in a folder.

    Raises:
        OSError: the folder has no finished job.
    """
    results = {path.parent: json.loads(path.read_text()) for path in folder.glob("*/result.json")}
    job = json.loads((folder / "result.json").read_text())
    tasks = {result["trial_name"]: result["task_name"] for result in results.values()}
    return JobOutcome(
        trials=tuple(sorted(_trial(result, trial) for trial, result in results.items())),
        stats={"n_total_trials": job["n_total_trials"], **_stats(job["stats"], tasks)},
    )


def _trial(result: Content, folder: Path) -> Outcome:
    steps = tuple(_outcome(step, step["step_name"]) for step in result.get("step_results") or ())
    ended = _outcome(result, result["task_name"])
    return Outcome(ended.name, ended.rewards, ended.exception, steps, _files(folder, ended.exception))


def _outcome(result: Content, name: str) -> Outcome:
    rewards = (result["verifier_result"] or {}).get("rewards")
    exception = (result["exception_info"] or {}).get("exception_type", "")
    return Outcome(name, json.dumps(rewards, sort_keys=True), exception)


def _files(folder: Path, exception: str) -> tuple[str, ...]:
    """Return the files in a folder, without the verifier's output after a timeout, which only mounted folders have."""
    unsure = {"verifier/test-stdout.txt"} if exception == "VerifierTimeoutError" else set()
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return tuple(sorted(files - unsure))


def _stats(stats: Content, tasks: dict[str, str]) -> Content:
    return {**stats, "evals": {key: _eval(entry, tasks) for key, entry in stats["evals"].items()}}


def _eval(entry: Content, tasks: dict[str, str]) -> Content:
    """Return an entry of the stats in which equal rewards share one spelling, because the first trial decides it."""
    rewards = {
        key: {repr(float(value)): _tasks(names, tasks) for value, names in values.items()}
        for key, values in entry["reward_stats"].items()
    }
    exceptions = {name: _tasks(names, tasks) for name, names in entry["exception_stats"].items()}
    return {**entry, "reward_stats": rewards, "exception_stats": exceptions}


def _tasks(trials: list[str], tasks: dict[str, str]) -> list[str]:
    return sorted(tasks[trial] for trial in trials)
