"""Flags of `run_trial` for the types of values in task.toml, and for its timeouts."""

from collections.abc import Iterator
from typing import Any

from parity.formats.task import TaskConfig
from parity.operations.flag import carried

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
