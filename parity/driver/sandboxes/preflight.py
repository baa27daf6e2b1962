"""Check whether the host can run local sandboxes; if not, report what must be installed or allowed."""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from parity.driver.sandbox import Sandbox, SandboxSpec, SandboxUnavailable
from parity.driver.sandboxes.process import run
from parity.driver.sandboxes.seccomp import BY_MACHINE

_OLDEST = (5, 14)
"""The first version of Linux that limits processes for each user namespace separately."""

_SECONDS = 60
"""The timeout, in seconds, for a command that normally takes milliseconds."""

_FORBIDDING = {
    "kernel/unprivileged_userns_clone": ("0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap an AppArmor profile with userns",
    ),
    "user/max_user_namespaces": ("0", "sysctl -w user.max_user_namespaces=10000"),
}


def check_host(make: Callable[[SandboxSpec], Sandbox]) -> None:
    """Check the requirements for local sandboxes, and try a sandbox in the same way as trials use it.

    Args:
        make: makes a sandbox from its specification.

    Raises:
        SandboxUnavailable: something is missing or forbidden, or the sandbox failed.
    """
    if sys.platform != "linux":
        raise SandboxUnavailable("the local sandbox needs Linux; use --sandbox docker")
    release = tuple(map(int, re.findall("[0-9]+", os.uname().release)[:2]))
    if release < _OLDEST:
        raise SandboxUnavailable(f"the local sandbox needs Linux 5.14, not {os.uname().release}; use --sandbox docker")
    if (machine := os.uname().machine) not in BY_MACHINE:
        machines = " and ".join(sorted(BY_MACHINE))
        raise SandboxUnavailable(
            f"the local sandbox can filter system calls on {machines}, not on {machine}; use --sandbox docker"
        )
    for name, package in ("bwrap", "bubblewrap"), ("nsenter", "util-linux"), ("tar", "tar"):
        if shutil.which(name) is None:
            raise SandboxUnavailable(
                f"the local sandbox needs {name}; install it with apt-get install {package} or dnf install {package}"
            )
    if not Path("/bin/bash").exists():
        raise SandboxUnavailable("the local sandbox needs /bin/bash; install bash")
    try:
        _run(_try(make))
    except Exception as error:
        if complaint := _run(_complaint()):
            remedies = remedy(Path("/proc/sys"))
            raise SandboxUnavailable(f"bwrap cannot make a sandbox ({complaint}); {remedies}") from None
        failure = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise SandboxUnavailable(
            f"the local sandbox was tried with {sys.executable}, and failed ({failure}); "
            "repair that, use another build of Python or a newer bubblewrap, or --sandbox docker"
        ) from error


def _run[T](work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new thread, because an event loop may be running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _try(make: Callable[[SandboxSpec], Sandbox]) -> None:
    """Use a sandbox as trials do: upload a file, run a command, and download a directory.

    The downloaded directory is empty, so that no file is left on the host, even if this process is killed.
    """
    module = Path(__file__)
    sandbox = make(SandboxSpec("preflight", "preflight", module.parent))
    try:
        await sandbox.start()
        await sandbox.put(module, "/tmp/sent")
        ended = await sandbox.exec("test -s /tmp/sent && mkdir /tmp/empty", timeout=_SECONDS)
        if ended.code != 0:
            raise RuntimeError(f"a command ended with code {ended.code}: {ended.stderr.strip()}")
        await sandbox.get("/tmp/empty", module.parent, directory=True)
    finally:
        await sandbox.stop()


async def _complaint() -> str | None:
    """Return bubblewrap's error message for a minimal sandbox; None if that sandbox works."""
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0"]
    command += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "/bin/true"]
    try:
        tried = await run(command, timeout=_SECONDS)
    except (OSError, RuntimeError) as error:
        return str(error)
    if tried.code == 0:
        return None
    return tried.stderr.strip().partition("\n")[0] or f"code {tried.code}"


def remedy(settings: Path) -> str:
    """Return a message with the kernel setting that the user has to change.

    Args:
        settings: `/proc/sys`, or a directory with the same files.
    """
    for name, (forbidding, change) in _FORBIDDING.items():
        try:
            value = (settings / name).read_text().strip()
        except OSError:
            continue
        if value == forbidding:
            return f"user namespaces are forbidden: {change}"
    return "inside a container, allow it user namespaces and mounts, as with --privileged; or use --sandbox docker"
