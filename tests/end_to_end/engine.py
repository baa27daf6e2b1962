"""The bundled tasks, and their image."""

import os
import shutil
from pathlib import Path

TASKS = Path(__file__).parent.parent / "tasks"
TASKS_IMAGE = "debian:stable-slim"
IMAGE = os.environ.get("PARITY_DOCKER_IMAGE", TASKS_IMAGE)
"""The image of the tasks. It is never pulled."""


def copy_tasks(target: Path) -> Path:
    """Copy the bundled tasks, with an image that is present."""
    shutil.copytree(TASKS, target)
    for path in target.glob("*/task.toml"):
        path.write_text(path.read_text().replace(TASKS_IMAGE, IMAGE))
    return target
