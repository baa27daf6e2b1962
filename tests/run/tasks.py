"""Writes datasets of small tasks for a test."""

from pathlib import Path

from tests.sandboxes.kinds import IMAGE

_SETTINGS = """\
[agent]
timeout_sec = 60

[verifier]
timeout_sec = 60

[environment]
{image}network_mode = "no-network"
"""


def write_task(folder: Path, *, solution: str = "true", tests: str, image: str | None = IMAGE) -> Path:
    """Write a task with this solution and this test script, given as bash source; return its folder."""
    for name in ("environment", "solution", "tests"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text(_SETTINGS.format(image=f'docker_image = "{image}"\n' if image else ""))
    (folder / "instruction.md").write_text("Do it.\n")
    (folder / "solution" / "solve.sh").write_text(f"#!/bin/bash\n{solution}\n")
    (folder / "tests" / "test.sh").write_text(f"#!/bin/bash\n{tests}\n")
    return folder


def reward(value: object) -> str:
    """Return bash source that leaves a reward."""
    return f"echo {value} > /logs/verifier/reward.txt"
