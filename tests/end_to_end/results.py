"""Reads the results in a job's directory, without names, times and orders that differ from run to run."""

import hashlib
import json
from pathlib import Path
from typing import Any

type Tree = Any
"""A value that was parsed from JSON."""

_OF_DRIVERS = {"config.json", "lock.json", "trial.log", "job.log"}
"""Documents that contain settings of the driver."""

_VARIABLE = {
    "id", "trial_name", "trial_uri", "config", "task_checksum", "exception_message", "exception_traceback",
    "occurred_at", "started_at", "finished_at", "version", "task_id", "source",
}  # fmt: skip
"""Fields in a trial's result.json that differ from run to run, or between drivers."""


def outcomes(job: Path) -> dict[str, Tree]:
    """Return rewards, exceptions, steps and file names by task, and the job's statistics as `stats`.

    Raises:
        OSError: the directory has no finished job.
    """
    results = {path.parent: json.loads(path.read_text()) for path in job.glob("*/result.json")}
    whole = json.loads((job / "result.json").read_text())
    tasks = {result["trial_name"]: result["task_name"] for result in results.values()}
    trials = {result["task_name"]: _trial(result, directory) for directory, result in results.items()}
    return {**trials, "stats": {"n_total_trials": whole["n_total_trials"], **_stats(whole["stats"], tasks)}}


def _trial(result: Tree, directory: Path) -> Tree:
    outcome = _outcome(result)
    # After a timeout, the verifier's output is only in mounted directories.
    unsure = {"verifier/test-stdout.txt"} if outcome["exception"] == "VerifierTimeoutError" else set()
    files = {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}
    steps = {step["step_name"]: _outcome(step) for step in result.get("step_results") or ()}
    return {**outcome, "steps": steps, "files": sorted(files - unsure)}


def _outcome(result: Tree) -> Tree:
    """Return the rewards as JSON, in which 1 differs from 1.0, and the exception's class name."""
    rewards = (result["verifier_result"] or {}).get("rewards")
    exception = (result["exception_info"] or {}).get("exception_type")
    return {"rewards": json.dumps(rewards, sort_keys=True), "exception": exception}


def _stats(stats: Tree, tasks: dict[str, str]) -> Tree:
    """Return the stats with task names instead of trial names, and with one spelling for equal rewards."""
    for entry in stats["evals"].values():
        for values in entry["reward_stats"].values():
            by_value = {repr(float(value)): _tasks(names, tasks) for value, names in values.items()}
            values.clear()
            values |= by_value
        entry["exception_stats"] = {name: _tasks(names, tasks) for name, names in entry["exception_stats"].items()}
    return stats


def _tasks(trials: list[str], tasks: dict[str, str]) -> list[str]:
    return sorted(tasks[trial] for trial in trials)


def contents(job: Path) -> dict[str, dict[str, str]]:
    """Return the content of each file, by task and by the path in the trial's directory."""
    by_task = {}
    for result in job.glob("*/result.json"):
        directory = result.parent
        by_task[json.loads(result.read_text())["task_name"]] = {
            path.relative_to(directory).as_posix(): _content(path)
            for path in sorted(directory.rglob("*"))
            if path.is_file() and not (path.parent == directory and path.name in _OF_DRIVERS)
        }
    return by_task


def _content(path: Path) -> str:
    if path.name == "result.json":
        return json.dumps(_without_variable(json.loads(path.read_text())), sort_keys=True)
    if path.name == "exception.txt":
        return path.read_text().strip().rpartition("\n")[2].partition(":")[0].rpartition(".")[2]
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()[:16]
    return ascii(content) if len(content) <= 200 else f"{len(content)} bytes, {digest}"


def _without_variable(content: Tree) -> Tree:
    if isinstance(content, dict):
        return {key: _without_variable(value) for key, value in content.items() if key not in _VARIABLE}
    return [_without_variable(item) for item in content] if isinstance(content, list) else content
