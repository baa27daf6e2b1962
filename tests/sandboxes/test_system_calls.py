"""Tests that system calls that could reach beyond the sandbox are refused, and that ordinary programs work."""

import ctypes
import ctypes.util
import errno
import os
import struct
import uuid
from collections.abc import Iterator, Mapping

import pytest

from parity.driver.sandbox import Sandbox, SandboxUnavailable
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.driver.sandboxes.seccomp import BY_MACHINE, CLONE, EVERYWHERE, SOCKET, filter_program
from tests.sandboxes.kinds import Kind

_KILLED, _ALLOWED, _REFUSED = 0x8000_0000, 0x7FFF_0000, 0x0005_0000
_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_MACHINE = os.uname().machine
_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_AF_VSOCK = 40
_KEYCTL_REVOKE = 3

_OF_KEYS = ("add_key", "request_key", "keyctl")
_ALSO_OF_DOCKER = (*_OF_KEYS, "mount", "umount2", "unshare", "setns", "bpf", "perf_event_open", "userfaultfd")
"""Calls that the default filter of every Docker engine also refuses to containers without capabilities."""


def _errors(calls: Mapping[str, tuple[int, ...]]) -> str:
    """Return bash source that makes the calls, each a number and arguments, and prints each name and its errno or 0."""
    lines = [
        f'$! = 0; $r = syscall({", ".join(map(str, call))}); print "{name} ", ($r == -1 ? $!+0 : 0), "\\n";'
        for name, call in calls.items()
    ]
    return f"exec perl -e '$| = 1; {' '.join(lines)}'"


def _counts(output: str) -> dict[str, int]:
    return {name: int(error) for name, error in (line.split() for line in output.splitlines())}


def _numbers() -> dict[str, int]:
    return {**EVERYWHERE, **BY_MACHINE[_MACHINE]}


def test_calls_that_reach_beyond_the_sandbox_are_refused(local: Kind) -> None:
    """Calls that reach beyond the sandbox fail with EPERM, or with ENOSYS if programs can then use an older call."""
    calls = {name: (number, -1, 0, 0, 0, 0, 0) for name, number in _numbers().items()}
    calls |= {f"clone-{flag:x}": (CLONE[_MACHINE], flag | 17, 0, 0, 0, 0, 0) for flag in _NAMESPACES}

    errors = _counts(local.executed(_errors(calls)).stdout)

    missing = {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_secret"}
    assert errors == {name: errno.ENOSYS if name in missing else errno.EPERM for name in calls}


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_docker_refuses_keys_namespaces_and_mounts(docker: Kind, user: str) -> None:
    """A container refuses calls for keys, namespaces and mounts to every user."""
    calls = {name: (_numbers()[name], 0, 0, 0, 0, 0, 0) for name in _ALSO_OF_DOCKER}

    errors = _counts(docker.executed(_errors(calls), user=user).stdout)

    assert errors == dict.fromkeys(_ALSO_OF_DOCKER, errno.EPERM)


@pytest.fixture
def key() -> Iterator[tuple[str, int]]:
    """Yield the name and number of a key in the kernel's keyring that this process and its children can read."""
    libc = ctypes.CDLL(None)
    name = f"canary-{uuid.uuid4().hex}"
    number = libc.syscall(_numbers()["add_key"], b"user", name.encode(), b"secret", ctypes.c_size_t(6), -3)
    assert number > 0, "this host takes no keys"
    yield name, number
    libc.syscall(_numbers()["keyctl"], _KEYCTL_REVOKE, number)


def test_keys_of_the_host_are_not_listed(local: Kind, key: tuple[str, int]) -> None:
    """Keys of the host's user are not listed in a sandbox."""
    assert local.executed("cat /proc/keys /proc/key-users").stdout == ""


def test_sockets_outside_the_namespaces_are_refused(local: Kind) -> None:
    """Sockets to a virtual machine's host and to kernel ciphers are refused, but local, IP and netlink ones work."""
    families = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "alg": 38, "vsock": _AF_VSOCK}
    calls = {name: (SOCKET[_MACHINE], family, 2, 0) for name, family in families.items()}

    errors = _counts(local.executed(_errors(calls)).stdout)

    assert {name for name, error in errors.items() if error == errno.EAFNOSUPPORT} == {"alg", "vsock"}
    assert errors["unix"] == errors["inet"] == errors["netlink"] == 0


def test_processes_of_other_commands_cannot_be_traced(local: Kind) -> None:
    """A command can trace its own children, but not other commands or the first process."""
    ptrace = {"x86_64": 101, "aarch64": 117}[_MACHINE]
    attach = 0x4206  # PTRACE_SEIZE

    async def run(sandbox: Sandbox) -> dict[str, int]:
        other = (await sandbox.exec("sleep 60 >/dev/null 2>&1 & echo $!")).stdout.strip()
        script = f"""
            sleep 60 >/dev/null 2>&1 & own=$!
            {_errors({"first": (ptrace, attach, 1, 0, 0), "other": (ptrace, attach, int(other), 0, 0)})} &
            wait $!; perl -e '$r = syscall({ptrace}, {attach}, int($ARGV[0]), 0, 0);
                print "own ", ($r == -1 ? $!+0 : 0), "\\n"' $own
        """
        return _counts((await sandbox.exec(script)).stdout)

    assert local.run(run) == {"first": errno.EPERM, "other": errno.EPERM, "own": 0}


def test_filter_is_inherited(local: Kind) -> None:
    """The system call filter applies to the first process and to every process that a command starts."""
    script = "(setsid bash -c 'grep Seccomp: /proc/self/status'); grep Seccomp: /proc/1/status"

    assert local.executed(script).stdout.split() == ["Seccomp:", "2", "Seccomp:", "2"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("set -m; sleep 0.2 & kill -STOP %1; kill -CONT %1; wait %1; echo $?", "0\n"),
        ("cat <(echo a) | tee >(cat >/dev/null)", "a\n"),
        ("perl -e 'pipe(R, W); if (!fork) { print W 7; exit } close W; print <R>; wait'", "7"),
        ("timeout 5 env -i /bin/echo on; nice -n 1 true && echo nice", "on\nnice\n"),
    ],
)
def test_ordinary_programs_work(kind: Kind, command: str, expected: str) -> None:
    """Ordinary programs work: with jobs, pipes and child processes."""
    assert kind.executed(command).stdout == expected


_COMPILED = r"""
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
extern char **environ;
static void *work(void *given) { *(int *)given += 1; return 0; }
int main(void) {
    pthread_t thread; int value = 41, status; pid_t child; char *argv[] = {"true", 0};
    if (pthread_create(&thread, 0, work, &value) || pthread_join(thread, 0)) return 1;
    if (posix_spawnp(&child, "true", 0, 0, argv, environ) || waitpid(child, &status, 0) != child) return 2;
    printf("%d %d\n", value, status);
}
"""


@pytest.mark.needs("c")
def test_compilers_threads_and_spawning_work(local: Kind) -> None:
    """Compiled programs that start threads and processes work."""
    script = f"cat > a.c <<'EOF'\n{_COMPILED}\nEOF\ngcc -pthread a.c -o a && ./a"

    assert local.executed(script).stdout == "42 0\n"


@pytest.mark.needs("python")
def test_multiprocessing_in_python_works(local: Kind) -> None:
    """Process pools, semaphores and shared memory work in Python's multiprocessing module."""
    script = (
        "import multiprocessing as m, os\n"
        "if __name__ == '__main__':\n"
        "    with m.Pool(2) as pool: print(sum(pool.map(abs, range(-9, 1))))\n"
        "    value = m.Value('i', 1); child = m.get_context('spawn').Process(target=print, args=(2,))\n"
        "    child.start(); child.join(); print(child.exitcode, value.value)\n"
    )

    assert local.executed(f"cat > a.py <<'EOF'\n{script}EOF\n/usr/bin/python3 a.py").stdout == "45\n2\n0 1\n"


def _answer(program: bytes, architecture: int, number: int, argument: int = 0) -> int:
    """Return the filter's answer to a call, by the rules in linux/filter.h."""
    data = struct.pack("=IIQQ", number, architecture, 0, argument & 0xFFFF_FFFF_FFFF_FFFF)
    lines = list(struct.iter_unpack("=HBBI", program))
    place, accumulator = 0, 0
    while True:
        code, then, otherwise, value = lines[place]
        place += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("=I", data, value)[0]
            case 0x06:
                return int(value)
            case 0x15:
                place += then if accumulator == value else otherwise
            case 0x25:
                place += then if accumulator > value else otherwise
            case 0x45:
                place += then if accumulator & value else otherwise
            case _:
                raise AssertionError(f"no such code: {code:#x}")


@pytest.fixture(params=sorted(_ARCHITECTURES))
def machine(request: pytest.FixtureRequest) -> str:
    """Return each machine whose system calls are known."""
    return str(request.param)


def test_filter_refuses_exactly_the_listed_calls(machine: str) -> None:
    """On each machine, the filter refuses exactly the listed calls among all known numbers."""
    program, architecture = filter_program(machine), _ARCHITECTURES[machine]
    named = {*EVERYWHERE.values(), *BY_MACHINE[machine].values()}

    refused = {number for number in range(467) if _answer(program, architecture, number) != _ALLOWED}

    # Here the first argument of the call `socket` is 0, which is not an address family.
    assert refused == {*named, SOCKET[machine]}


@pytest.mark.parametrize(
    ("architecture", "number", "expected"),
    [
        (0x4000_0003, 3, _KILLED),  # i386
        (0x4000_0028, 3, _KILLED),  # ARM with 32 bits
        (None, 467, _REFUSED | errno.ENOSYS),
        (None, 0x4000_0000, _REFUSED | errno.ENOSYS),  # x32
        (None, 0xFFFF_FFFF, _REFUSED | errno.ENOSYS),
    ],
)
def test_unknown_calls_are_refused(machine: str, architecture: int | None, number: int, expected: int) -> None:
    """32-bit calls and calls with unknown numbers are refused."""
    assert _answer(filter_program(machine), architecture or _ARCHITECTURES[machine], number) == expected


def test_clone_is_refused_only_with_namespace_flags(machine: str) -> None:
    """The call `clone` is refused only with namespace flags; the upper half of its argument is ignored."""
    program, architecture = filter_program(machine), _ARCHITECTURES[machine]

    answers = [_answer(program, architecture, CLONE[machine], flags) for flags in (17, 0x3D0F00, 0x4111, 17 | 1 << 61)]

    assert answers == [_ALLOWED] * 4
    for flag in _NAMESPACES:
        assert _answer(program, architecture, CLONE[machine], 17 | flag) == _REFUSED | errno.EPERM


def test_numbers_equal_those_of_libseccomp(machine: str) -> None:
    """The numbers of the system calls equal those in libseccomp."""
    if (path := ctypes.util.find_library("seccomp")) is None:
        pytest.skip("for the system call numbers in libseccomp; apt install libseccomp2")
    resolve = ctypes.CDLL(path).seccomp_syscall_resolve_name_arch
    calls = {**EVERYWHERE, **BY_MACHINE[machine], "clone": CLONE[machine], "socket": SOCKET[machine]}

    numbers = {name: resolve(ctypes.c_uint32(_ARCHITECTURES[machine]), name.encode()) for name in calls}

    assert numbers == calls


def test_unknown_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose system calls are unknown is refused by its name."""
    here = os.uname()
    monkeypatch.setattr(os, "uname", lambda: os.uname_result((*here[:4], "s390x")))

    with pytest.raises(SandboxUnavailable, match=r"s390x.*use --sandbox docker"):
        LocalSandboxes().preflight()
