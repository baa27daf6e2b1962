"""Start and end a local sandbox's first process, by bubblewrap. All other processes inside end with it.

The root is a file system in memory with a size limit. The host's programs are visible read-only, with only those other
files of the host that they need. The first process prints a line when it sees its files, and then waits for the end of
its input. The input ends when the sandbox is stopped, or when the process that started it is killed.
"""

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial

from parity.driver.sandboxes.host_user import new_user
from parity.driver.sandboxes.kernel import pidfd_open, pidfd_send_signal
from parity.driver.sandboxes.starting import end, in_memory, is_readable, program, read_all, start
from parity.driver.sandboxes.streaming import in_thread
from parity.driver.sandboxes.system_calls import filter_program

_TIMEOUT = 30
"""The time limit of a start, and of an end, in seconds."""

SHELL = "/bin/bash"

_PROGRAMS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS = (
    *("alternatives", "ca-certificates", "crypto-policies", "gai.conf", "host.conf", "java", "ld.so.cache"),
    *("ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "pki/ca-trust", "pki/tls"),
    *("protocols", "services", "ssl/certs", "ssl/openssl.cnf"),
)
"""Files of /etc that programs need, without keys and passwords."""

_KERNEL = ("/proc/sys", "/proc/pressure")
"""Folders of the kernel that are read-only. A sandbox's root could change its settings, or give the kernel work."""

_KEYS = ("/proc/keys", "/proc/key-users")
"""Lists of the user's keys, which no namespace hides."""

_SHARED_MEMORY = 64 << 20

_FIRST_PROCESS = "echo ready; exec >/dev/null; read -r"


def bubblewrap(name: str, *, size: int, info: int, calls: int) -> list[str]:
    """Return the command that starts a sandbox.

    Args:
        name: the sandbox's host name, reduced to valid characters.
        size: the most bytes of its files.
        info: descriptor that receives the number of its first process, long before that process sees its files.
        calls: descriptor of the filter of its system calls.
    """
    host_name = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-") or "sandbox"
    return [
        # The network namespace has no device but its own loopback.
        *("bwrap", "--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0", "--hostname", host_name),
        *("--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--info-fd", str(info)),
        *("--seccomp", str(calls)),
        *("--size", str(size), "--tmpfs", "/", *_folders(), "--ro-bind", "/usr", "/usr"),
        # Links on the host are mounted, too: a task could replace links.
        *_read_only("--ro-bind", (f"/{name}" for name in _PROGRAMS if os.path.isdir(f"/{name}"))),
        *_read_only("--ro-bind-try", (f"/etc/{name}" for name in _SETTINGS)),
        *("--proc", "/proc", *_read_only("--ro-bind", filter(os.path.exists, _KERNEL))),
        *(*_read_only("--ro-bind", filter(os.path.exists, _KEYS), "/dev/null"), "--dev", "/dev"),
        *("--size", str(_SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm"),
        # Otherwise files could be written there without a limit.
        *("--remount-ro", "/dev", "--chdir", "/", "--", SHELL, "-c", _FIRST_PROCESS),
    ]


def _folders() -> Iterator[str]:
    """Yield options for folders with their modes. By default, bubblewrap makes parents of mounts for the owner only."""
    ways = {os.path.dirname(f"/etc/{name}") for name in _SETTINGS if os.path.exists(f"/etc/{name}")}
    for path in sorted({"/etc", *ways, "/var"}):
        yield from ("--perms", "755", "--dir", path)
    for path in "/tmp", "/var/tmp":
        yield from ("--perms", "1777", "--dir", path)
    if os.path.exists("/usr/lib/os-release"):
        yield from ("--symlink", "../usr/lib/os-release", "/etc/os-release")


def _read_only(option: str, paths: Iterable[str], source: str | None = None) -> list[str]:
    """Return mounts of host paths at the same paths, or of one source at each of them."""
    return [argument for path in paths for argument in (option, source or path, path)]


class FirstProcess:
    """The process that all others of a sandbox depend on."""

    def __init__(self, name: str, *, size: int) -> None:
        self._name = name
        self._size = size
        self._launched: asyncio.Task[None] | None = None
        self._bubblewrap: subprocess.Popen[bytes] | None = None
        self.descriptor: int | None = None
        """Process descriptor while it runs, else None."""

    async def start(self) -> None:
        """Start the first process, and wait until it sees its files.

        Raises:
            RuntimeError: bubblewrap failed.
        """
        # Not cancelled: if bubblewrap is killed half-started, its child waits for it forever.
        self._launched = asyncio.create_task(start(self._launch, lambda _: None))
        await asyncio.shield(self._launched)

    def _launch(self) -> None:
        """Start bubblewrap, and wait until the first process is ready. Runs in a thread."""
        deadline = time.monotonic() + _TIMEOUT
        reader, writer = os.pipe()
        calls = in_memory(filter_program())
        try:
            try:
                command = bubblewrap(self._name, size=self._size, info=writer, calls=calls)
                self._bubblewrap = process = program(
                    [*new_user(), *command],
                    stdin=subprocess.PIPE,
                    # The reader, too: without one, bubblewrap would die when it writes, and leave its child waiting.
                    pass_fds=[reader, writer, calls],
                    cwd="/",
                )
            finally:
                os.close(writer)
                os.close(calls)
            document = read_all(reader, _TIMEOUT)
        finally:
            os.close(reader)
        assert process.stdout is not None
        assert process.stderr is not None
        if document:
            with suppress(ProcessLookupError):
                self.descriptor = pidfd_open(json.loads(document)["child-pid"])
            # bubblewrap gives the number before it makes the file system; until then nothing can enter it.
            if not is_readable(process.stdout.fileno(), deadline - time.monotonic()):
                document = None
            elif process.stdout.readline():
                return
        if document is None:
            raise RuntimeError(f"the local sandbox does not start within {_TIMEOUT} seconds")
        said = read_all(process.stderr.fileno(), _TIMEOUT) or b""
        complaint = said[:2000].decode(errors="replace").strip()
        raise RuntimeError(f"the local sandbox does not start: {complaint or 'bwrap ended'}")

    async def stop(self) -> None:
        """End the first process, and wait until no process of the sandbox is left. Further calls do nothing."""
        if self._launched is not None:
            await asyncio.wait({self._launched})
            self._launched.cancelled() or self._launched.exception()  # reported by the start, if that was not cancelled
        descriptor, self.descriptor = self.descriptor, None
        if descriptor is not None:
            try:
                with suppress(ProcessLookupError):
                    pidfd_send_signal(descriptor, signal.SIGKILL)
                # It ends after all other processes inside.
                if not await in_thread(partial(is_readable, descriptor, _TIMEOUT)):
                    raise TimeoutError(f"the local sandbox does not end within {_TIMEOUT} seconds")
            finally:
                os.close(descriptor)
        process, self._bubblewrap = self._bubblewrap, None
        if process is not None:
            process.kill()
            await in_thread(partial(end, process))
