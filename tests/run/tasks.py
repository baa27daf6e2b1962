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
    directory: Path,
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
        directory: the task's directory, which is created.
        solution: bash source of `solution/solve.sh`.
        tests: bash source of `tests/test.sh`.
        image: the value of `environment.docker_image`, or None to leave the key out.
        agent: the time limit of the agent, in seconds.
        verifier: the time limit of the verifier, in seconds.
        top: lines at the top of task.toml.
        more: lines at the end of task.toml, in the table `environment`.

    Returns:
        The task's directory.
    """
    for name in ("environment", "solution", "tests"):
        (directory / name).mkdir(parents=True)
    docker_image = f'docker_image = "{image}"\n' if image else ""
    settings = _SETTINGS.format(top=top, agent=agent, verifier=verifier, image=docker_image, more=more)
    (directory / "task.toml").write_text(settings)
    (directory / "instruction.md").write_text("Do it.\n")
    (directory / "solution" / "solve.sh").write_text(f"#!/bin/bash\n{solution}\n")
    (directory / "tests" / "test.sh").write_text(f"#!/bin/bash\n{tests}\n")
    return directory


def reward(value: object) -> str:
    """Return bash source that writes a reward to reward.txt."""
    return f"echo {value} > /logs/verifier/reward.txt"
