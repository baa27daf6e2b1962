"""The bundled tasks, and the image that they are run on."""

import os
import shutil
from pathlib import Path

TASKS = Path(__file__).parent.parent / "tasks"
TASKS_IMAGE = "debian:stable-slim"
IMAGE = os.environ.get("PARITY_DOCKER_IMAGE", TASKS_IMAGE)
"""What the tasks run on. It is never pulled."""


def copy_tasks(target: Path) -> Path:
    """The bundled tasks with the image that is there."""
    shutil.copytree(TASKS, target)
    for path in target.glob("*/task.toml"):
        path.write_text(path.read_text().replace(TASKS_IMAGE, IMAGE))
    return target
