"""What is compared of an environment that was run, in values that every language has."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.operations.scenarios.records import Record

_KEPT = ("OPENAI_BASE_URL", "OPENAI_MODEL", "HARBOR_TASK_NAME", "HARBOR_TASK_DIR", "HARBOR_INSTRUCTION_PATH")
VARIABLES = frozenset({*_KEPT, "AGENT_WORKDIR"})
"""The variables that the documentation names."""


def row_record(row: Mapping[str, Any], dataset: Path) -> Record:
    """A row of a dataset; releases name the task here or there, and a dataset fills tables with nulls."""
    info = row["info"]
    return {
        "example_id": row["example_id"],
        "task": row.get("task") or info.get("task_name"),
        "prompt": row["prompt"],
        "task_dir": str(Path(info["task_dir"]).relative_to(dataset)),
        "docker_image": info["docker_image"],
        "config": plain(info["config"]),
    }


def plain(value: Any) -> Any:
    """A value of task.toml without nulls in tables, and with texts for dates and times."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def variables_record(variables: Mapping[str, str], given: Mapping[str, str]) -> Record:
    """The documented variables, and those that were given."""
    return {name: value for name, value in sorted(variables.items()) if name in VARIABLES or name in given}


def average_of(rewards: Sequence[float]) -> float:
    """As `verifiers` takes it."""
    return sum(rewards) / len(rewards)
