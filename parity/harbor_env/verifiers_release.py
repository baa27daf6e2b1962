"""The installed release of `verifiers`, as far as an environment for training needs it. 0.3.1 works."""

import inspect
import re
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any

_INSTALL = "pip install 'harbor-parity[verifiers]'"
_RELEASE = "0.3.1"
_WORKING = f"release {_RELEASE} works: {_INSTALL}"


def _import_agents() -> ModuleType:
    """Return the module of `CliAgentEnv`.

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
    if _numbers(installed) < _numbers(_RELEASE):
        raise ImportError(f"verifiers {installed} is too old for HarborEnv; {_WORKING}")
    try:
        return import_module("verifiers.envs.experimental.cli_agent_env")
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("verifiers"):
            raise
        raise ImportError(f"verifiers {installed} has no CliAgentEnv, which HarborEnv extends; {_WORKING}") from None


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", release)[:3]]


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
