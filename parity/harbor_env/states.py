"""The state of a rollout, and the task that it belongs to."""

from pathlib import Path
from typing import Any

type State = dict[str, Any]
"""The state of a rollout, by the documented keys."""


def info_of(state: State) -> dict[str, Any]:
    """Return the dataset's `info` of the rollout's task."""
    info: dict[str, Any] = state.get("info") or {}
    return info


def name_of(state: State) -> str:
    """Return the task's name, for messages."""
    return str(info_of(state).get("task_name") or state.get("task"))


def task_folder(state: State, dataset: Path) -> Path:
    """Return the task's folder on the host: its path in the state, or else found by the task's name.

    Args:
        state: the rollout's state.
        dataset: the folder that holds the task folders.

    Raises:
        ValueError: the state names no task.
    """
    info = info_of(state)
    given, name = state.get("harbor_task_dir") or info.get("task_dir"), info.get("task_name") or state.get("task")
    if not given and not name:
        raise ValueError("the rollout's state names no task: take its rows from load_harbor_dataset")
    return Path(given) if given else dataset / str(name)
