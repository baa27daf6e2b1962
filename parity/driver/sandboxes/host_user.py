"""The host's user of a local sandbox: if possible a user of its own, without an account.

The kernel counts descriptors in sockets, pages of pipes and watched files for each user, whatever the namespaces. Root
can become any user. An ordinary user can become those of a range in `/etc/subuid` and `/etc/subgid`, in a user
namespace with that range, which each process makes once.
"""

import os
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from secrets import randbelow

from parity.driver.sandboxes.starting import program


def new_user() -> list[str]:
    """Return a command that runs its further arguments as a new user; nothing if this process can become no other."""
    options, numbers, places = _users(os.getpid())
    return _becoming(options, numbers[next(places) % len(numbers)]) if numbers else []


def _becoming(options: list[str], number: int) -> list[str]:
    return ["nsenter", *options, f"--setuid={number}", f"--setgid={number}", "--"]


@cache
def _users(process: int) -> tuple[list[str], range, Iterator[int]]:
    """Return options of nsenter, the numbers of users, and places of the next ones. A forked process has its own."""
    options, mapped = ([], Path("/proc/self/uid_map").read_text()) if os.geteuid() == 0 else _namespace(process)
    first, _, size = map(int, mapped.splitlines()[-1].split())
    end = min(first + size, 1 << 31)  # some programs take larger numbers for negative ones
    # Accounts and containers rarely have the last numbers.
    numbers = range(end - (end - first + 15) // 16, end)
    return options, numbers, count(randbelow(len(numbers) or 1))


def _namespace(process: int) -> tuple[list[str], str]:
    """Make and keep a user namespace with the user's range. Return options of nsenter that enter it, and its `uid_map`.

    If the user has no range, or bubblewrap does not work there, the map is empty.
    """
    with program(["unshare", "--user", "--map-auto", "sh", "-c", "echo; read -r _"], stdin=subprocess.PIPE) as made:
        if not (made.stdout and made.stdout.readline()):
            return [], "0 0 0"
        opened = os.open(f"/proc/{made.pid}/ns/user", os.O_RDONLY)
        mapped = Path(f"/proc/{made.pid}/uid_map").read_text()
    options = [f"--user=/proc/{process}/fd/{opened}"]
    with program([*_becoming(options, 1), "bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]) as tried:
        return options, "0 0 0" if tried.wait() else mapped
