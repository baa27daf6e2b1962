"""Flags of a task that is run: its environment, users, variables, files and artifacts, and spellings of its values."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from parity.formats.task import TaskConfig
from parity.operations.rule import carried
from parity.operations.scenarios.scenario import ScenarioSettings, TrialScenario


def _parts(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the task itself and its steps; each of them may have an agent and a verifier."""
    return [task, *steps_of(task)]


def steps_of(task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps in a task.toml."""
    return list(task.get("steps", []))


def _separate(part: dict[str, Any]) -> bool | None:
    verifier = part.get("verifier", {})
    mode = verifier.get("environment_mode")
    return mode == "separate" if mode else True if "environment" in verifier else None


def of_task(task: dict[str, Any], config: TaskConfig) -> Iterator[str]:
    """Yield the flags of a task's shape, environment and users."""
    steps, environment = steps_of(task), task.get("environment", {})
    yield "multi-step" if steps else "single-step"
    modes = [bool(_separate(task) if _separate(part) is None else _separate(part)) for part in steps or [task]]
    yield from carried(
        {
            "separate-verifier": any(modes),
            "separate-last": modes[-1],
            "both-verifiers": len(set(modes)) > 1,
            "own-environment": any("environment" in part.get("verifier", {}) for part in _parts(task)),
            "workdir": environment.get("workdir"),
            "prebuilt-image": environment.get("docker_image"),
            "resources": environment.keys() & {"cpus", "memory_mb", "storage_mb", "memory", "storage"},
            "offline": not config.environment.network,
            "package": task.get("task"),
            "healthcheck": "healthcheck" in environment,
            "step-healthcheck": any("healthcheck" in step for step in steps),
            "repeated-step": len({step["name"] for step in steps}) < len(steps),
            "odd-step-name": any(not re.fullmatch(r"[\w-]{1,20}", step["name"], re.ASCII) for step in steps),
            "min-reward": any("min_reward" in step for step in steps),
        }
    )
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


def of_variables(task: dict[str, Any], settings: ScenarioSettings) -> Iterator[str]:
    """Yield the flags of the variables in task and settings, and of their templates."""
    verifier = task.get("verifier", {}).get("env", {})
    own = [step.get("verifier", {}).get("env", {}) for step in steps_of(task)]
    shared = task.get("environment", {}).get("env", {})
    solution = task.get("solution", {}).get("env", {})
    others = (solution, settings.agent.env, verifier, settings.verifier_env, *own)
    yield from carried(
        {
            "task-variables": shared,
            "solution-variables": solution,
            "agent-variables": settings.agent.env,
            "verifier-variables": verifier,
            "step-verifier-variables": any(own),
            "ve": settings.verifier_env,
            "overridden-variable": any(_overlap([verifier, each, settings.verifier_env]) for each in own or [{}]),
            "task-variable-overridden": any(shared.keys() & each for each in others),
        }
    )
    for env in (shared, *others):
        yield from _of_templates(env.values(), settings)


def _overlap(envs: list[Any]) -> bool:
    return len({name for env in envs for name in env}) < sum(map(len, envs))


def _of_templates(values: Iterable[str], settings: ScenarioSettings) -> Iterator[str]:
    for value in values:
        template = re.fullmatch(r"\$\{([^}:]+)(?::-(.*))?\}", value)
        if template is None:
            if "${" in value:
                yield "not-a-template"
        elif template[1] in settings.host:
            yield "template-set"
        else:
            yield "template-missing" if template[2] is None else "template-default"


def of_files(task: dict[str, Any], scenario: TrialScenario) -> Iterator[str]:
    """Yield the flags of the files in the task's folder, and of those that the agent leaves."""
    names = list(scenario.task.files)
    in_environment = [name for name in names if name.startswith("environment/") and name != "environment/"]
    if any(name in ("environment/Dockerfile", "environment/docker-compose.yaml") for name in names):
        yield "buildable"
    elif in_environment and task.get("environment", {}).get("docker_image"):
        yield "prebuilt-image-with-files"
    for step in steps_of(task):
        folder = f"steps/{step['name']}"
        for kind, flag in (("workdir", "step-files"), ("tests", "step-tests"), ("solution", "step-solution")):
            if any(name.startswith(f"{folder}/{kind}/") for name in names):
                yield flag
        if f"{folder}/workdir/setup.sh" in names:
            yield "set-up"
        if f"{folder}/instruction.md/" in names:
            yield "instruction-unreadable"
    for text in (text for name, text in scenario.task.files.items() if PurePosixPath(name).name == "instruction.md"):
        first, *rest = text.split("\n")
        yield from carried(
            {
                "canary": "canary" in first.lower(),
                "canary-within": any("canary" in line.lower() for line in rest),
                "blank-lines": not first.strip() and rest,
            }
        )
    left = [name for files in scenario.script.agent for name in files]
    yield from carried(
        {
            "agent-logs": any(name.startswith("/logs/agent/") for name in left),
            "exit-code-planted": any(name.startswith("/logs/agent/exit-code.txt") for name in left),
        }
    )


def of_artifacts(task: dict[str, Any]) -> Iterator[str]:
    """Yield the flags of a task's artifacts."""
    for step in steps_of(task) or [{}]:
        artifacts = [
            {"source": each} if isinstance(each, str) else each
            for each in (*task.get("artifacts", []), *step.get("artifacts", []))
        ]
        places = [each.get("destination") or PurePosixPath(each["source"]).name for each in artifacts]
        relative = [place.strip("/") for place in places]
        yield from carried(
            {
                "artifact": task.get("artifacts"),
                "step-artifact": step.get("artifacts"),
                "artifact-destination": any(each.get("destination") for each in artifacts),
                "artifact-exclude": any(each.get("exclude") for each in artifacts),
                "artifact-convention": any(each["source"].rstrip("/") == "/logs/artifacts" for each in artifacts),
                "artifact-overlap": len(set(relative)) < len(relative) or "manifest.json" in relative,
            }
        )


_TIMES = ("timeout_sec", "build_timeout_sec", "interval_sec", "start_period_sec", "start_interval_sec")
_SIZES = ("memory", "storage")
_COUNTS = ("cpus", "memory_mb", "storage_mb", "gpus", "retries")
_TYPES: dict[str, tuple[type, ...]] = {
    "user": (str, int),
    "allow_internet": (bool,),
    "min_reward": (int, float, dict),
    **dict.fromkeys(_TIMES, (int, float)),
    **dict.fromkeys(_COUNTS, (int,)),
}


def value_flags(task: dict[str, Any], config: TaskConfig) -> set[str]:
    """Return the flags of the values in a task.toml.

    Args:
        task: the parsed task.toml.
        config: the configuration that was read from it.
    """
    tables = list(_tables(task))
    checks = list(filter(None, [config.environment.healthcheck, *(step.healthcheck for step in config.steps)]))
    flags = carried(
        {
            "lax-value": any(
                type(table[key]) not in types for table in tables for key, types in _TYPES.items() if key in table
            ),
            "size-with-unit": any(isinstance(table.get(what), str) for table in tables for what in _SIZES),
            "healthcheck-starting": any(check.start_period_sec > 0 for check in checks),
            "odd-retries": any(check.retries <= 0 for check in checks),
            "step-agent-timeout": any(step.agent.timeout_sec is not None for step in config.steps),
            "step-verifier-timeout": any("timeout_sec" in step.get("verifier", {}) for step in task.get("steps", [])),
        }
    )
    return flags.union(*map(_of_time, _timeouts(config)))


def _tables(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the tables with keys that Harbor knows."""
    for part in (task, *task.get("steps", [])):
        verifier = part.get("verifier", {})
        environments = [part.get("environment", {}), verifier.get("environment", {})]
        checks = [table.get("healthcheck", {}) for table in (part, *environments)]
        yield from (part, part.get("agent", {}), verifier, *environments, *checks)
        if isinstance(bounds := part.get("min_reward"), dict):
            yield from ({"min_reward": bound} for bound in bounds.values())


def _timeouts(config: TaskConfig) -> list[float]:
    times = [config.environment.build_timeout_sec, config.agent.timeout_sec, config.verifier.timeout_sec]
    for step in config.steps:
        times += [step.agent.timeout_sec, step.verifier.timeout_sec]
    return [time for time in times if time is not None]


def _of_time(time: float) -> set[str]:
    return carried(
        {
            "nan-timeout": time != time,
            "zero-timeout": time <= 0,
            "infinite-timeout": time == float("inf"),
            "fractional-timeout": 0 < time < float("inf") and not time.is_integer(),
        }
    )
