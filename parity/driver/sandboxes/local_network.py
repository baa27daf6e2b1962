"""The network of a local sandbox that is given one: a program of the host carries its connections outward.

The sandbox keeps a network namespace of its own, so that the host's loopback and abstract sockets stay out of reach;
pasta or slirp4netns, whichever is installed, gives it an interface there, and makes its connections from outside as
any program of the host's user would. Nothing is forwarded inward. What the host offers on its other addresses is
reached, as from a container.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import IO

from parity.driver.sandboxes.first_process import SHELL, without_rights
from parity.driver.sandboxes.starting import program, start
from parity.driver.sandboxes.streaming import in_thread

NAME_SERVER = "10.0.2.3"
"""Address at which either program passes questions for names on to the host's own name server."""

PROGRAMS = {
    "pasta": (
        *("pasta", "--foreground", "--quiet", "--config-net", "--ipv4-only", "--ns-ifname", "tap0"),
        *("--address", "10.0.2.100", "--netmask", "24", "--gateway", "10.0.2.2", "--dns-forward", NAME_SERVER),
        # Else the gateway is the host's loopback, and ports are forwarded both ways.
        *("--no-map-gw", "-t", "none", "-u", "none", "-T", "none", "-U", "none"),
    ),
    "slirp4netns": ("slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", "--enable-seccomp"),
}
"""Command lines by the program's name, without the number of a process in the namespace; the better one first."""

_ARGUMENTS_BEHIND = {"pasta": (), "slirp4netns": ("tap0",)}
_TUNNELS = Path("/dev/net/tun")

# Neither program ends with the namespace; this one ends it when this process has closed its end of a pipe, or is dead.
_GUARD = """
exec 3<&0
"$@" 3<&- & program=$!
{ read -r <&3; kill -9 $program; } & reader=$!
exec 3<&-
wait $program; code=$?
kill $reader
exit $code
"""

_TIMEOUT = 30
"""Seconds for a start, and for an end."""


def _installed() -> str | None:
    return next((name for name in PROGRAMS if shutil.which(name) is not None), None)


def missing_for_network() -> str | None:
    """What a sandbox with a network lacks on this host, and what to do; None if nothing."""
    if _installed() is None:
        return "pasta or slirp4netns; install it with apt-get install passt (or slirp4netns), or use --sandbox docker"
    if not os.access(_TUNNELS, os.R_OK | os.W_OK):
        return f"{_TUNNELS}; load the module tun or give the container this device, or use --sandbox docker"
    return None


class OutwardPath:
    """The program beside one sandbox."""

    def __init__(self) -> None:
        self._guard: subprocess.Popen[bytes] | None = None

    async def open(self, sandbox: int) -> None:
        """Start it, and wait until the sandbox has a way out.

        Args:
            sandbox: process descriptor of the sandbox's first process.

        Raises:
            RuntimeError: it cannot.
        """
        if (name := _installed()) is None:
            raise RuntimeError(f"the sandbox's network needs {missing_for_network()}")
        process = _number(sandbox)
        with tempfile.TemporaryFile() as complaints:
            guarded = (SHELL, "-c", _GUARD, "bash", *PROGRAMS[name], process, *_ARGUMENTS_BEHIND[name])
            begin = partial(
                program,
                [*without_rights(), *guarded],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath)},
            )
            self._guard = await start(begin, _end)
            try:
                async with asyncio.timeout(_TIMEOUT):
                    while not _leads_out(process):
                        if self._guard.poll() is not None:
                            raise RuntimeError(f"the sandbox's network does not start: {_last(complaints) or name}")
                        await asyncio.sleep(0.01)
            except TimeoutError:
                raise RuntimeError(f"the sandbox's network does not start within {_TIMEOUT} seconds") from None

    async def close(self) -> None:
        """End it; more than once is as good as once."""
        guard, self._guard = self._guard, None
        if guard is not None:
            await in_thread(partial(_end, guard))


def _end(guard: subprocess.Popen[bytes]) -> None:
    """Let it end the program, and itself."""
    assert guard.stdin is not None
    guard.stdin.close()
    guard.wait(_TIMEOUT)


def _number(descriptor: int) -> str:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/self/fdinfo/{descriptor}").read_text().splitlines())
    return lines["Pid"].strip()


def _leads_out(process: str) -> bool:
    """Whether the network that a process sees has a default route."""
    try:
        routes = Path(f"/proc/{process}/net/route").read_text().splitlines()[1:]
    except OSError as error:
        raise RuntimeError(f"the sandbox ended before it had a network: {error.strerror}") from None
    return any(route.split()[1] == "00000000" for route in routes)


def _last(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return complaints.read(4000).decode(errors="replace").strip().rpartition("\n")[2]
