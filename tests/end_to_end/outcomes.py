"""What a job folder says, without what differs from run to run: names of trials, times, and who ended first."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

type Content = Any
"""Something parsed from JSON."""


@dataclass(frozen=True, order=True)
class Outcome:
    """How a trial or a step of one ended."""

    name: str
    """Of the task or of the step."""

    rewards: str
    """As JSON with sorted keys, so that 1 is not 1.0; `null` without any."""

    exception: str
    """The class; empty without any."""

    steps: tuple["Outcome", ...] = ()
    files: tuple[str, ...] = ()
    """The files in the trial's folder; links count as what they lead to."""


@dataclass(frozen=True)
class JobOutcome:
    """How a job ended."""

    trials: tuple[Outcome, ...]
    stats: Content


def read_job(folder: Path) -> JobOutcome:
    """The outcome of the job in a folder.

    Raises:
        OSError: there is no finished job.
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
    """A verifier that was cut off has left its output on a mounted folder, but nobody has fetched it from another."""
    unsure = {"verifier/test-stdout.txt"} if exception == "VerifierTimeoutError" else set()
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return tuple(sorted(files - unsure))


def _stats(stats: Content, tasks: dict[str, str]) -> Content:
    return {**stats, "evals": {key: _eval(entry, tasks) for key, entry in stats["evals"].items()}}


def _eval(entry: Content, tasks: dict[str, str]) -> Content:
    """Equal rewards share a key, which the first of them to end spells: `1` or `1.0`."""
    rewards = {
        key: {repr(float(value)): _tasks(names, tasks) for value, names in values.items()}
        for key, values in entry["reward_stats"].items()
    }
    exceptions = {name: _tasks(names, tasks) for name, names in entry["exception_stats"].items()}
    return {**entry, "reward_stats": rewards, "exception_stats": exceptions}


def _tasks(trials: list[str], tasks: dict[str, str]) -> list[str]:
    return sorted(tasks[trial] for trial in trials)
