"""The network of a local sandbox, if its task gets one: a host program forwards its connections.

`TrialPlan` in `parity/driver/trial_plan.py` decides whether a task gets one, from task.toml and `--allow-network`.

The sandbox keeps its own network namespace, so the host's loopback and abstract sockets stay out of reach. pasta or
slirp4netns, whichever is installed, gives it an interface there, and connects from outside like any program of the
host's user. Nothing is forwarded inward. Services on the host's other addresses can be reached, as from a container.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import IO

from parity.driver.sandboxes.first_process import SHELL
from parity.driver.sandboxes.starting import program, start
from parity.driver.sandboxes.streaming import in_thread

NAME_SERVER = "10.0.2.3"
"""Address at which both programs forward name queries to the host's name server."""

PROGRAMS = {
    "pasta": (
        *("pasta", "--foreground", "--quiet", "--config-net", "--ipv4-only", "--ns-ifname", "tap0"),
        *("--address", "10.0.2.100", "--netmask", "24", "--gateway", "10.0.2.2", "--dns-forward", NAME_SERVER),
        # Otherwise the gateway is the host's loopback, and ports are forwarded both ways.
        *("--no-map-gw", "-t", "none", "-u", "none", "-T", "none", "-U", "none"),
    ),
    "slirp4netns": ("slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", "--enable-seccomp"),
}
"""Command lines by program, without the number of a process inside. The preferred one comes first."""

_ARGUMENTS_BEHIND = {"pasta": (), "slirp4netns": ("tap0",)}
_TUNNELS = Path("/dev/net/tun")

# Neither program ends with the namespace. This shell kills it when this process closes a pipe or dies.
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
"""The time limit of a start, and of an end, in seconds."""


def _installed() -> str | None:
    return next((name for name in PROGRAMS if shutil.which(name) is not None), None)


def missing_for_network() -> str | None:
    """Return the missing requirement of a sandbox with a network, and what to do; None if all is here."""
    if _installed() is None:
        return "pasta or slirp4netns; install it with apt-get install passt (or slirp4netns), or use --sandbox docker"
    if not os.access(_TUNNELS, os.R_OK | os.W_OK):
        return f"{_TUNNELS}; load the module tun or give the container this device, or use --sandbox docker"
    return None


class OutwardPath:
    """The program that forwards the connections of one sandbox."""

    def __init__(self) -> None:
        self._guard: subprocess.Popen[bytes] | None = None

    async def open(self, sandbox: int, as_user: list[str]) -> None:
        """Start the program, and wait until the sandbox has a default route.

        Args:
            sandbox: process descriptor of the sandbox's first process.
            as_user: beginning of a command that runs as the sandbox's user of the host.

        Raises:
            RuntimeError: the program does not start.
        """
        if (name := _installed()) is None:
            raise RuntimeError(f"the sandbox's network needs {missing_for_network()}")
        process = _number(sandbox)
        with tempfile.TemporaryFile() as complaints:
            guarded = (SHELL, "-c", _GUARD, "bash", *PROGRAMS[name], process, *_ARGUMENTS_BEHIND[name])
            begin = partial(
                program,
                [*as_user, *guarded],
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
        """End the program. Further calls do nothing."""
        guard, self._guard = self._guard, None
        if guard is not None:
            await in_thread(partial(_end, guard))


def _end(guard: subprocess.Popen[bytes]) -> None:
    """Close the guard's input, which ends the program and the guard, and wait for the guard's end."""
    assert guard.stdin is not None
    guard.stdin.close()
    guard.wait(_TIMEOUT)


def _number(descriptor: int) -> str:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/self/fdinfo/{descriptor}").read_text().splitlines())
    return lines["Pid"].strip()


def _leads_out(process: str) -> bool:
    """Return whether the network of a process has a default route."""
    try:
        routes = Path(f"/proc/{process}/net/route").read_text().splitlines()[1:]
    except OSError as error:
        raise RuntimeError(f"the sandbox ended before it had a network: {error.strerror}") from None
    return any(route.split()[1] == "00000000" for route in routes)


def _last(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    return complaints.read(4000).decode(errors="replace").strip().rpartition("\n")[2]
