"""The arguments of an environment over Harbor's tasks, and their checks."""

import math
import os
import posixpath
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, ValidationError

from parity.formats.errors import explain
from parity.harbor_env.scoring import Scoring

type Faults = Literal["zero", "error"]
"""The treatment of a fault: a reward of 0.0 only, or an error as well."""

_RESERVED = ("/tests", "/oracle", "/logs/verifier", "/proc", "/sys", "/dev")
"""Directories that are emptied before the tests, or that nothing can be made in."""


def _directory_inside(path: str) -> str:
    if path and not path.startswith("/"):
        raise ValueError(f"is {path!r}: give an absolute path inside the sandbox")
    plain = f"/{posixpath.normpath(path).strip('/')}/"
    for reserved in _RESERVED:
        if plain.startswith(f"{reserved}/"):
            raise ValueError(f"is {path!r}: give another directory than {reserved}")
    return path


_Number = StrictInt | StrictFloat
_Positive = Annotated[_Number, Field(gt=0, lt=math.inf)]
_Gigabytes = Annotated[_Number, Field(ge=1 / 1024, lt=math.inf)]


class EnvSettings(BaseModel):
    """The arguments of an environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_command: Annotated[str, Field(min_length=1)]
    """Bash source that runs the agent inside the sandbox."""

    dataset_path: Path
    """The directory that holds the task directories."""

    tasks: tuple[str, ...] | None = None
    """Names of the tasks to use; None for all."""

    agent_workdir: Annotated[str, AfterValidator(_directory_inside)] = "/app"
    """The agent's directory, which is made and named in AGENT_WORKDIR; "" for none."""

    docker_image: str = "python:3.11-slim"
    """The image for tasks that name none."""

    scoring: Scoring = "harbor"
    """The rules of scoring: Harbor's own (`"harbor"`), or those of HarborEnv's documentation (`"documented"`)."""

    faults: Faults = "zero"
    """The treatment of a fault of the agent or its tests: a reward of 0.0 (`"zero"`) or also `state["error"]`
    (`"error"`). Trainers leave out rollouts with an error.
    """

    end_processes: StrictBool = False
    """Whether all processes that the agent left are killed before the tests are uploaded, on our own sandboxes. Harbor
    lets them run, because tests may need a server; but such a process can change the reward.
    """

    network: StrictBool = False
    """Whether our own sandboxes have a network. Local sandboxes refuse it."""

    host_env: tuple[str, ...] = ()
    """Names of this process's variables that a task's templates may use under Harbor's scoring. A task that uses
    another variable is refused.
    """

    environment_vars: dict[str, str] | None = None
    """Variables of each sandbox."""

    base_url: str | None = None
    """Address of a model's API, for OPENAI_BASE_URL."""

    timeout_seconds: _Positive | None = None
    """Seconds after which an agent is killed. Its work is still scored. None for the task's own `agent.timeout_sec`
    under Harbor's scoring, and for any time under the documentation's. A fraction of a second needs a sandbox with the
    `timeout` command of coreutils; that of busybox does not accept one.
    """

    max_turns: StrictInt = -1
    """The most calls to a model in a rollout, in the class for `verifiers`; -1 for any number."""

    cpu_cores: _Positive = 1
    """CPUs of each sandbox."""

    memory_gb: _Gigabytes = 2
    """Memory of each sandbox."""

    disk_size_gb: _Gigabytes = 5
    """Disk of each sandbox."""

    @classmethod
    def read(cls, **arguments: Any) -> Self:
        """Check arguments, and return the settings.

        Raises:
            ValueError: an argument is wrong. One line gives its name and what to give instead.
        """
        try:
            return cls(**arguments)
        except ValidationError as error:
            raise ValueError(explain(error, arguments)) from None

    @property
    def host(self) -> dict[str, str]:
        """The variables of this process that tasks may use."""
        return {name: os.environ[name] for name in self.host_env if name in os.environ}


NAMES = tuple(EnvSettings.model_fields)
"""Names of the arguments."""


def check_names(arguments: Mapping[str, Any], known: Collection[str]) -> None:
    """Check that all arguments are known.

    Raises:
        TypeError: one is not. The message lists the known ones.
    """
    for name in arguments:
        if name not in known:
            raise TypeError(f"unexpected argument {name!r}; expected one of {', '.join(known)}")
