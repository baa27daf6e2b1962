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


def task_folder(state: State) -> Path:
    """The task's folder on the host.

    Raises:
        ValueError: the state names none.
        FileNotFoundError: it is gone.
    """
    given = state.get("harbor_task_dir") or info_of(state).get("task_dir")
    if not given:
        raise ValueError("the rollout's state names no task_dir: take its rows from load_harbor_dataset")
    folder = Path(given)
    if not folder.is_dir():
        raise FileNotFoundError(f"the task's folder is gone: {folder}")
    return folder
