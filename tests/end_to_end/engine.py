"""Whether there is a container engine with the image that the bundled tasks are run on."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

TASKS = Path(__file__).parent.parent / "tasks"
TASKS_IMAGE = "debian:stable-slim"
IMAGE = os.environ.get("PARITY_DOCKER_IMAGE", TASKS_IMAGE)
"""What the tasks run on. It is never pulled."""


@cache
def missing_engine() -> str | None:
    """Why nothing can be run on Docker here; None if it can."""
    if shutil.which("docker") is None:
        return "NOT COMPARED ON DOCKER: there is no docker command"
    if not _succeeds("docker", "info"):
        return "NOT COMPARED ON DOCKER: no engine answers"
    if not _succeeds("docker", "image", "inspect", IMAGE):
        return f"NOT COMPARED ON DOCKER: {IMAGE} is not there; docker pull it, or name another in PARITY_DOCKER_IMAGE"
    return None


def copy_tasks(target: Path) -> Path:
    """The bundled tasks with the image that is there."""
    shutil.copytree(TASKS, target)
    for path in target.glob("*/task.toml"):
        path.write_text(path.read_text().replace(TASKS_IMAGE, IMAGE))
    return target


def _succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=30).returncode == 0
    except subprocess.TimeoutExpired:
        return False
