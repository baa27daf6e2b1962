"""Finds out whether a sandbox lacked something that a task needs, so that its trials cannot be judged."""

import re
from pathlib import Path

from parity.driver.task_config import TaskConfig
from parity.lint.scripts import script_text
from parity.lint.trials import Trials

_NO_NETWORK = re.compile(
    r"could not resolve|name resolution|network is unreachable|name or service not known|connection refused"
    r"|failed to (fetch|connect|lookup)|failed to download|no route to host|could not connect|dns error|EAI_AGAIN",
    re.IGNORECASE,
)


def lacking(
    task: Path, config: TaskConfig, trials: Trials, *, has_solution: bool, images: bool, network: bool
) -> str | None:
    """Return the reason why the trials of a task cannot be judged; None if they can.

    If the solution earns more than an agent that does nothing, the sandbox lacked nothing.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
        trials: the results of its trials.
        has_solution: whether the task has a solution.
        images: whether the sandboxes were made from the task's image.
        network: whether they had a network.
    """
    if has_solution and trials.solved.rewards is not None and trials.solved.rewards != trials.idle.rewards:
        return None
    lacks = []
    image = config.environment.image or _base_image(task)
    if not images and image != "scratch":
        lacks.append(f"the image {image}" if image else "an image (it has no Dockerfile, and no docker_image)")
    outputs = trials.solved.output + trials.idle.output
    if config.environment.network and not network and (said := _NO_NETWORK.search(outputs)):
        lacks.append(f"a network (it prints {said[0]!r})")
    if not lacks:
        return None
    earned = "the solution earns no more than an agent that does nothing" if has_solution else "there is no solution"
    return f"{earned}, in a sandbox without {' and '.join(lacks)}"


def _base_image(task: Path) -> str | None:
    found = re.findall(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)", script_text(task / "environment" / "Dockerfile"), re.M | re.I)
    return found[-1] if found else None
