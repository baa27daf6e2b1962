"""Harbor's settings for the run of a task's agent and tests, from its task.toml."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.driver.documents.templates import missing_variables, variables_taken
from parity.driver.errors import InvalidTask, UnsupportedTask
from parity.driver.sandboxes.dockerfile import compose_file, read_dockerfile
from parity.driver.task_file import check_supported, task_config
from parity.formats.task import EnvironmentConfig, TaskConfig

_INSTEAD = "run the task with parity run or harbor"
NO_STEPS = f"task.toml: steps: an environment does not run steps; {_INSTEAD}"
"""Why a task with steps is refused."""


@dataclass(frozen=True)
class HarborRun:
    """The settings in task.toml for the agent's and the tests' run."""

    agent_timeout: float | None
    """The agent's timeout in seconds; None for any time."""

    timeout: float
    """The tests' timeout in seconds."""

    env: Mapping[str, str]
    """Variables of the tests, with templates of the host's variables."""

    workdir: str | None
    """The directory that the agent and the tests run in; None for the sandbox's own."""

    built_workdir: str | None
    """The WORKDIR of the task's Dockerfile, if no image replaces the Dockerfile."""

    agent_env: Mapping[str, str]
    """Variables of the agent, with templates."""

    resources: Mapping[str, float]
    """The task's values of `cpu_cores`, `memory_gb` and `disk_size_gb`."""


def read_harbor_run(folder: Path, toml: Mapping[str, Any], host: Mapping[str, str]) -> HarborRun:
    """Read the settings of a task's directory.

    Args:
        folder: the task's directory.
        toml: the values of its task.toml.
        host: the host's variables that tasks may use.

    Raises:
        InvalidTask: Harbor does not accept the task.
        FatalTask: the task ends Harbor's job.
        UnsupportedTask: its agent and tests cannot be run in one sandbox as Harbor would run them.
    """
    config = task_config(folder, toml)
    check_supported(folder, config)
    for what in _not_done(folder, config):
        raise UnsupportedTask(folder, what)
    if not (folder / "tests" / "test.sh").exists():
        raise InvalidTask(folder, "tests/test.sh is missing; add it")
    # Rule: harbor-env/test-variables
    env = {**config.environment.env, **config.verifier.env}
    if refused := sorted({*variables_taken(env, os.environ)} - host.keys()):
        what = f"task.toml: takes the host's variable {refused[0]}; allow it with host_env=[{refused[0]!r}]"
        raise UnsupportedTask(folder, what)
    if missing := missing_variables(env, host):
        what = f"task.toml: a variable of the task needs {missing[0]}, which is not set here; set it"
        raise InvalidTask(folder, what)
    own = config.environment
    built = None if own.docker_image else read_dockerfile(folder / "environment" / "Dockerfile").workdir
    return HarborRun(
        agent_timeout=config.agent.timeout_sec,
        timeout=config.verifier.timeout_sec,
        env=env,
        workdir=own.workdir or built,
        built_workdir=built,
        agent_env=own.env,
        resources=_resources(own),
    )


def _not_done(folder: Path, config: TaskConfig) -> Iterator[str]:
    """Yield a line for each setting of a task that an environment does not support, with what to do instead."""
    if config.steps:
        yield NO_STEPS
    if config.is_separate():
        yield f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}"
    for role, user in (("agent", config.agent.user), ("verifier", config.verifier.user)):
        if user is not None:
            yield f"task.toml: {role}.user: an environment runs all as the image's own user; {_INSTEAD}"
    if (name := compose_file(folder / "environment")) is not None:
        yield f"environment/{name}: an environment runs one container; run the task with harbor"
    if config.environment.healthcheck is not None:
        yield f"task.toml: environment.healthcheck: an environment does not wait for it; {_INSTEAD}"


def _resources(own: EnvironmentConfig) -> dict[str, float]:
    megabytes = {"memory_gb": own.memory_mb, "disk_size_gb": own.storage_mb}
    sizes = {name: size / 1024 for name, size in megabytes.items() if size}
    return {"cpu_cores": own.cpus, **sizes} if own.cpus else sizes
