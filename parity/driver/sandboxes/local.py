"""The sandbox kind `local`: bubblewrap on the host's own programs, for tasks that need no image.

A sandbox has its own namespaces, a root file system in memory, and no network. The size and number of its files, and
the number of its processes and watchers, are limited. A cgroup limits all memory, files included; without one, only
System V segments are limited, and each process's data if the task limits memory. CPUs are not limited, but its
processes have a lower priority than others, and are killed first if the host runs out of memory. Users have names and
numbers, but all own the same files.

A command that runs into its timeout keeps running until the sandbox stops, as in a container.
"""

import errno
import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, TransferError, User
from parity.driver.sandboxes import local_limits
from parity.driver.sandboxes.archive import pack
from parity.driver.sandboxes.command import Commands
from parity.driver.sandboxes.dockerfile import compose_file, read_dockerfile
from parity.driver.sandboxes.entering import DOES_NOT_RUN, Entrance, Request, SandboxEntry, carrier
from parity.driver.sandboxes.first_process import SHELL, FirstProcess
from parity.driver.sandboxes.local_limits import FILES, memory_group, remove_group
from parity.driver.sandboxes.local_preflight import check_host
from parity.driver.sandboxes.starting import Startable, start
from parity.driver.sandboxes.streaming import fetch, in_thread, send

_ENV = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
_DOCKER = "use --sandbox docker"


class LocalSandboxes:
    """Sandboxes on the host's own programs."""

    name = "local"

    def preflight(self) -> None:
        check_host(self.make)

    def refusal(self, spec: SandboxSpec) -> str | None:
        if name := compose_file(spec.folder):
            return f"needs {spec.folder.name}/{name}, which the local sandbox cannot run; {_DOCKER}"
        needs = read_dockerfile(spec.folder / "Dockerfile").unsupported
        if needs is not None:
            return f"needs {needs} in {spec.folder.name}/Dockerfile, which the local sandbox cannot build; {_DOCKER}"
        if spec.image is None and not (spec.folder / "Dockerfile").is_file():
            return f"has neither docker_image in task.toml nor {spec.folder.name}/Dockerfile; add one"
        if (user := unsupported_user(spec.users)) is not None:
            return f"names the user {user!r}, for which the local sandbox has no account; {_DOCKER}"
        if spec.network:
            return f"asks for a network, which the local sandbox does not have; {_DOCKER}"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        return LocalSandbox(spec)


class LocalSandbox:
    """One sandbox."""

    copies_mounts = True
    own_timeout = 120.0

    def __init__(self, spec: SandboxSpec) -> None:
        self._spec = spec
        self._workdir = read_dockerfile(spec.folder / "Dockerfile").workdir or "/app"
        self._accounts = accounts_of(spec.users)
        self._size = local_limits.size(spec)
        self._limits: dict[str, int] = {}
        self._group: Path | None = None
        """Its cgroup, if it has one."""

        self._commands = Commands()
        self._first = FirstProcess(spec.name, size=self._size)
        self._entrance: Entrance | None = None

    async def start(self) -> None:
        """Start the sandbox, with its folders and accounts.

        Raises:
            RuntimeError: bubblewrap failed, or the sandbox cannot be set up.
        """
        self._group = await start(partial(memory_group, local_limits.memory(self._spec)), remove_group)
        self._limits = local_limits.resource_limits(self._spec, counted=self._group is not None)
        await self._first.start()
        self._entrance = Entrance(self._running(), self._group)
        made = await self._enter(self._making())
        if made.code:
            raise RuntimeError(f"the local sandbox cannot be set up: code {made.code} {made.stderr.strip()}".rstrip())

    async def stop(self) -> None:
        await self._first.stop()
        if self._entrance is not None:
            await in_thread(self._entrance.close)
        await self._commands.close()
        if self._group is not None:
            await in_thread(partial(remove_group, self._group))

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: User | None = None,
    ) -> Executed:
        account = self._accounts.find(user)
        return await self._enter(
            Request(
                (SHELL, "-c", command),
                {**_ENV, "HOME": account.home, **(env or {})},
                cwd=posixpath.join(self._workdir, cwd or ""),
                uid=account.uid,
                limits=self._limits,
            ),
            timeout,
        )

    async def upload(self, source: Path, target: str) -> None:
        folder = source.is_dir()
        where, name = (target, ".") if folder else (posixpath.dirname(target), posixpath.basename(target))
        try:
            await send(self._carrier("store", where or "/"), partial(pack, source, name=name))
        except TransferError as error:
            if os.strerror(errno.ENOSPC) in str(error):
                raise TransferError(f"disk full: {self._size >> 20:,} MB (storage_mb)") from None
            raise

    async def download(self, source: str, target: Path, *, directory: bool, room: int | None = None) -> None:
        program = self._carrier("fetch-folder" if directory else "fetch-file", source)
        try:
            await fetch(program, source, target, directory=directory, room=room)
        except TransferError as error:
            raise type(error)(f"{source}: {error}") from None

    def _carrier(self, action: str, path: str) -> Startable:
        return carrier(self._running(), self._size, action, posixpath.join(self._workdir, path))

    def _running(self) -> int:
        if self._first.descriptor is None:
            raise RuntimeError(DOES_NOT_RUN)
        return self._first.descriptor

    def _making(self) -> Request:
        """Return the request that sets up the sandbox before any untrusted command."""
        return Request(
            limits=self._limits,
            makes=True,
            settings=local_limits.kernel_settings(self._spec),
            mounts={"/": f"size={self._size},nr_inodes={FILES}", "/dev/shm": f"nr_inodes={FILES}"},
            folders=(*(account.home for account in self._accounts.all), self._workdir, "/run"),
            files={
                "/etc/passwd": self._accounts.passwd(),
                "/etc/group": self._accounts.group(),
                "/etc/hosts": "127.0.0.1 localhost\n",
            },
        )

    async def _enter(self, request: Request, timeout: int | None = None) -> Executed:
        if self._entrance is None:
            raise RuntimeError(DOES_NOT_RUN)
        with closing(SandboxEntry(self._entrance, request)) as way:
            executed = await self._commands.run(way.start, timeout=timeout)
            if failure := way.failure():
                raise RuntimeError(failure)
            return executed


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
_FIRST = 1000
_LARGEST = (1 << 31) - 1


@dataclass(frozen=True)
class Account:
    """A line of /etc/passwd."""

    name: str
    uid: int
    home: str


_ALWAYS = (Account("root", 0, "/root"), Account("nobody", 65534, "/"))


@dataclass(frozen=True)
class Accounts:
    """All users of a sandbox."""

    all: tuple[Account, ...]

    def find(self, user: User | None) -> Account:
        """Return the account of a user. A number needs no account, and None is root.

        Raises:
            RuntimeError: the sandbox has no such user.
        """
        if user is None:
            return _ALWAYS[0]
        uid = _number(user)
        for account in self.all:
            if uid == account.uid or user == account.name:
                return account
        if uid is None:
            raise RuntimeError(f"unable to find user {user}: the local sandbox has root and users that the task names")
        return Account(str(uid), uid, "/")

    def passwd(self) -> str:
        """Return the text of /etc/passwd."""
        return "".join(f"{who.name}:x:{who.uid}:{who.uid}:{who.name}:{who.home}:/bin/bash\n" for who in self.all)

    def group(self) -> str:
        """Return the text of /etc/group, with a separate group for each user."""
        return "".join(f"{who.name}:x:{who.uid}:\n" for who in self.all)


def accounts_of(users: Iterable[User]) -> Accounts:
    """Return accounts for the users that commands name, in an order that does not depend on the order of the users."""
    known = {account.name for account in _ALWAYS}
    numbers = {uid for user in users if (uid := _number(user)) is not None}
    names = sorted({str(user) for user in users if _number(user) is None} - known)
    free = (uid for uid in range(_FIRST, _LARGEST) if uid not in numbers)
    return Accounts((*_ALWAYS, *(Account(name, uid, f"/home/{name}") for name, uid in zip(names, free, strict=False))))


def unsupported_user(users: Iterable[User]) -> User | None:
    """Return the first user that cannot have an account, or None."""
    for user in sorted(users, key=str):
        uid = _number(user)
        if not (_NAME.fullmatch(str(user)) if uid is None else 0 <= uid <= _LARGEST):
            return user
    return None


def _number(user: User) -> int | None:
    if isinstance(user, int):
        return user
    return int(user) if user.isascii() and user.isdigit() and len(user) < 20 else None
