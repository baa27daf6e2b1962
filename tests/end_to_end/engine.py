"""The bundled tasks, with the image that the engine has."""

import shutil
from pathlib import Path

from tests.sandboxes.kinds import IMAGE

TASKS = Path(__file__).parent.parent / "tasks"
_IMAGE = "debian:stable-slim"
"""The image that the tasks name."""


def copy_tasks(target: Path) -> Path:
    """Copy the bundled tasks, and let them name the image that is present."""
    shutil.copytree(TASKS, target)
    for path in target.glob("*/task.toml"):
        path.write_text(path.read_text().replace(_IMAGE, IMAGE))
    return target
