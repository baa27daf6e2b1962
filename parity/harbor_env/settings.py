"""Arguments of environments over Harbor's tasks. The arguments of both classes are checked here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, get_args

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.arguments import check, check_text, folder_of_agent, folder_of_tasks, host_variables, names
from parity.harbor_env.errors import Faults
from parity.harbor_env.scoring import Scoring


class Choices(TypedDict, total=False):
    """Arguments of both classes in addition to those of HarborEnv's documentation."""

    scoring: Scoring
    """The rules of scoring: Harbor's own (`"harbor"`, the default) or those of HarborEnv's documentation
    (`"documented"`).
    """

    faults: Faults
    """The treatment of a fault of the agent or its tests: a reward of 0.0 (`"zero"`, the default) or also
    `state["error"]` (`"error"`). Trainers leave out rollouts with an error.
    """

    end_processes: bool
    """Whether all processes that the agent left are killed before the tests are uploaded, on our own sandboxes. Harbor
    lets them run, because tests may need a server; but such a process can change the reward.
    """

    network: bool
    """Whether our own sandboxes have a network; by default they have none. Local sandboxes refuse it."""

    host_env: Sequence[str]
    """Names of this process's variables that a task's templates may use under Harbor's scoring. A task that uses
    another variable is refused.
    """


class Options(Choices, total=False):
    """Arguments of the environment for a bare machine, in addition to those of HarborEnv's documentation."""

    sandboxes: Sandboxes | str
    """The kind of sandbox for the agents, or its name: `"local"` (the default) or `"docker"`."""

    environment_vars: Mapping[str, str] | None
    """Variables of each sandbox."""

    base_url: str | None
    """Address of a model's API, for OPENAI_BASE_URL."""

    timeout_seconds: float | None
    """Seconds after which an agent is killed; by default any time. Its work is still scored. A fraction of a second
    needs a sandbox with the `timeout` command of coreutils; that of busybox does not accept one.
    """

    max_turns: int
    """Accepted for compatibility. There are no turns, because the agent's calls are not intercepted."""

    cpu_cores: int
    """CPUs of each sandbox; 1 by default."""

    memory_gb: float
    """Memory of each sandbox; 2 by default."""

    disk_size_gb: float
    """Disk of each sandbox; 5 by default."""


@dataclass(frozen=True)
class EnvSettings:
    """Arguments that have been checked."""

    dataset_path: Path
    task_names: Sequence[str] | None
    """Names of the tasks to use; None for all."""

    agent_workdir: str
    """The agent's folder, which is made and named in AGENT_WORKDIR; "" for none."""

    docker_image: str
    """The image for tasks that name none."""

    scoring: Scoring
    faults: Faults
    end_processes: bool
    network: bool
    host: Mapping[str, str]
    """Variables of this process that tasks may use."""


def take_settings(
    run_command: object,
    dataset_path: object,
    tasks: object,
    agent_workdir: object,
    docker_image: object,
    options: dict[str, Any],
) -> EnvSettings:
    """Check the documented arguments, and remove those of `Choices` from the options.

    Raises:
        TypeError, ValueError: an argument is wrong. The first one is reported.
    """
    check_text("run_command", run_command, "bash source that runs the agent")
    chosen = None if tasks is None else names("tasks", tasks, ", or None for all tasks")
    host = host_variables(options.pop("host_env", ()))
    scoring, faults = options.pop("scoring", "harbor"), options.pop("faults", "zero")
    end_processes, network = options.pop("end_processes", False), options.pop("network", False)
    for name, value, known in ("scoring", scoring, Scoring), ("faults", faults, Faults):
        words = get_args(known.__value__)
        check(value in words, name, value, f"choose {' or '.join(map(repr, words))}")
    for name, value in ("end_processes", end_processes), ("network", network):
        check(isinstance(value, bool), name, value, "give True or False", TypeError)
    image = check_text("docker_image", docker_image, "the name of an image", may_be_empty=True)
    folder, workdir = folder_of_tasks(dataset_path), folder_of_agent(agent_workdir)
    return EnvSettings(folder, chosen, workdir, image, scoring, faults, end_processes, network, host)
