"""Records of an environment's run, in values that every language has."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parity.operations.scenarios.records import Record

_KEPT = ("OPENAI_BASE_URL", "OPENAI_MODEL", "HARBOR_TASK_NAME", "HARBOR_TASK_DIR", "HARBOR_INSTRUCTION_PATH")
VARIABLES = frozenset({*_KEPT, "AGENT_WORKDIR"})
"""The variables that the documentation names."""


def row_record(row: Mapping[str, Any], dataset: Path) -> Record:
    """Record a row of a dataset. Nulls in tables are dropped."""
    info = row["info"]
    return {
        "example_id": row["example_id"],
        "task": row["task"],
        "prompt": row["prompt"],
        "task_dir": str(Path(info["task_dir"]).relative_to(dataset)),
        "docker_image": info["docker_image"],
        "config": plain(info["config"]),
    }


def plain(value: Any) -> Any:
    """Return a value of task.toml without nulls in tables, and with dates and times as texts."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def variables_record(variables: Mapping[str, str], given: Mapping[str, str]) -> Record:
    """Return the record of variables: the documented ones and the given ones."""
    return {name: value for name, value in sorted(variables.items()) if name in VARIABLES or name in given}
