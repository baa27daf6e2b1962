"""Copies the bundled tasks, with an image that the Docker engine already has."""

import shutil
from pathlib import Path

from tests.sandboxes.kinds import IMAGE

TASKS = Path(__file__).parent.parent / "tasks"
_IMAGE = "debian:stable-slim"
"""The image that the bundled tasks use."""


def copy_tasks(target: Path) -> Path:
    """Copy the bundled tasks, make the copies use the available image, and return the target."""
    shutil.copytree(TASKS, target)
    for path in target.glob("*/task.toml"):
        path.write_text(path.read_text().replace(_IMAGE, IMAGE))
    return target
