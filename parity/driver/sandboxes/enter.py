"""Run commands in a running local sandbox, by one process for all commands, which `helper` forks, and one for each.

The first process joins the namespaces of the sandbox's first process, but has no number in its PID namespace, so
nothing inside can see, stop or trace it. The process that it forks for a command makes a user namespace, where the
command has its user's number, no capabilities, no way to make more user namespaces, and a filter of system calls. It
then becomes the command. Both import all that they need before they leave the host's files.
"""

import ctypes
import errno
import json
import os
import signal
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from parity.driver.sandboxes.joining import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    bound,
    call,
    join,
    prctl,
    write,
)
from parity.driver.sandboxes.kernel import LIBC
from parity.driver.sandboxes.system_calls import filter_program, number_of

_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_SECCOMP_MODE_FILTER = 2
_KEYCTL_JOIN_SESSION_KEYRING = 1
_LAST_CAPABILITY = 63
_TAKEN = [
    number
    # SIGXFSZ stays ignored: a file that is too large then raises an error instead of killing its writer.
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGXFSZ}
    if signal.getsignal(number) != signal.SIG_DFL
]
"""Signals that Python or its parent process ignores or handles. They are reset to their defaults, as in a container."""

_MS_NOSUID = 2
_MS_NODEV = 4
_MS_NOEXEC = 8
_MS_REMOUNT = 32

_TERMINALS = b"mode=620,ptmxmode=666,max=64"
"""Mount options for pseudoterminals, with the most of them. All users of the host share 4,096 by default."""

_FILTER = filter_program()
"""The filter of a command's system calls."""


def join_sandbox(sandbox: int, group: str | None) -> Callable[[int, int], NoReturn]:
    """Join the sandbox, and return the function that turns a forked process into a command.

    Args:
        sandbox: process descriptor of the sandbox's first process.
        group: the file by which a command joins the sandbox's cgroup; None for the cgroup of this process.
    """
    _leave_the_keys()
    kernel = os.open("/proc/sys", os.O_PATH | os.O_DIRECTORY)
    joined = os.open(group, os.O_WRONLY) if group else None
    flags = 0
    for name in "NEWUSER", "NEWNS", "NEWPID", "NEWIPC", "NEWUTS", "NEWNET":
        flags |= getattr(os, f"CLONE_{name}")
    join(sandbox, flags)
    # The change of uid has reset it; without it the maps below belong to the host's root.
    prctl(PR_SET_DUMPABLE, 1)
    return partial(_run, kernel, joined)


def _run(kernel: int, group: int | None, request: int, report: int) -> NoReturn:
    """Run a command in place of this process.

    Args:
        kernel: descriptor of the host's `/proc/sys`.
        group: descriptor of the file by which the command joins the sandbox's cgroup.
        request: descriptor of the request, as JSON.
        report: descriptor of a pipe for a line with the error. If it closes without a line, the command runs.
    """
    with os.fdopen(request, "rb") as stream:
        asked = json.load(stream)
    try:
        if group is not None:
            os.write(group, b"0")
        _become(asked, kernel)
    except (OSError, ValueError, OverflowError) as error:
        what = "local sandbox cannot be set up" if asked["makes"] else "command cannot be run"
        os.write(report, f"the {what}: {error}".encode())
    finally:
        os._exit(1)


def _leave_the_keys() -> None:
    """Take an empty session keyring while still the host's root, who may have more keyrings."""
    if LIBC.syscall(number_of("keyctl"), _KEYCTL_JOIN_SESSION_KEYRING, None) < 0:
        error = ctypes.get_errno()
        # A kernel without keys, or a container around us whose filter the command inherits.
        if error not in (errno.ENOSYS, errno.EPERM):
            raise OSError(
                error, "no session keyring can be made; raise kernel.keys.maxkeys or run fewer trials at once"
            )


def _become(asked: dict[str, Any], kernel: int) -> NoReturn:
    os.umask(0o022)
    for number in _TAKEN:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if asked["makes"]:
        _make(asked, kernel)
        os.chdir("/")
    else:
        bound(asked["limits"])
        _drop(asked["uid"], kernel)
        _filter_calls()
        try:
            os.chdir(asked["cwd"])
        except OSError as error:
            os.write(2, f"{asked['cwd']}: {error.strerror}\n".encode())
            os._exit(126)
    if not asked["argv"]:
        os._exit(0)
    os.execve(asked["argv"][0], asked["argv"], asked["env"])


def _make(asked: dict[str, Any], kernel: int) -> None:
    """Set up a sandbox that already has a root with programs."""
    bound(asked["limits"], process=1)
    for name, value in asked["settings"].items():
        _set(kernel, name, value)
    for path, options in asked["mounts"].items():
        call("mount", None, path.encode(), None, _MS_REMOUNT | _MS_NOSUID | _MS_NODEV, options.encode())
    call("mount", None, b"/dev/pts", None, _MS_REMOUNT | _MS_NOSUID | _MS_NOEXEC, _TERMINALS)
    for folder in asked["folders"]:
        os.makedirs(folder, exist_ok=True)
    for path, text in asked["files"].items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def _set(kernel: int, name: str, value: int) -> None:
    """Change a setting of this process's namespaces, if the kernel has it for each namespace."""
    with suppress(FileNotFoundError, PermissionError):
        write(name, str(value), kernel)


def _drop(uid: int, kernel: int) -> None:
    """Give up all capabilities, for good."""
    # The process limit, set before, holds for the new namespace and for the sandbox around it.
    os.unshare(os.CLONE_NEWUSER)
    for name, line in ("setgroups", "deny"), ("uid_map", f"{uid} 0 1"), ("gid_map", f"{uid} 0 1"):
        write(f"/proc/self/{name}", line)
    # In a user namespace of its own, a process could mount file systems without any size limit.
    write("user/max_user_namespaces", "0", kernel)
    for capability in range(_LAST_CAPABILITY + 1):
        LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _filter_calls() -> None:
    lines = ctypes.create_string_buffer(_FILTER)
    prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, struct.pack("@HP", len(_FILTER) // 8, ctypes.addressof(lines)))
