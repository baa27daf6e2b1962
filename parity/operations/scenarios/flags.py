"""Flags of `run_trial`, derived from the play and from what comes of it."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from parity.driver.settings import AgentSettings
from parity.driver.task_config import TaskConfig
from parity.driver.task_models import TASK
from parity.driver.task_table import Place
from parity.operations.answers import Fault, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.scenarios.known_flags import FlagsOfPlays
from parity.operations.scenarios.playing import play_trial
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import PlaySettings, TrialPlay
from parity.operations.scenarios.task_value_flags import value_flags
from parity.operations.scenarios.wire import encode_play


def record_of(play: TrialPlay) -> Record | None:
    """What comes of it in the clean room; None where that raises."""
    with suppress(Exception), scratch_folder() as folder:
        return play_trial(play, folder)
    return None


def _flags(play: TrialPlay, answer: Value | Fault) -> Iterator[str]:
    task = tomllib.loads(play.task.toml)
    config = TASK(Place(Path("task")), task)
    yield from _of_task(task, config)
    yield from value_flags(task, config)
    yield from _of_variables(task, play.settings)
    yield from _of_files(task, play)
    yield from _of_artifacts(task)
    yield from _of_settings(play.settings)
    record: Any = answer.value if isinstance(answer, Value) else None
    if record is None or not record["calls"]:
        yield "refused"
    if record is not None:
        yield from _of_calls(play, record)
        yield from _of_result(task, record)


def _of_settings(settings: PlaySettings) -> Iterator[str]:
    yield settings.agent.name
    if not settings.verification:
        yield "verification-disabled"
    if settings.mounted:
        yield "mounted"
    if settings.agent.model:
        yield "model"
    yield from _of_limits(settings)
    factors = dict(vars(settings.multipliers))
    general = factors.pop("all") != 1.0
    specific = any(factor is not None for factor in factors.values())
    if general:
        yield "general-multiplier"
    if specific:
        yield "specific-multiplier"
    if general and specific:
        yield "both-multipliers"


def _of_limits(settings: PlaySettings) -> Iterator[str]:
    agent, verifier = settings.agent, settings.verifier_timeouts
    for flag, limits in (
        ("overridden-timeout", (agent.override_timeout, verifier.override)),
        ("overridden-setup-timeout", (agent.override_setup_timeout,)),
        ("longest-timeout", (agent.max_timeout, verifier.max)),
    ):
        if any(limit is not None for limit in limits):
            yield flag
        if any(limit is not None and limit <= 0 for limit in limits):
            yield "zero-override"


PROGRAM_ENDS = frozenset({"SystemExit", "KeyboardInterrupt"})
"""Errors that no trial catches."""


def has_limits(agent: AgentSettings) -> bool:
    """Whether the settings of an agent override or cut a timeout."""
    limits = (agent.override_timeout, agent.max_timeout, agent.override_setup_timeout)
    return any(limit is not None for limit in limits)


def has_own_timeouts(settings: PlaySettings) -> bool:
    """Whether settings override or cut a timeout."""
    limits = vars(settings.verifier_timeouts).values()
    return has_limits(settings.agent) or any(limit is not None for limit in limits)


def _parts(task: dict[str, Any]) -> list[dict[str, Any]]:
    """The task itself and its steps: each has an agent and a verifier."""
    return [task, *_steps(task)]


def _steps(task: dict[str, Any]) -> list[dict[str, Any]]:
    return list(task.get("steps", []))


def _separate(part: dict[str, Any]) -> bool | None:
    verifier = part.get("verifier", {})
    mode = verifier.get("environment_mode")
    return mode == "separate" if mode else True if "environment" in verifier else None


def _of_task(task: dict[str, Any], config: TaskConfig) -> Iterator[str]:
    steps, environment = _steps(task), task.get("environment", {})
    yield "multi-step" if steps else "single-step"
    modes = [bool(_separate(task) if _separate(part) is None else _separate(part)) for part in steps or [task]]
    for flag, given in (
        ("separate-verifier", any(modes)),
        ("separate-last", modes[-1]),
        ("both-verifiers", len(set(modes)) > 1),
        ("own-environment", any("environment" in part.get("verifier", {}) for part in _parts(task))),
        ("workdir", environment.get("workdir")),
        ("prebuilt-image", environment.get("docker_image")),
        ("resources", environment.keys() & {"cpus", "memory_mb", "storage_mb", "memory", "storage"}),
        ("offline", not config.environment.network),
        ("package", task.get("task")),
        ("healthcheck", "healthcheck" in environment),
        ("step-healthcheck", any("healthcheck" in step for step in steps)),
        ("repeated-step", len({step["name"] for step in steps}) < len(steps)),
        ("odd-step-name", any(not re.fullmatch(r"[\w-]{1,20}", step["name"], re.ASCII) for step in steps)),
        ("min-reward", any("min_reward" in step for step in steps)),
    ):
        if given:
            yield flag
    yield from _of_users(task)


def _of_users(task: dict[str, Any]) -> Iterator[str]:
    for part in _parts(task):
        for role in ("agent", "verifier"):
            user = part.get(role, {}).get("user")
            if user is None:
                continue
            yield f"{role}-user" if part is task else "step-user"
            if not isinstance(user, str) or not user:
                yield "odd-user"


def _of_variables(task: dict[str, Any], settings: PlaySettings) -> Iterator[str]:
    verifier = task.get("verifier", {}).get("env", {})
    own = [step.get("verifier", {}).get("env", {}) for step in _steps(task)]
    shared = task.get("environment", {}).get("env", {})
    solution = task.get("solution", {}).get("env", {})
    for flag, given in (
        ("task-variables", shared),
        ("solution-variables", solution),
        ("agent-variables", settings.agent.env),
        ("verifier-variables", verifier),
        ("step-verifier-variables", any(own)),
        ("ve", settings.verifier_env),
        ("overridden-variable", any(_overlap([verifier, each, settings.verifier_env]) for each in own or [{}])),
        (
            "task-variable-overridden",
            any(shared.keys() & each for each in (solution, settings.agent.env, verifier, settings.verifier_env, *own)),
        ),
    ):
        if given:
            yield flag
    for env in (shared, solution, settings.agent.env, verifier, settings.verifier_env, *own):
        yield from _of_templates(env.values(), settings)


def _overlap(envs: list[Any]) -> bool:
    return len({name for env in envs for name in env}) < sum(map(len, envs))


def _of_templates(values: Iterable[str], settings: PlaySettings) -> Iterator[str]:
    for value in values:
        template = re.fullmatch(r"\$\{([^}:]+)(?::-(.*))?\}", value)
        if template is None:
            if "${" in value:
                yield "not-a-template"
        elif template[1] in settings.host:
            yield "template-set"
        else:
            yield "template-missing" if template[2] is None else "template-default"


def _of_files(task: dict[str, Any], play: TrialPlay) -> Iterator[str]:
    names = list(play.task.files)
    in_environment = [name for name in names if name.startswith("environment/") and name != "environment/"]
    if any(name in ("environment/Dockerfile", "environment/docker-compose.yaml") for name in names):
        yield "buildable"
    elif in_environment and task.get("environment", {}).get("docker_image"):
        yield "prebuilt-image-with-files"
    for step in _steps(task):
        folder = f"steps/{step['name']}"
        for kind, flag in (("workdir", "step-files"), ("tests", "step-tests"), ("solution", "step-solution")):
            if any(name.startswith(f"{folder}/{kind}/") for name in names):
                yield flag
        if f"{folder}/workdir/setup.sh" in names:
            yield "set-up"
        if f"{folder}/instruction.md/" in names:
            yield "instruction-unreadable"
    instructions = [text for name, text in play.task.files.items() if PurePosixPath(name).name == "instruction.md"]
    for text in instructions:
        first, *rest = text.split("\n")
        if "canary" in first.lower():
            yield "canary"
        if any("canary" in line.lower() for line in rest):
            yield "canary-within"
        if not first.strip() and rest:
            yield "blank-lines"
    left = [name for files in play.script.agent for name in files]
    if any(name.startswith("/logs/agent/") for name in left):
        yield "agent-logs"
    if any(name.startswith("/logs/agent/exit-code.txt") for name in left):
        yield "exit-code-planted"


def _of_artifacts(task: dict[str, Any]) -> Iterator[str]:
    if task.get("artifacts"):
        yield "artifact"
    if any(step.get("artifacts") for step in _steps(task)):
        yield "step-artifact"
    for step in _steps(task) or [{}]:
        artifacts = [
            {"source": each} if isinstance(each, str) else each
            for each in (*task.get("artifacts", []), *step.get("artifacts", []))
        ]
        if any(each.get("destination") for each in artifacts):
            yield "artifact-destination"
        if any(each.get("exclude") for each in artifacts):
            yield "artifact-exclude"
        if any(each["source"].rstrip("/") == "/logs/artifacts" for each in artifacts):
            yield "artifact-convention"
        places = [each.get("destination") or PurePosixPath(each["source"]).name for each in artifacts]
        relative = [place.strip("/") for place in places]
        if len(set(relative)) < len(relative) or "manifest.json" in relative:
            yield "artifact-overlap"


def _of_calls(play: TrialPlay, record: Record) -> Iterator[str]:
    calls = [(purpose, call) for told in record["calls"] for purpose, call in told.items()]
    effects = [(calls[n], effect) for n, effect in play.script.effects.items() if n < len(calls)]
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
    if hit.count("raise") > 1:
        yield "two-errors"
    error = record["result"]["exception_info"]
    if "cancel" in hit and error and error["exception_type"] != "CancelledError":
        yield "cancelled-recovery"
    purposes = [purpose for purpose, _ in calls]
    if ("check-health", "check-health") in pairwise(purposes):
        yield "healthcheck-again"
    own = [purpose for purpose, call in calls if "__verifier__" in call["sandbox"]]
    if "upload-files" in own:
        yield "artifact-uploaded"


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


def _of_result(task: dict[str, Any], record: Record) -> Iterator[str]:
    result, files = record["result"], record["files"]
    steps = result["step_results"] or []
    for part in (result, *steps):
        error = part["exception_info"] and part["exception_info"]["exception_type"]
        rewards = part["verifier_result"] and part["verifier_result"]["rewards"]
        yield from {_ENDS[error]} if error in _ENDS else ()
        if error == "TimeoutError" and part.get("verifier"):
            yield "verifier-timeout"
        if error and rewards is not None:
            yield "error-then-verified"
        if rewards and len(rewards) > 1:
            yield "several-keys"
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


def _of_manifest(text: str) -> Iterator[str]:
    for status, flag in (("failed", "artifact-missing"),):
        if f'"status": "{status}"' in text:
            yield flag
    for kind, flag in (("file", "artifact-file"), ("directory", "artifact-folder")):
        if f'"type": "{kind}"' in text:
            yield flag


FLAGS_OF_TRIALS = FlagsOfPlays(_flags, play_trial, encode_play)
"""Why a play is hard."""
