"""The sandbox kind `local`: bubblewrap with the host's own programs, for tasks that need no image.

One `bwrap` makes the sandbox, with new namespaces, a root directory in memory, and no network. The sandbox's first
process ends when its standard input is closed, which happens when the sandbox is stopped or this process is killed. The
kernel then kills all other processes in the sandbox.

A command enters the sandbox as its root user by `nsenter`. A second `bwrap` then drops all capabilities and filters the
command's system calls. Files are copied by a tar program that also enters by `nsenter`, but stays outside the sandbox's
PID namespace, so that no program in the sandbox can stop or trace it. The programs that run with capabilities in the
sandbox are the host's, mounted read-only. /etc is also a mount, so that no program can make them load another library.
/tmp is a mount because the second `bwrap` would not start otherwise.

A command that runs into its timeout keeps running until the sandbox stops, as in a container.
"""

import asyncio
import errno
import json
import os
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from itertools import count, filterfalse
from pathlib import Path
from secrets import randbelow

from parity.driver.sandbox import Executed, Sandbox, SandboxSpec, TransferError, User
from parity.driver.sandboxes import limits
from parity.driver.sandboxes.accounts import accounts_of, unsupported_user
from parity.driver.sandboxes.dockerfile import compose_file, read_dockerfile
from parity.driver.sandboxes.preflight import check_host
from parity.driver.sandboxes.process import Program, run
from parity.driver.sandboxes.seccomp import filter_program
from parity.driver.sandboxes.transfer import receive, send

_SHELL = "/bin/bash"

_ENV = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
_DOCKER = "use --sandbox docker"

_DISK_FULL = (os.strerror(errno.ENOSPC), os.strerror(errno.EFBIG), "Wrote only")
"""Words in tar's error message for a file that does not fit. A single file may be as large as the disk."""

_TIMEOUT = 30
"""The timeout for the start and for the end of a sandbox, in seconds."""

_PROGRAMS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS = (
    *("alternatives", "ca-certificates", "crypto-policies", "gai.conf", "host.conf", "java"),
    *("ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "pki/ca-trust", "pki/tls"),
    *("protocols", "services", "ssl/certs", "ssl/openssl.cnf"),
)
"""Files in /etc that programs need. None of them contains keys or passwords."""

_LOADER = ("/etc/ld.so.cache", "/etc/ld.so.preload")
"""Files that list libraries which every program loads. In a sandbox they are the same as on the host, or empty."""

_KERNEL = ("/proc/sys", "/proc/pressure")
"""Kernel directories that are read-only in a sandbox, whose root user could otherwise change settings there."""

_KEYS = ("/proc/keys", "/proc/key-users")
"""Files that list the user's keys, and that no namespace hides."""

_SHARED_MEMORY = 64 << 20

_FIRST_PROCESS = "echo ready; exec >/dev/null; read -r"

# The working directory is the host's /proc/sys, because the sandbox's is read-only. The mounts are remounted because
# bwrap cannot set their limits.
_SET_UP = """set -e
for setting in $1; do [ ! -w "${setting%=*}" ] || echo "${setting#*=}" > "${setting%=*}"; done
cd /
mount -i -n -o "remount,nosuid,nodev,size=$2,nr_inodes=$3" none /
mount -i -n -o "remount,nosuid,nodev,nr_inodes=$3" none /dev/shm
mount -i -n -o remount,nosuid,noexec,mode=620,ptmxmode=666,max=64 none /dev/pts
mount -i -n --rbind /etc /etc
mount -i -n --bind /tmp /tmp
printf %s "$4" > /etc/passwd
printf %s "$5" > /etc/group
echo '127.0.0.1 localhost' > /etc/hosts
shift 5
mkdir -p /run "$@"
"""

# Let the process be killed first if the host runs out of memory, and move it into the cgroup, if there is one.
_OUTSIDE = 'echo 1000 > /proc/self/oom_score_adj; [ -z "$0" ] || echo 0 > "$0"; exec nice -n 5 "$@"'

# Removes the cgroup, even if this process has been killed. Programs that are entering the sandbox end just after bwrap.
_REMOVES_GROUP = '"$@"; for i in $(seq 100); do rmdir "$0" 2>/dev/null && break; sleep 0.1; done'

# Waits for bwrap in a shell that no program in the sandbox can stop or kill.
_WAITING = '"$@"; exit $?'

# /proc is hidden, because symlinks in it lead to files that processes have open. The only capability that tar keeps is
# the one to ignore the modes of files.
_TAR = """mount -i -n -t tmpfs -o ro none /proc || exit
[ "$1" = --create ] || mkdir -p -- "$0" || exit
setpriv --bounding-set=-all,+dac_override --inh-caps=-all --no-new-privs tar --directory "$0" "$@"
[ $? -le 1 ]"""


class LocalSandboxes:
    """Sandboxes with the host's own programs."""

    name = "local"

    def preflight(self) -> None:
        check_host(self.make)

    def refusal(self, spec: SandboxSpec) -> str | None:
        if name := compose_file(spec.directory):
            return f"needs {spec.directory.name}/{name}, which the local sandbox cannot run; {_DOCKER}"
        needs = read_dockerfile(spec.directory / "Dockerfile").unsupported
        if needs is not None:
            return f"needs {needs} in {spec.directory.name}/Dockerfile, which the local sandbox cannot build; {_DOCKER}"
        if spec.image is None and not (spec.directory / "Dockerfile").is_file():
            return f"has neither docker_image in task.toml nor {spec.directory.name}/Dockerfile; add one"
        if (user := unsupported_user(spec.users)) is not None:
            return f"names the user {user!r}, for which the local sandbox has no account; {_DOCKER}"
        if spec.network:
            return f"requests a network, which the local sandbox does not have; {_DOCKER}"
        return limits.refusal(spec)

    def make(self, spec: SandboxSpec) -> Sandbox:
        return LocalSandbox(spec)


class LocalSandbox:
    """One sandbox."""

    imitates_mounts = True
    driver_timeout = 120.0

    def __init__(self, spec: SandboxSpec) -> None:
        self._spec = spec
        self._workdir = read_dockerfile(spec.directory / "Dockerfile").workdir or "/app"
        self._accounts = accounts_of(spec.users)
        self._size = limits.size(spec)
        self._user = new_user()
        self._group: Path | None = None
        """The sandbox's cgroup; None if there is no cgroup."""

        self._limits: dict[str, int] = {}
        self._bwrap: Program | None = None
        self._first: int | None = None
        """The process id of the sandbox's first process; None if the sandbox is not running."""

        self._commands: list[Program] = []

    async def start(self) -> None:
        """Start the sandbox, and make its directories and accounts.

        Raises:
            RuntimeError: bubblewrap failed, or the sandbox cannot be set up.
        """
        self._group = limits.make_group(memory=limits.memory(self._spec))
        self._limits = limits.resource_limits(self._spec, has_group=self._group is not None)
        await self._start_first_process()
        await self._set_up()

    async def _start_first_process(self) -> None:
        """Start the first process, and wait until it runs in the sandbox."""
        reader, writer = os.pipe()
        with ExitStack() as closing:
            closing.callback(os.close, reader)
            with ExitStack() as passed:
                passed.callback(os.close, writer)
                calls = unnamed_file(filter_program())
                passed.callback(os.close, calls)
                bwrap = bubblewrap(self._spec.name, size=self._size, info=writer, calls=calls)
                command = [*self._user, *bwrap, *limits.prlimit(self._limits), _SHELL, "-c", _FIRST_PROCESS]
                # The first process is not in the cgroup, where the kernel would kill it if memory runs out.
                removing = [] if self._group is None else ["/bin/sh", "-c", _REMOVES_GROUP, str(self._group)]
                # The reader is passed, too. If there were no reader, bwrap would die when it writes to the pipe, and
                # its child would wait for ever.
                self._bwrap = Program([*removing, *command], stdin=subprocess.PIPE, pass_fds=[reader, writer, calls])
            if await self._bwrap.prints(_TIMEOUT):
                self._first = json.loads(os.read(reader, 1 << 16))["child-pid"]
                return
        if not self._bwrap.ended.done():
            raise RuntimeError(f"the local sandbox does not start within {_TIMEOUT} seconds")
        complaint = (await self._bwrap.result()).stderr.strip()
        raise RuntimeError(f"the local sandbox does not start: {complaint or 'bwrap ended'}")

    async def _set_up(self) -> None:
        """Set limits, and make directories and accounts. No untrusted program is running yet."""
        settings = " ".join(f"{name}={value}" for name, value in limits.kernel_settings(self._spec).items())
        directories = (*(account.home for account in self._accounts.all), self._workdir)
        numbers = (str(self._size), str(limits.FILES))
        arguments = (settings, *numbers, self._accounts.passwd(), self._accounts.group(), *directories)
        command = self._entering("--wd=/proc/sys", "/bin/sh", "-c", _SET_UP, "sh", *arguments)
        executed = await run(command, env={}, timeout=_TIMEOUT)
        if executed.code:
            complaint = f"code {executed.code} {executed.stderr.strip()}".rstrip()
            raise RuntimeError(f"the local sandbox cannot be set up: {complaint}")

    async def stop(self) -> None:
        """Close the standard input of the first process, which ends it, and wait until all processes have ended.

        Raises:
            TimeoutError: the sandbox does not end.
        """
        if self._bwrap is None:
            if self._group is not None:
                with suppress(OSError):
                    self._group.rmdir()
            return
        assert self._bwrap.stdin is not None
        self._bwrap.stdin.close()
        ending = {self._bwrap.ended, *(command.ended for command in self._commands)}
        _, running = await asyncio.wait(ending, timeout=_TIMEOUT)
        if running:
            raise TimeoutError(f"the local sandbox does not end within {_TIMEOUT} seconds")
        for program in (self._bwrap, *self._commands):
            program.close()
        self._bwrap, self._first, self._commands = None, None, []

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
        directory = cwd or self._workdir
        if not directory.startswith("/"):
            return Executed(126, "", f"the working directory {directory} cannot be used: it is not an absolute path\n")
        variables = {**_ENV, "HOME": account.home, **(env or {})}
        with ExitStack() as closing:
            calls, status = unnamed_file(filter_program()), unnamed_file(b"")
            closing.callback(os.close, calls)
            closing.callback(os.close, status)
            rights = _rights(account.uid, calls, directory, variables)
            arguments = unnamed_file(b"".join(os.fsencode(each) + b"\0" for each in rights))
            closing.callback(os.close, arguments)
            inner = ("bwrap", "--args", str(arguments), "--json-status-fd", str(status), "--", _SHELL, "-c", command)
            outer = ("--no-fork", *limits.prlimit(self._limits), "/bin/sh", "-c", _WAITING, "sh", *inner)
            program = Program(self._entering(*outer), env={}, pass_fds=[calls, status, arguments])
            self._commands.append(program)
            executed = await program.result(timeout)
            if program.is_silent:
                self._commands.remove(program)
            # bwrap reports an exit code only if it has started the command.
            has_begun = b'"exit-code"' in os.pread(status, 1 << 16, 0)
        if not executed.code or has_begun or not executed.stderr.startswith("bwrap: "):
            return executed
        complaint = executed.stderr.strip().partition("\n")[0].removeprefix("bwrap: ")
        if complaint.startswith("Can't chdir to "):
            why = complaint.rpartition(": ")[2]
            return Executed(126, "", f"the working directory {directory} cannot be used: {why}\n")
        raise RuntimeError(f"the command cannot be run: {complaint}")

    async def put(self, source: Path, target: str) -> None:
        where, name = (target, ".") if source.is_dir() else (posixpath.dirname(target), posixpath.basename(target))
        tar = self._tar(where or "/", "--extract", "--no-same-owner")
        program = Program(tar, env={}, stdin=subprocess.PIPE)
        try:
            await send(program, source, name)
        except TransferError as error:
            if any(words in str(error) for words in _DISK_FULL):
                raise TransferError(f"disk full: {self._size >> 20:,} MB (storage_mb)") from None
            raise TransferError(str(error).removeprefix("tar: ")) from None

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        where, name = (source, ".") if directory else posixpath.split(source)
        options = ("--ignore-failed-read",) if directory else ("--dereference",)
        tar = self._tar(where, "--create", *options, "--", posixpath.join(".", name))
        try:
            program = Program(tar, env={}, collects=False)
            siblings = self._spec.siblings(source, target)
            await receive(program, source, target, directory=directory, max_bytes=max_bytes, siblings=siblings)
        except TransferError as error:
            raise type(error)(f"{source}: {str(error).removeprefix('tar: ')}") from None

    def _tar(self, directory: str, *arguments: str) -> list[str]:
        """Return a command that runs tar in a directory in the sandbox, but outside the sandbox's PID namespace."""
        allowed = {"NPROC": limits.PROCESSES + 16, "FSIZE": self._size, "CORE": 0}
        # As with docker, a relative path begins at the root.
        tar = ("unshare", "--mount", "/bin/sh", "-c", _TAR, posixpath.join("/", directory), *arguments)
        return [*self._user, *self._nsenter("--user", "--mount"), *limits.prlimit(allowed), *tar]

    def _entering(self, *arguments: str) -> list[str]:
        """Return a command that enters the sandbox, in the sandbox's cgroup and as its user on the host."""
        group = "" if self._group is None else str(self._group / "cgroup.procs")
        # SIGXFSZ is ignored, so that writing too large a file is an error and does not kill the writing process.
        signals = ("env", "-i", "--default-signal", "--ignore-signal=XFSZ")
        namespaces = self._nsenter("--user", "--mount", "--pid", "--ipc", "--uts", "--net")
        return [*signals, "/bin/sh", "-c", _OUTSIDE, group, *self._user, *namespaces, *arguments]

    def _nsenter(self, *namespaces: str) -> list[str]:
        if self._bwrap is None or self._first is None or self._bwrap.ended.done():
            raise RuntimeError("the sandbox is not running")
        return ["nsenter", "--target", str(self._first), *namespaces, "--preserve-credentials"]


def bubblewrap(name: str, *, size: int, info: int, calls: int) -> list[str]:
    """Return the command that starts a sandbox. The command for the sandbox's first process must be appended.

    Args:
        name: a name, from which the sandbox's host name is made.
        size: the largest size of all files in the sandbox, in bytes.
        info: file descriptor that receives the process id of the first process, long before that process runs.
        calls: file descriptor from which the filter for system calls is read.
    """
    host_name = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-") or "sandbox"
    return [
        # The only device in the network namespace is its loopback.
        *(shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0"),
        *("--hostname", host_name, "--new-session", "--as-pid-1", "--clearenv", "--info-fd", str(info)),
        *("--seccomp", str(calls)),
        *("--size", str(size), "--tmpfs", "/", *_directories(), "--ro-bind", "/usr", "/usr"),
        # Paths that are symlinks on the host are also mounted, because a task could replace a symlink.
        *_read_only("--ro-bind", (f"/{name}" for name in _PROGRAMS if os.path.isdir(f"/{name}"))),
        *_read_only("--ro-bind-try", (f"/etc/{name}" for name in _SETTINGS)),
        *_read_only("--ro-bind", filter(os.path.exists, _LOADER)),
        *_read_only("--ro-bind", filterfalse(os.path.exists, _LOADER), os.devnull),
        *("--proc", "/proc", *_read_only("--ro-bind", filter(os.path.exists, _KERNEL))),
        *(*_read_only("--ro-bind", filter(os.path.exists, _KEYS), os.devnull), "--dev", "/dev"),
        *("--size", str(_SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm"),
        # If /dev were not read-only, files could be written there without a limit.
        *("--remount-ro", "/dev", "--chdir", "/", "--"),
    ]


def _directories() -> Iterator[str]:
    """Yield options that make directories with their modes.

    Without them, bubblewrap would make the parents of mounts, but accessible only to their owner.
    """
    parents = {os.path.dirname(f"/etc/{name}") for name in _SETTINGS if os.path.exists(f"/etc/{name}")}
    for path in sorted({"/etc", *parents, "/var"}):
        yield from ("--perms", "755", "--dir", path)
    for path in "/tmp", "/var/tmp":
        yield from ("--perms", "1777", "--dir", path)
    if os.path.exists("/usr/lib/os-release"):
        yield from ("--symlink", "../usr/lib/os-release", "/etc/os-release")


def _read_only(option: str, paths: Iterable[str], source: str | None = None) -> list[str]:
    """Return options that mount host paths at the same paths in the sandbox, or the source at each of these paths."""
    return [argument for path in paths for argument in (option, source or path, path)]


def _rights(uid: int, calls: int, directory: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Yield the arguments for the second bwrap, which only makes a new user namespace without capabilities."""
    yield from ("--unshare-user", "--uid", str(uid), "--gid", str(uid), "--cap-drop", "ALL", "--seccomp", str(calls))
    yield from ("--dev-bind", "/", "/", "--new-session", "--chdir", directory, "--clearenv")
    for name, value in variables.items():
        yield from ("--setenv", name, value)


def unnamed_file(content: bytes) -> int:
    """Return a file descriptor, at position 0, for a file in memory that no other process can open."""
    file = os.memfd_create("parity")
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


_PLACES = count(randbelow(1 << 20))


def new_user() -> list[str]:
    """Return a command that runs its arguments as a host user without an account; [] if this process is not root."""
    if os.geteuid() != 0:
        return []
    first, _, size = map(int, Path("/proc/self/uid_map").read_text().splitlines()[-1].split())
    last = min(first + size, 1 << 31)  # some programs treat larger numbers as negative
    # The last user ids are rarely used by accounts and containers.
    number = str(last - 1 - next(_PLACES) % ((last - first + 15) // 16))
    return ["setpriv", "--reuid", number, "--regid", number, "--clear-groups"]
