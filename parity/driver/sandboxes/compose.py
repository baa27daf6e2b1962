"""Tasks of several containers, which none of the sandboxes here runs."""

from pathlib import Path

_NAMES = ("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml")


def compose_file(folder: Path) -> str | None:
    """The name of a task's compose file; None if it has none."""
    return next((name for name in _NAMES if (folder / name).exists()), None)
