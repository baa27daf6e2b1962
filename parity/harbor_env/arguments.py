"""Checks of what an environment is given: one line says which argument it is, what was given, and what to give."""

import math
import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.harbor_env import places

_KERNELS = ("/proc", "/sys", "/dev")
_EMPTIED = (places.TESTS, places.ORACLE, places.VERIFIER)


def check_text(name: str, value: object, wanted: str, *, may_be_empty: bool = False) -> str:
    """An argument that is a text, as a sandbox can be given.

    Raises:
        TypeError: it is no text.
        ValueError: it is empty, or has a NUL in it.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}: give {wanted}")
    if "\0" in value or not (value or may_be_empty):
        raise ValueError(f"{name} is {value!r}: give {wanted}")
    return value


def check_choice(name: str, value: object, known: Sequence[str]) -> None:
    """See that an argument is one of a few words.

    Raises:
        ValueError: it is not.
    """
    if value not in known:
        raise ValueError(f"{name} is {value!r}: choose {' or '.join(map(repr, known))}")


def check_yes_or_no(name: str, value: object) -> None:
    """See that an argument is True or False, and no text that counts as True whatever it says.

    Raises:
        TypeError: it is neither.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}: give True or False")


def check_command(run_command: object) -> None:
    """See that an agent's command is one.

    Raises:
        TypeError, ValueError: it is none.
    """
    check_text("run_command", run_command, "bash source that runs the agent")


def folder_of_tasks(dataset_path: object) -> Path:
    """The folder by its path.

    Raises:
        TypeError: it is no path.
    """
    if not isinstance(dataset_path, str | os.PathLike):
        raise TypeError(f"dataset_path is {dataset_path!r}: give the folder that holds the task folders")
    return Path(dataset_path)


def names_of_tasks(tasks: object) -> list[str] | None:
    """The names one by one.

    Raises:
        TypeError: they are no names.
    """
    if tasks is None:
        return None
    given = list(tasks) if isinstance(tasks, Iterable) and not isinstance(tasks, str) else [None]
    names = [name for name in given if isinstance(name, str)]
    if len(names) < len(given):
        raise TypeError(f"tasks is {tasks!r}: give a list of names, or None for all tasks")
    return names


def host_variables(host_env: object) -> dict[str, str]:
    """The variables of this process that have these names.

    Raises:
        TypeError: they are no names.
    """
    if isinstance(host_env, Iterable) and not isinstance(host_env, str):
        names = list(host_env)
        if all(isinstance(name, str) for name in names):
            return {name: os.environ[name] for name in names if name in os.environ}
    raise TypeError(f"host_env is {host_env!r}: give a list of names of variables")


def folder_of_agent(agent_workdir: object) -> str:
    """The agent's folder; "" for none.

    Raises:
        TypeError: it is no path.
        ValueError: it is not absolute, one that is emptied for the tests, or the kernel's own.
    """
    wanted = "an absolute path inside the sandbox"
    path = os.fspath(agent_workdir) if isinstance(agent_workdir, os.PathLike) else agent_workdir
    folder = check_text("agent_workdir", path, wanted, may_be_empty=True)
    if folder and not folder.startswith("/"):
        raise ValueError(f"agent_workdir is {folder!r}: give {wanted}")
    for place in _KERNELS:
        if f"/{posixpath.normpath(folder).strip('/')}/".startswith(f"{place}/"):
            raise ValueError(f"agent_workdir is {folder!r}: give another folder than {place}, which holds no files")
    for place in _EMPTIED:
        if f"/{posixpath.normpath(folder).strip('/')}/".startswith(f"{place}/"):
            raise ValueError(f"agent_workdir is {folder!r}: give another folder than {place}, which is for the tests")
    return folder


def check_variables(environment_vars: object) -> None:
    """See that a sandbox can have these variables.

    Raises:
        TypeError: they are no table.
        ValueError: one has no name, or no text.
    """
    if not isinstance(environment_vars, Mapping):
        raise TypeError(f"environment_vars is {environment_vars!r}: give a dict of names and texts, or None")
    for key, value in environment_vars.items():
        is_text = isinstance(key, str) and isinstance(value, str)
        if not is_text or not key or "=" in key or "\0" in key + value:
            raise ValueError(f"environment_vars has {key!r} as {value!r}: give a name without '=', and a text")


def check_time(name: str, seconds: object) -> None:
    """See that a time is one that ends.

    Raises:
        ValueError: it does not, or is none.
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < math.inf:
        raise ValueError(f"{name} is {seconds!r}: give a time in seconds, or None for any time")


def check_turns(max_turns: object) -> None:
    """See that this bounds an agent's turns, or says that nothing does.

    Raises:
        TypeError: it is no int.
    """
    if not isinstance(max_turns, int) or isinstance(max_turns, bool):
        raise TypeError(f"max_turns is {max_turns!r}: give how many, or -1 for any number")


LIMITS: Mapping[str, Any] = {
    "environment_vars": None,
    "timeout_seconds": None,
    "max_turns": -1,
    "cpu_cores": 1,
    "memory_gb": 2,
    "disk_size_gb": 5,
}
"""Arguments that bound sandboxes and agents, with their defaults: None for no variables, and for any time."""


def check_limits(given: Mapping[str, object]) -> dict[str, Any]:
    """Those of `LIMITS`, as they were given or by default.

    Raises:
        TypeError, ValueError: the first argument that is none that counts.
    """
    limits = {name: given.get(name, default) for name, default in LIMITS.items()}
    for name in ("cpu_cores", "memory_gb", "disk_size_gb"):
        check_size(name, limits[name])
    if limits["environment_vars"] is not None:
        check_variables(limits["environment_vars"])
    if limits["timeout_seconds"] is not None:
        check_time("timeout_seconds", limits["timeout_seconds"])
    check_turns(limits["max_turns"])
    return limits


def check_size(name: str, number: object) -> None:
    """See that a sandbox can be that large.

    Args:
        name: of the argument; one that ends in `_gb` counts from a MiB on, as smaller sizes would be no bound.
        number: what was given.

    Raises:
        ValueError: it cannot.
    """
    if not isinstance(number, int | float) or isinstance(number, bool) or not 0 < number < math.inf:
        raise ValueError(f"{name} is {number!r}: give a number above 0")
    if name.endswith("_gb") and number * 1024 < 1:
        raise ValueError(f"{name} is {number!r}: give at least 1 MiB, which is {1 / 1024}")


def check_count(name: str, number: object, wanted: str = "at least 1") -> None:
    """See that a number counts something.

    Raises:
        TypeError: it is no int.
        ValueError: it is below 1.
    """
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} is {number!r}: give {wanted}")
    if number < 1:
        raise ValueError(f"{name} is {number!r}: give {wanted}")
