"""What environments over Harbor's tasks are given; what both classes take is checked here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, get_args

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.arguments import check, check_text, folder_of_agent, folder_of_tasks, host_variables, names
from parity.harbor_env.errors import Faults
from parity.harbor_env.scoring import Scoring


class Choices(TypedDict, total=False):
    """Arguments of both classes beside those that HarborEnv's documentation names."""

    scoring: Scoring
    """Harbor's own rules, or those of HarborEnv's documentation; by default `"harbor"`."""

    faults: Faults
    """Whether what the agent or its tests did wrong is a reward of 0.0 alone, or `state["error"]`, too: trainers leave
    out what has one. By default `"zero"`."""

    end_processes: bool
    """Whether everything that the agent left running is ended before the tests come, on sandboxes of ours. Harbor lets
    it run, because tests may ask for a server; but then it may do to the reward what it likes."""

    network: bool
    """Whether sandboxes of ours have a network; by default they have none."""

    host_env: Sequence[str]
    """Names of this process's variables that templates of a task may take under Harbor's scoring; a task that takes
    another is refused."""


class Options(Choices, total=False):
    """Arguments of the environment for a bare machine, beside those that HarborEnv's documentation names."""

    sandboxes: Sandboxes | str
    """Where agents run: a kind of sandbox, or the name of one, `"local"` (the default) or `"docker"`."""

    environment_vars: Mapping[str, str] | None
    """Variables of each sandbox."""

    base_url: str | None
    """Address of a model's interface, for OPENAI_BASE_URL."""

    timeout_seconds: float | None
    """After which an agent is killed; what it did is scored all the same. By default any time. A fraction of a second
    needs a sandbox whose `timeout` takes one, as that of coreutils does, and that of busybox does not."""

    max_turns: int
    """Taken for compatibility; without an interception of the agent's calls there are no turns."""

    cpu_cores: int
    """Of each sandbox; 1 by default."""

    memory_gb: float
    """Of each sandbox; 2 by default."""

    disk_size_gb: float
    """Of each sandbox; 5 by default."""


@dataclass(frozen=True)
class EnvSettings:
    """Arguments that can be used."""

    dataset_path: Path
    task_names: Sequence[str] | None
    """Those to take; None for all."""

    agent_workdir: str
    """The agent's folder, which is made, and named in AGENT_WORKDIR; "" for none."""

    docker_image: str
    """For tasks that name none."""

    scoring: Scoring
    faults: Faults
    end_processes: bool
    network: bool
    host: Mapping[str, str]
    """The variables of this process that tasks may take."""


def take_settings(
    run_command: object,
    dataset_path: object,
    tasks: object,
    agent_workdir: object,
    docker_image: object,
    options: dict[str, Any],
) -> EnvSettings:
    """Check the documented arguments, and take those of `Choices` out of the options.

    Raises:
        TypeError, ValueError: the first argument that is none that counts.
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
