"""Flags of `run_trial` that say how task.toml spells its values, and how long it lets things take."""

from collections.abc import Iterator
from typing import Any

from parity.driver.task_config import TaskConfig

_TIMES = ("timeout_sec", "build_timeout_sec", "interval_sec", "start_period_sec", "start_interval_sec")
_COUNTS = ("cpus", "memory_mb", "storage_mb", "gpus", "retries")
_TYPES: dict[str, tuple[type, ...]] = {
    "user": (str, int),
    "allow_internet": (bool,),
    "min_reward": (int, float, dict),
    **dict.fromkeys(_TIMES, (int, float)),
    **dict.fromkeys(_COUNTS, (int,)),
}


def value_flags(task: dict[str, Any], config: TaskConfig) -> Iterator[str]:
    """Why the values of a task are hard.

    Args:
        task: task.toml as it was parsed.
        config: what was read from it.
    """
    tables = list(_tables(task))
    if any(type(table[key]) not in types for table in tables for key, types in _TYPES.items() if key in table):
        yield "lax-value"
    if any(isinstance(table.get(what), str) for table in tables for what in ("memory", "storage")):
        yield "size-with-unit"
    checks = [config.environment.healthcheck, *(step.healthcheck for step in config.steps)]
    for check in filter(None, checks):
        if check.start_period > 0:
            yield "healthcheck-starting"
        if check.retries <= 0:
            yield "odd-retries"
    for step in config.steps:
        if step.agent.timeout is not None:
            yield "step-agent-timeout"
    if any("timeout_sec" in step.get("verifier", {}) for step in task.get("steps", [])):
        yield "step-verifier-timeout"
    for time in _timeouts(config):
        yield from _of_time(time)


def _tables(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The tables whose keys Harbor knows."""
    for part in (task, *task.get("steps", [])):
        verifier = part.get("verifier", {})
        environments = [part.get("environment", {}), verifier.get("environment", {})]
        checks = [table.get("healthcheck", {}) for table in (part, *environments)]
        yield from (part, part.get("agent", {}), verifier, *environments, *checks)
        if isinstance(bounds := part.get("min_reward"), dict):
            yield from ({"min_reward": bound} for bound in bounds.values())


def _timeouts(config: TaskConfig) -> list[float]:
    times = [config.environment.build_timeout, config.agent.timeout, config.verifier.timeout]
    for step in config.steps:
        times += [step.agent.timeout, step.verifier.timeout]
    return [time for time in times if time is not None]


def _of_time(time: float) -> Iterator[str]:
    if time != time:
        yield "nan-timeout"
    elif time <= 0:
        yield "zero-timeout"
    elif time == float("inf"):
        yield "infinite-timeout"
    elif not time.is_integer():
        yield "fractional-timeout"
