"""Check the arguments of an environment. A message is one line: the argument, its value, and what to give.

A wrong type raises a TypeError, a wrong value a ValueError.
"""

import math
import os
import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes import sandboxes_named
from parity.harbor_env import places

_NO_FILES = "which holds no files"
_FOR_TESTS = "which is for the tests"
_NO_WORKDIRS = {
    **dict.fromkeys(("/proc", "/sys", "/dev"), _NO_FILES),
    **dict.fromkeys((places.TESTS, places.ORACLE, places.VERIFIER), _FOR_TESTS),
}
"""Folders that no agent can work in, and the reasons."""


def check(right: bool, name: str, value: object, advice: str, error: type[Exception] = ValueError) -> None:
    """Raise the error if the argument is wrong."""
    if not right:
        raise error(f"{name} is {value!r}: {advice}")


def check_names(given: Mapping[str, object], known: Mapping[str, object], others: str = "") -> None:
    """Check that all given arguments are known. The error lists the known ones, and ends with a note on others."""
    for name in sorted(given.keys() - known.keys()):
        raise TypeError(f"there is no argument {name!r}; known are {', '.join(known)}{others}")


def check_text(name: str, value: object, wanted: str, *, may_be_empty: bool = False) -> str:
    """Return an argument that must be a text without NUL."""
    check(isinstance(value, str), name, value, f"give {wanted}", TypeError)
    text = str(value)
    check("\0" not in text and bool(text or may_be_empty), name, value, f"give {wanted}")
    return text


def folder_of_tasks(dataset_path: object) -> Path:
    """Return the path of the folder of tasks."""
    if not isinstance(dataset_path, str | os.PathLike):
        raise TypeError(f"dataset_path is {dataset_path!r}: give the folder that holds the task folders")
    return Path(dataset_path)


def names(name: str, value: object, advice: str) -> list[str]:
    """Return an argument that must be a list of texts."""
    given: list[Any] = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [None]
    check(all(isinstance(each, str) for each in given), name, value, f"give a list of names{advice}", TypeError)
    return given


def host_variables(host_env: object) -> dict[str, str]:
    """Return this process's variables with these names."""
    return {name: os.environ[name] for name in names("host_env", host_env, " of variables") if name in os.environ}


def folder_of_agent(agent_workdir: object) -> str:
    """Return the agent's folder; "" for none."""
    wanted = "an absolute path inside the sandbox"
    path = os.fspath(agent_workdir) if isinstance(agent_workdir, os.PathLike) else agent_workdir
    folder = check_text("agent_workdir", path, wanted, may_be_empty=True)
    check(folder.startswith("/") or not folder, "agent_workdir", folder, f"give {wanted}")
    plain = f"/{posixpath.normpath(folder).strip('/')}/"
    for place, why in _NO_WORKDIRS.items():
        advice = f"give another folder than {place}, {why}"
        check(not plain.startswith(f"{place}/"), "agent_workdir", folder, advice)
    return folder


def _check_variables(variables: object) -> None:
    if not isinstance(variables, Mapping):
        raise TypeError(f"environment_vars is {variables!r}: give a dict of names and texts, or None")
    for key, value in variables.items():
        is_text = isinstance(key, str) and isinstance(value, str)
        if not is_text or not key or "=" in key or "\0" in key + value:
            raise ValueError(f"environment_vars has {key!r} as {value!r}: give a name without '=', and a text")


LIMITS: Mapping[str, Any] = {
    "environment_vars": None,
    "timeout_seconds": None,
    "max_turns": -1,
    "cpu_cores": 1,
    "memory_gb": 2,
    "disk_size_gb": 5,
}
"""Arguments for sandboxes and agents, with their defaults. None means no variables, or no time limit."""


def check_limits(given: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of the arguments in `LIMITS`, given or by default, after checking them."""
    limits = {name: given.get(name, default) for name, default in LIMITS.items()}
    for name in ("cpu_cores", "memory_gb", "disk_size_gb"):
        size: Any = limits[name]
        check(_is_positive(size), name, size, "give a number above 0")
        is_bound = not name.endswith("_gb") or size * 1024 >= 1  # smaller sizes would be rounded to no limit
        check(is_bound, name, size, f"give at least 1 MiB, which is {1 / 1024}")
    if limits["environment_vars"] is not None:
        _check_variables(limits["environment_vars"])
    seconds, turns = limits["timeout_seconds"], limits["max_turns"]
    advice = "give a time in seconds, or None for any time"
    check(seconds is None or _is_positive(seconds), "timeout_seconds", seconds, advice)
    check(_is_int(turns), "max_turns", turns, "give how many, or -1 for any number", TypeError)
    return limits


def check_count(name: str, number: Any, wanted: str = "at least 1") -> None:
    """Check that a number is a positive integer."""
    check(_is_int(number), name, number, f"give {wanted}", TypeError)
    check(number >= 1, name, number, f"give {wanted}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def open_sandboxes(sandboxes: Sandboxes | str, *, network: bool) -> Sandboxes:
    """Return a kind of sandbox, given by name or as an object, after checking that it works here.

    Raises:
        TypeError: the argument is not a kind of sandbox.
        ValueError: the name is unknown, or local sandboxes are given a network.
        SandboxUnavailable: the kind cannot work here.
    """
    kind = sandboxes_named(sandboxes) if isinstance(sandboxes, str) else sandboxes
    wanted = "choose 'local' or 'docker', or give a kind of sandbox"
    if kind is None and sandboxes is not None:
        raise ValueError(f"no sandbox {sandboxes!r}: {wanted}")
    if isinstance(kind, type) or not all(hasattr(kind, name) for name in ("preflight", "refusal", "make")):
        raise TypeError(f"sandboxes is {sandboxes!r}: {wanted}")
    if network:
        check(kind.name != "local", "network", network, "local sandboxes have no network; use sandboxes='docker'")
    kind.preflight()
    return kind
