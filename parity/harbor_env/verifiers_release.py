"""The installed release of `verifiers`, and the differences between releases that matter for an environment."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any

from parity.harbor_env.releases import RELEASES, is_too_old

_INSTALL = "pip install 'harbor-parity[verifiers]'"
_WORKING = f"releases {RELEASES[0]} to {RELEASES[-1]} work: {_INSTALL}"


def _import_agents() -> ModuleType:
    """Return the module of `CliAgentEnv`, which later releases keep as an alias.

    Raises:
        ImportError: verifiers is missing or too old, or lacks such a module or a requirement of it.
    """
    try:
        import_module("verifiers")
    except ModuleNotFoundError as error:
        if error.name != "verifiers":
            raise
        raise ImportError(f"HarborEnv for verifiers needs verifiers: {_INSTALL}") from None
    installed = version("verifiers")
    if is_too_old(installed):
        raise ImportError(f"verifiers {installed} is too old for HarborEnv; {_WORKING}")
    try:
        return import_module("verifiers.envs.experimental.cli_agent_env")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("verifiers"):
            raise
        raise ImportError(f"verifiers {installed} has no CliAgentEnv, which HarborEnv extends; {_WORKING}") from None


_agents: Any = _import_agents()
vf: Any = import_module("verifiers")

if TYPE_CHECKING:
    from parity.harbor_env.verifiers_stub import (
        AgentError,
        CliAgentEnv,
        Error,
        InfraError,
        Rubric,
        SandboxError,
        teardown,
    )
else:
    CliAgentEnv, AgentError = _agents.CliAgentEnv, _agents.AgentError
    Error, InfraError, SandboxError = vf.Error, vf.InfraError, vf.SandboxError
    Rubric, teardown = vf.Rubric, vf.teardown

__all__ = [
    "HAS_TASK_COLUMN",
    "OPTIONS",
    "AgentError",
    "CliAgentEnv",
    "Error",
    "InfraError",
    "Rubric",
    "SandboxError",
    "teardown",
    "vf",
]

_OURS = frozenset({"self", "run_command", "docker_image", "dataset", "rubric", "message_type"})
"""Arguments of the release that an environment for Harbor's tasks sets itself."""


def _options() -> dict[str, Any]:
    """Return the other arguments of the release's environment with their defaults, over all its base classes."""
    options: dict[str, Any] = {}
    for kind in CliAgentEnv.__mro__[:-1]:
        own = vars(kind).get("__init__")
        for one in inspect.signature(own).parameters.values() if own else ():
            if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name not in _OURS:
                options.setdefault(one.name, one.default)
    return options


OPTIONS: Mapping[str, Any] = _options()
"""Arguments that are passed on to `CliAgentEnv`, with their defaults. It ignores any others silently."""

HAS_TASK_COLUMN: bool = "task" in vf.State.INPUT_FIELDS
"""Whether rows may have a `task`. From 0.1.14 on, a name in that column ends the rollout with a ValueError."""
