"""Flags of `run_trial`, derived from the scenario and its answer."""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from parity.formats.task import TaskConfig
from parity.operations.answers import Fault, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.rule import carried
from parity.operations.scenarios.execution import run_trial_scenario
from parity.operations.scenarios.known_flags import FlagsOfScenarios
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import ScenarioSettings, TrialScenario
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.scenarios.task_flags import of_artifacts, of_files, of_task, of_variables, value_flags
from parity.operations.scenarios.wire import TRIAL_CODEC


def record_of(scenario: TrialScenario) -> Record | None:
    """Return the clean room's record of a scenario, or None if running it raises."""
    with suppress(Exception), scratch_folder() as folder:
        return run_trial_scenario(scenario, folder)
    return None


def _flags(scenario: TrialScenario, answer: Value | Fault) -> Iterator[str]:
    task = tomllib.loads(scenario.task.toml)
    config = TaskConfig.model_validate(task)
    yield from of_task(task, config)
    yield from value_flags(task, config)
    yield from of_variables(task, scenario.settings)
    yield from of_files(task, scenario)
    yield from of_artifacts(task)
    yield from _of_settings(scenario.settings)
    record: Any = answer.value if isinstance(answer, Value) else None
    if record is None or not record["calls"]:
        yield "refused"
    if record is not None:
        yield from _of_calls(scenario, record)
        yield from _of_result(task, record)


def _of_settings(settings: ScenarioSettings) -> set[str]:
    agent, verifier = settings.agent, settings.verifier_timeouts
    limits = {
        "overridden-timeout": (agent.override_timeout, verifier.override),
        "overridden-setup-timeout": (agent.override_setup_timeout,),
        "longest-timeout": (agent.max_timeout, verifier.max),
    }
    given = {flag: [limit for limit in each if limit is not None] for flag, each in limits.items()}
    factors = dict(vars(settings.multipliers))
    general = factors.pop("all") != 1.0
    specific = any(factor is not None for factor in factors.values())
    return carried(
        {
            agent.name: True,
            "verification-disabled": not settings.verification,
            "mounted": settings.mounted,
            "model": agent.model,
            **given,
            "zero-override": any(limit <= 0 for each in given.values() for limit in each),
            "general-multiplier": general,
            "specific-multiplier": specific,
            "both-multipliers": general and specific,
        }
    )


PROGRAM_ENDS = frozenset({"SystemExit", "KeyboardInterrupt"})
"""Exceptions that no trial catches."""


def has_limits(agent: AgentSettings) -> bool:
    """Return whether the settings of an agent override or limit a timeout."""
    limits = (agent.override_timeout, agent.max_timeout, agent.override_setup_timeout)
    return any(limit is not None for limit in limits)


def has_own_timeouts(settings: ScenarioSettings) -> bool:
    """Return whether settings override or limit a timeout."""
    limits = vars(settings.verifier_timeouts).values()
    return has_limits(settings.agent) or any(limit is not None for limit in limits)


def _of_calls(scenario: TrialScenario, record: Record) -> Iterator[str]:
    calls = [(purpose, call) for entry in record["calls"] for purpose, call in entry.items()]
    effects = [(calls[n], effect) for n, effect in scenario.script.effects.items() if n < len(calls)]
    for (purpose, _), effect in effects:
        if effect.text in PROGRAM_ENDS:
            yield "program-ends"
        elif effect.kind == "raise":
            yield f"raise-in-{purpose}"
        if effect.kind == "exit" and effect.number and purpose in _FAILING:
            yield _FAILING[purpose]
        if effect.kind == "print" and purpose == "ask-working-directory" and effect.text.strip() != "/app":
            yield "odd-working-directory"
        if effect.kind == "cancel" and purpose == "stop":
            yield "cancelled-stop"
    hit = [effect.kind for _, effect in effects]
    error = document(record["result"]).get("exception_info")
    purposes = [purpose for purpose, _ in calls]
    own = [purpose for purpose, call in calls if "__verifier__" in call["sandbox"]]
    yield from carried(
        {
            "two-errors": hit.count("raise") > 1,
            "cancelled-recovery": "cancel" in hit and error and error["exception_type"] != "CancelledError",
            "healthcheck-again": ("check-health", "check-health") in pairwise(purposes),
            "artifact-uploaded": "upload-files" in own,
        }
    )


_FAILING = {
    "run-solution": "solution-fails",
    "run-command": "command-fails",
    "set-up": "set-up-fails",
    "run-tests": "tests-fail",
}
_ENDS = {
    "EnvironmentStartTimeoutError": "start-timeout",
    "AgentSetupTimeoutError": "agent-setup-timeout",
    "AgentTimeoutError": "agent-timeout",
    "VerifierTimeoutError": "verifier-timeout",
    "HealthcheckError": "healthcheck-failed",
    "FileNotFoundError": "no-solution",
    "RewardFileNotFoundError": "no-reward",
    "RewardFileEmptyError": "unusable-reward",
    "VerifierOutputParseError": "unusable-reward",
    "CancelledError": "cancelled",
}


def document(result: Any) -> Record:
    """Return the parsed result.json; an empty one if it is cut off or missing, as after other releases of Harbor."""
    return result if isinstance(result, dict) else {}


def _of_result(task: dict[str, Any], record: Record) -> Iterator[str]:
    result, files = document(record["result"]), record["files"]
    steps = result.get("step_results") or []
    for part in (result, *steps) if result else ():
        error = part["exception_info"] and part["exception_info"]["exception_type"]
        rewards = part["verifier_result"] and part["verifier_result"]["rewards"]
        yield from {_ENDS[error]} if error in _ENDS else ()
        if error == "TimeoutError" and part.get("verifier"):
            yield "verifier-timeout"
        if error and rewards is not None:
            yield "error-then-verified"
        if rewards and len(rewards) > 1:
            yield "several-keys"
    if result:
        yield from _of_cancellation(result, steps)
    if steps and len(steps) < len(task["steps"]):
        yield "steps-left-out"
    if steps and result["verifier_result"]:
        yield "final-step" if task.get("multi_step_reward_strategy") == "final" else "mean-of-steps"
    for name in files:
        if name.endswith("verifier/reward.txt"):
            yield "reward-text"
        if name.endswith("verifier/reward.json"):
            yield "reward-json"
        if name.endswith("artifacts/manifest.json"):
            yield from _of_manifest(files[name])


def _of_cancellation(result: Record, steps: list[Record]) -> Iterator[str]:
    parts = [steps[-1] if steps else result]
    cancelled = result["exception_info"] and result["exception_info"]["exception_type"] == "CancelledError"
    if cancelled and parts[0]["verifier"]:
        yield "cancelled-verifier"
    elif cancelled and parts[0]["agent_execution"]:
        yield "cancelled-agent"


def _of_manifest(text: str) -> set[str]:
    return carried(
        {
            "artifact-missing": '"status": "failed"' in text,
            "artifact-file": '"type": "file"' in text,
            "artifact-folder": '"type": "directory"' in text,
        }
    )


FLAGS_OF_TRIALS = FlagsOfScenarios(_flags, run_trial_scenario, TRIAL_CODEC.encode)
"""The flags of scenarios of trials."""
