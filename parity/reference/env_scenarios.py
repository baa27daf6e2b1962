"""Scores an environment's tasks with Harbor: runs real trials with an agent that does nothing, and takes the mean."""

from functools import cache
from pathlib import Path

from harbor.metrics.mean import Mean
from harbor.models.task.task import Task

from parity.operations.files.directories import scratch_directory
from parity.operations.rollout.scenario import EnvScenario, RolloutCall, TaskScenario
from parity.operations.scenarios.document_texts import masked_message
from parity.operations.scenarios.places import LOGS_OF_VERIFIER
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.scenarios.transcripts import Transcript
from parity.reference.recorded import run_trial
from parity.scorer.values import Rewards

_KEY = "reward"
_REFUSED: Transcript = {"refused": "harbor"}
_CALLS: dict[RolloutCall, tuple[str, str]] = {
    "upload-tests": ("target", "/tests"),
    "run-tests": ("command", "/tests/test.sh)"),
    "read-reward": ("source", LOGS_OF_VERIFIER),
}
"""For each call, a key in its transcript, and a substring of the key's value that no other call contains."""


def run_harbor_scenario(scenario: EnvScenario, directory: Path) -> Transcript:
    """Return the transcript: each task's rewards, recorded error and test call, and the mean over all tasks."""
    dataset = scenario.write(directory)
    chosen = [path for path in sorted(dataset.iterdir()) if _is_chosen(path, scenario)]
    if not chosen or not all(map(_is_task, chosen)):
        return _REFUSED
    rollouts = [_run_task(scenario.task(path.name), directory / f"trial-{path.name}") for path in chosen]
    rewards = [{_KEY: rollout["reward"]} if rollout["rewards"] else None for rollout in rollouts]
    return {"rollouts": rollouts, "average": float(Mean().compute(rewards)["mean"])}


def _is_chosen(path: Path, scenario: EnvScenario) -> bool:
    """Return whether a directory is scored: a chosen one, or by default one that contains both files of a task."""
    if scenario.names:
        return path.name in scenario.names
    return all((path / name).exists() for name in ("task.toml", "instruction.md"))


def _is_task(path: Path) -> bool:
    try:
        Task(path)
    except Exception:
        return False
    return True


@cache
def _numbers_of_calls() -> dict[RolloutCall, int]:
    """Return the number of each of these calls, which depends on the release."""
    task = TaskFiles("", {"instruction.md": "", "environment/": "", "tests/test.sh": "#!/bin/sh\n"})
    with scratch_directory() as directory:
        _, calls = run_trial(
            TrialScenario(task, ScenarioSettings(AgentSettings("nop")), Script({}, (), ({},))), directory
        )
    return {
        name: next(place for place, call in enumerate(calls) if part in str(call.get(key)))
        for name, (key, part) in _CALLS.items()
    }


def _run_task(scenario: TaskScenario, directory: Path) -> Transcript:
    files = {name: content.decode() for name, content in scenario.files.items()}
    effects = {}
    if scenario.injected_fault is not None:
        seconds = scenario.injected_fault.seconds
        effect = Effect("raise", "OSError") if seconds is None else Effect("wait", "", seconds)
        effects[_numbers_of_calls()[scenario.injected_fault.call]] = effect
    verifier_files = {
        f"{LOGS_OF_VERIFIER}/{name}": content.decode(errors="surrogateescape")
        for name, content in scenario.left.items()
    }
    trial = TrialScenario(
        TaskFiles(files.pop("task.toml"), files),
        ScenarioSettings(AgentSettings("nop")),
        Script(effects, (), (verifier_files,)),
    )
    directory.mkdir()
    result, calls = run_trial(trial, directory)
    assert result is not None
    rewards = result.verifier_result.rewards if result.verifier_result else None
    error = result.exception_info.exception_type if result.exception_info else None
    message = result.exception_info.exception_message if result.exception_info else ""
    reward = 0.0
    try:
        reward = _one_number(rewards)
    except (OverflowError, _AmbiguousRewardError) as raised:
        error, message = error or type(raised).__name__.removeprefix("_"), message or str(raised)
    run = next((call for call in calls if "/tests/test.sh)" in str(call.get("command"))), None)
    tests = run and {key: run[key] for key in ("command", "cwd", "env")}
    message = message.replace(f"{directory}/job/trial/verifier", LOGS_OF_VERIFIER)
    masked = None if error is None else masked_message(error, message)
    return {"error": error, "message": masked, "rewards": rewards, "reward": reward, "tests": tests}


class _AmbiguousRewardError(Exception):
    """The kit's own error for several rewards that do not give one number; its message has no reason code."""


def _one_number(rewards: Rewards | None) -> float:
    """Return Harbor's mean of one trial; for several keys, the reward under `reward`, the key of Harbor's
    thresholds.
    """
    means = Mean().compute([rewards])
    if rewards is None or len(rewards) < 2:
        return float(means["mean"])
    if _KEY not in means:
        raise _AmbiguousRewardError("several rewards, and none is called 'reward'")
    return float(means[_KEY])
