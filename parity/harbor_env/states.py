"""What is known of a rollout, and what of it says which task it is."""

from pathlib import Path
from typing import Any

type State = dict[str, Any]
"""What is known of a rollout."""


def info_of(state: State) -> dict[str, Any]:
    """What the dataset says of the rollout's task."""
    info: dict[str, Any] = state.get("info") or {}
    return info


def name_of(state: State) -> str:
    """The task's name, for messages."""
    return str(info_of(state).get("task_name") or state.get("task"))


def task_folder(state: State, dataset: Path) -> Path:
    """Find the task's folder on the host: by its path, or by the task's name where the state has no path.

    Args:
        state: the rollout's.
        dataset: the folder that holds the task folders.

    Raises:
        ValueError: the state names no task.
    """
    info = info_of(state)
    given, name = state.get("harbor_task_dir") or info.get("task_dir"), info.get("task_name") or state.get("task")
    if not given and not name:
        raise ValueError("the rollout's state names no task: take its rows from load_harbor_dataset")
    return Path(given) if given else dataset / str(name)
