"""Writes small tasks for tests."""

from pathlib import Path

from tests.sandboxes.kinds import IMAGE

_SETTINGS = """\
{top}
[agent]
timeout_sec = {agent}

[verifier]
timeout_sec = {verifier}

[environment]
{image}network_mode = "no-network"
{more}"""


def write_task(
    folder: Path,
    *,
    solution: str = "true",
    tests: str,
    image: str | None = IMAGE,
    agent: float = 60,
    verifier: float = 60,
    top: str = "",
    more: str = "",
) -> Path:
    """Write a task.

    Args:
        folder: the task's folder, which is made.
        solution: bash source of `solution/solve.sh`.
        tests: bash source of `tests/test.sh`.
        image: `environment.docker_image`; None for none.
        agent: the time limit of the agent, in seconds.
        verifier: the time limit of the verifier, in seconds.
        top: lines at the top of task.toml.
        more: lines at its end, in the table `environment`.

    Returns:
        The task's folder.
    """
    for name in ("environment", "solution", "tests"):
        (folder / name).mkdir(parents=True)
    docker_image = f'docker_image = "{image}"\n' if image else ""
    settings = _SETTINGS.format(top=top, agent=agent, verifier=verifier, image=docker_image, more=more)
    (folder / "task.toml").write_text(settings)
    (folder / "instruction.md").write_text("Do it.\n")
    (folder / "solution" / "solve.sh").write_text(f"#!/bin/bash\n{solution}\n")
    (folder / "tests" / "test.sh").write_text(f"#!/bin/bash\n{tests}\n")
    return folder


def reward(value: object) -> str:
    """Return bash source that leaves a reward."""
    return f"echo {value} > /logs/verifier/reward.txt"
