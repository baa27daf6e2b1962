"""The first process of a local sandbox, which bubblewrap starts, and the files that it sees.

The root is one size-bounded file system in memory that belongs to the sandbox; programs of the host are seen
read-only, and of its other files only what programs need. The first process says by a line of output that it sees
them, and waits for the end of its input, which comes when the sandbox is stopped, and also when the process that
started it is killed.
"""

import re
from collections.abc import Mapping
from pathlib import Path

SHELL = "/bin/bash"

_PROGRAMS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS = (
    *("alternatives", "ca-certificates", "crypto-policies", "gai.conf", "host.conf", "java", "ld.so.cache"),
    *("ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "pki/ca-trust", "pki/tls"),
    *("protocols", "services", "ssl/certs", "ssl/openssl.cnf"),
)
"""What programs need of /etc; no keys, no passwords."""

_SHARED_MEMORY = 64 << 20

_FIRST_PROCESS = "echo ready; exec >/dev/null; read -r"

_LIMITS = {"NPROC": ("u", 1), "NOFILE": ("n", 1), "CORE": ("c", 1), "FSIZE": ("f", 1024), "DATA": ("d", 1024)}
"""By which letter bash knows a limit, and in which unit."""


def bubblewrap(name: str, *, size: int, limits: Mapping[str, int], info: int, calls: int) -> list[str]:
    """The command that starts a sandbox.

    Args:
        name: its host name, as far as that takes it.
        size: bytes of files that it may have.
        limits: what bounds its first process, by names behind `RLIMIT_`.
        info: descriptor to which the number of its first process is written, long before it sees its files.
        calls: descriptor of the filter of its system calls.
    """
    host_name = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-") or "sandbox"
    return [
        # Of all namespaces, that of the network has no device but its own loopback.
        *("bwrap", "--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0", "--hostname", host_name),
        *("--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--info-fd", str(info)),
        *("--seccomp", str(calls)),
        *("--size", str(size), "--tmpfs", "/", "--ro-bind", "/usr", "/usr"),
        *_programs(Path("/")),
        *_settings(),
        *("--proc", "/proc", *_hidden(Path("/proc")), "--dev", "/dev"),
        *("--size", str(_SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm"),
        # Else files could be written there without a bound.
        *("--remount-ro", "/dev", "--chdir", "/", "--", SHELL, "-c", _limiting(limits) + _FIRST_PROCESS),
    ]


def _limiting(limits: Mapping[str, int]) -> str:
    """Bash source that sets them, where the host's own are not lower."""
    known = [(*_LIMITS[name], limit) for name, limit in limits.items()]
    return "".join(f"ulimit -{letter} {limit // unit} 2>/dev/null; " for letter, unit, limit in known)


def _programs(root: Path) -> list[str]:
    """Mounts, also of what are links on the host: a task could replace links."""
    paths = [str(path) for name in _PROGRAMS if (path := root / name).is_dir()]
    return [argument for path in paths for argument in ("--ro-bind", path, path)]


def _hidden(root: Path) -> list[str]:
    """The lists of the user's keys, which no namespace holds."""
    paths = [str(path) for name in ("keys", "key-users") if (path := root / name).exists()]
    return [argument for path in paths for argument in ("--ro-bind", "/dev/null", path)]


def _settings() -> list[str]:
    return [argument for name in _SETTINGS for argument in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]
