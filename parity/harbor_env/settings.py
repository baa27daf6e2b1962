"""The arguments of an environment over Harbor's tasks, and their checks."""

import math
import os
import posixpath
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from parity.harbor_env.places import ORACLE, TESTS, VERIFIER
from parity.harbor_env.scoring import Scoring

type Faults = Literal["zero", "error"]
"""The treatment of a fault: a reward of 0.0 only, or an error as well."""


@dataclass
class EnvSettings:
    """The arguments of an environment.

    Raises:
        ValueError: an argument is wrong. One line gives its name, its value, and what to give instead.
    """

    run_command: str
    """Bash source that runs the agent inside the sandbox."""

    dataset_path: Path
    """The directory that holds the task directories."""

    tasks: Collection[str] | None = None
    """Names of the tasks to use; None for all."""

    agent_workdir: str = "/app"
    """The agent's directory, which is made and named in AGENT_WORKDIR; "" for none."""

    docker_image: str = "python:3.11-slim"
    """The image for tasks that name none."""

    scoring: Scoring = "harbor"
    """The rules of scoring: Harbor's own (`"harbor"`), or those of HarborEnv's documentation (`"documented"`)."""

    faults: Faults = "zero"
    """The treatment of a fault of the agent or its tests: a reward of 0.0 (`"zero"`) or also `state["error"]`
    (`"error"`). Trainers leave out rollouts with an error.
    """

    end_processes: bool = False
    """Whether all processes that the agent left are killed before the tests are uploaded, on our own sandboxes. Harbor
    lets them run, because tests may need a server; but such a process can change the reward.
    """

    network: bool = False
    """Whether our own sandboxes have a network. Local sandboxes refuse it."""

    host_env: Collection[str] = ()
    """Names of this process's variables that a task's templates may use under Harbor's scoring. A task that uses
    another variable is refused.
    """

    environment_vars: Mapping[str, str] | None = None
    """Variables of each sandbox."""

    base_url: str | None = None
    """Address of a model's API, for OPENAI_BASE_URL."""

    timeout_seconds: float | None = None
    """Seconds after which an agent is killed. Its work is still scored. None for the task's own `agent.timeout_sec`
    under Harbor's scoring, and for any time under the documentation's. A fraction of a second needs a sandbox with the
    `timeout` command of coreutils; that of busybox does not accept one.
    """

    max_turns: int = -1
    """The most calls to a model in a rollout, in the class for `verifiers`; -1 for any number."""

    cpu_cores: int = 1
    """CPUs of each sandbox."""

    memory_gb: float = 2
    """Memory of each sandbox."""

    disk_size_gb: float = 5
    """Disk of each sandbox."""

    def __post_init__(self) -> None:
        for name, (is_right, remedy) in _CHECKS.items():
            value = getattr(self, name)
            if not is_right(value):
                raise ValueError(f"{name} is {value!r}: {remedy}")
        self.dataset_path, self.agent_workdir = Path(self.dataset_path), os.fspath(self.agent_workdir)
        plain = f"/{posixpath.normpath(self.agent_workdir).strip('/')}/"
        for place in (TESTS, ORACLE, VERIFIER, "/proc", "/sys", "/dev"):
            if plain.startswith(f"{place}/"):
                raise ValueError(f"agent_workdir is {self.agent_workdir!r}: give another directory than {place}")

    @property
    def host(self) -> dict[str, str]:
        """The variables of this process that tasks may use."""
        return {name: os.environ[name] for name in self.host_env if name in os.environ}


NAMES = tuple(field.name for field in fields(EnvSettings))
"""Names of the arguments."""


def check_names(given: Collection[str], known: Collection[str]) -> None:
    """Check that all arguments are known.

    Raises:
        TypeError: one is not. The message lists the known ones.
    """
    for name in given:
        if name not in known:
            raise TypeError(f"unexpected argument {name!r}; expected one of {', '.join(known)}")


def check_count(name: str, number: Any, remedy: str = "give at least 1") -> None:
    """Check that an argument is a positive integer.

    Raises:
        ValueError: it is not.
    """
    if not _is_int(number) or number < 1:
        raise ValueError(f"{name} is {number!r}: {remedy}")


def _is_string(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike) and _is_string(os.fspath(value))


def _is_directory_inside(value: Any) -> bool:
    return _is_path(value) and os.fspath(value)[:1] in ("/", "")


def _is_names(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str) and all(isinstance(one, str) for one in value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _is_size(value: Any) -> bool:
    return _is_positive(value) and value * 1024 >= 1


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_variables(value: Any) -> bool:
    return value is None or (
        isinstance(value, Mapping)
        and all(_is_string(name) and name and "=" not in name and _is_string(text) for name, text in value.items())
    )


_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "run_command": (lambda value: _is_string(value) and value != "", "give bash source that runs the agent"),
    "dataset_path": (_is_path, "give the directory that holds the task directories"),
    "tasks": (lambda value: value is None or _is_names(value), "give a list of names, or None for all tasks"),
    "agent_workdir": (_is_directory_inside, "give an absolute path inside the sandbox"),
    "docker_image": (_is_string, "give the name of an image"),
    "scoring": (lambda value: value in ("harbor", "documented"), "choose 'harbor' or 'documented'"),
    "faults": (lambda value: value in ("zero", "error"), "choose 'zero' or 'error'"),
    "end_processes": (_is_bool, "give True or False"),
    "network": (_is_bool, "give True or False"),
    "host_env": (_is_names, "give a list of names of variables"),
    "environment_vars": (_is_variables, "give a dict of names without '=' and of strings, or None"),
    "base_url": (lambda value: value is None or _is_string(value), "give an address, or None for no model"),
    "timeout_seconds": (
        lambda value: value is None or _is_positive(value),
        "give a time in seconds, or None for the task's own",
    ),
    "max_turns": (_is_int, "give how many, or -1 for any number"),
    "cpu_cores": (_is_positive, "give a number above 0"),
    "memory_gb": (_is_size, f"give at least 1 MiB, which is {1 / 1024}"),
    "disk_size_gb": (_is_size, f"give at least 1 MiB, which is {1 / 1024}"),
}
"""The check of each argument, and what to give if it fails."""
