"""The arguments of an environment for Harbor tasks, and the checks on these arguments."""

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
"""The treatment of a fault: the rollout counts with its reward (`"zero"`), or has an error as well (`"error"`)."""

_RESERVED = ("/tests", "/oracle", "/logs/verifier", "/proc", "/sys", "/dev")
"""Directories that are emptied before the tests, or in which no directory can be made."""


def _directory_inside(path: str) -> str:
    if path and not path.startswith("/"):
        raise ValueError(f"is {path!r}: give an absolute path inside the sandbox")
    plain = f"/{posixpath.normpath(path).strip('/')}/"
    for reserved in _RESERVED:
        if plain.startswith(f"{reserved}/"):
            raise ValueError(f"is {path!r}: give another directory than {reserved}")
    return path


def _variables(variables: dict[str, str]) -> dict[str, str]:
    for name, value in variables.items():
        if not name or {"=", "\0"} & set(name):
            raise ValueError(f"has the name {name!r}: give the name of an environment variable")
        if "\0" in value:
            raise ValueError(f"has a null character in {name!r}: leave it out")
    return variables


_Number = StrictInt | StrictFloat
_Positive = Annotated[_Number, Field(gt=0, lt=math.inf)]
_Gigabytes = Annotated[_Number, Field(ge=1 / 1024, lt=math.inf)]


class EnvSettings(BaseModel):
    """The arguments of an environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_command: Annotated[str, Field(min_length=1)]
    """The bash command that runs the agent in the sandbox."""

    dataset_path: Path
    """The directory that contains the task directories."""

    tasks: tuple[str, ...] | None = None
    """Names of the tasks to use; None for all tasks."""

    skip_refused: StrictBool = False
    """Whether tasks that cannot be used are left out with a warning. Otherwise one of them refuses the dataset."""

    agent_workdir: Annotated[str, AfterValidator(_directory_inside)] = "/app"
    """A directory for the agent in the sandbox; "" for none. It is created, and AGENT_WORKDIR is set to its path."""

    docker_image: str = "python:3.11-slim"
    """The image for tasks that name no image."""

    scoring: Scoring = "harbor"
    """The scoring rules: Harbor's own (`"harbor"`), or those in the documentation of HarborEnv (`"documented"`)."""

    faults: Faults = "zero"
    """The treatment of a fault caused by the agent or its tests. The reward is the same with both values: that of the
    tests, or 0.0 if the tests left none. `"error"` also sets `state["error"]`. Trainers leave out rollouts with an
    error.
    """

    end_processes: StrictBool = False
    """Whether all processes that the agent left running are killed before the tests are uploaded. Only for the kit's
    sandboxes. Harbor lets such processes run, because tests may need a server; but they can change the reward.
    """

    network: StrictBool = False
    """Whether the kit's sandboxes have a network. Local sandboxes refuse `True`."""

    host_env: tuple[str, ...] = ()
    """Names of the environment variables in this process that a task's templates may use under Harbor's scoring. A task
    that uses any other environment variable is refused.
    """

    environment_vars: Annotated[dict[str, str], AfterValidator(_variables)] | None = None
    """Environment variables for each sandbox."""

    base_url: str | None = None
    """The URL of a model's API, to which OPENAI_BASE_URL is set in the sandboxes."""

    timeout_seconds: _Positive | None = None
    """Seconds after which an agent is killed; its work is still scored. None means the task's `agent.timeout_sec` under
    Harbor's scoring, and no timeout under the documentation's scoring. A fraction of a second requires the `timeout`
    command from coreutils in the sandbox; the one from busybox accepts only whole seconds.
    """

    max_turns: StrictInt = -1
    """The largest number of calls to a model in a rollout, in the class for `verifiers`; -1 for no limit."""

    cpu_cores: _Positive = 1
    """Number of CPUs for each sandbox."""

    memory_gb: _Gigabytes = 2
    """Memory for each sandbox, in gigabytes of 1024 megabytes."""

    disk_size_gb: _Gigabytes = 5
    """Disk space for each sandbox, in gigabytes of 1024 megabytes."""

    @classmethod
    def read(cls, **arguments: Any) -> Self:
        """Check arguments, and return the settings.

        Raises:
            ValueError: an argument has an invalid value. The message is one line with its name and what is accepted.
        """
        try:
            return cls(**arguments)
        except ValidationError as error:
            raise ValueError(explain(error, arguments)) from None

    @property
    def host(self) -> dict[str, str]:
        """The environment variables in this process that tasks may use."""
        return {name: os.environ[name] for name in self.host_env if name in os.environ}


NAMES = tuple(EnvSettings.model_fields)
"""Names of the arguments."""


def check_names(arguments: Mapping[str, Any], known: Collection[str]) -> None:
    """Check that all arguments are known.

    Raises:
        TypeError: an argument is unknown. The message lists the known arguments.
    """
    for name in arguments:
        if name not in known:
            raise TypeError(f"unexpected argument {name!r}; expected one of {', '.join(known)}")
