"""The seccomp filter for the system calls in a local sandbox.

The filter refuses calls that no test script needs, and that bypass namespaces or expose much of the kernel:

- keys, which belong to a user and not to a sandbox
- mounts and new namespaces
- io_uring, because no filter sees its requests
- sockets other than local, IP and netlink sockets, because an AF_VSOCK socket reaches the host of a virtual machine
  from any network namespace
- memory and file descriptors in other processes
- the kernel's tracing, log and modules
- 32-bit programs

`ptrace` is allowed for debuggers and leak checkers. A command has a user namespace of its own, so that it can only
trace processes that it started.
"""

import errno
import os
import struct
from collections.abc import Iterator
from functools import cache

NEWEST = 466
"""The highest known number of a system call. Newer calls fail as they do on an older kernel."""

EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
}
"""Refused calls that have the same number on every machine."""

_DIFFERENT = {
    "syslog": (103, 116),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "acct": (163, 89),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "open_by_handle_at": (304, 265),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
}
"""Refused calls with their numbers on x86_64 and aarch64; None if a machine does not have the call."""

BY_MACHINE = {
    machine: {name: number for name, numbers in _DIFFERENT.items() if (number := numbers[column]) is not None}
    for column, machine in enumerate(("x86_64", "aarch64"))
}
"""Refused calls that have different numbers, for each supported machine. The keys are the machines' `uname -m`."""

CLONE = {"x86_64": 56, "aarch64": 220}
SOCKET = {"x86_64": 41, "aarch64": 198}

# These calls fail with ENOSYS. Programs then use an older call (clone, epoll), whose flags a filter can read.
_MISSING = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_secret")

_NAMESPACES = 0x7E02_0000
"""The flags for `clone` that make new cgroup, mount, UTS, IPC, user, PID and network namespaces."""

_FAMILIES = (1, 2, 10, 16)
"""The allowed address families of sockets: AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK."""

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

# Offsets in struct seccomp_data; both machines are little-endian.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16

_LOAD, _IF_EQUAL, _IF_GREATER, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_KILL, _ALLOW, _ERRNO = 0x8000_0000, 0x7FFF_0000, 0x0005_0000


@cache
def filter_program(machine: str | None = None) -> bytes:
    """Return the filter as an array of `struct sock_filter`.

    Args:
        machine: a key in `BY_MACHINE`; None for this machine.
    """
    machine = machine or os.uname().machine
    return b"".join(struct.pack("=HBBI", *line) for line in _lines(machine))


def _lines(machine: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the filter's instructions.

    Each consists of the code, the number of lines to skip if its condition holds, the number of lines to skip if not,
    and an operand.
    """
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _IF_EQUAL, 1, 0, _ARCHITECTURES[machine]
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    # This also refuses the x32 calls on x86_64, whose numbers are much higher.
    yield _IF_GREATER, 0, 1, NEWEST
    yield _RETURN, 0, 0, _ERRNO | errno.ENOSYS
    for name, number in {**EVERYWHERE, **BY_MACHINE[machine]}.items():
        yield _IF_EQUAL, 0, 1, number
        yield _RETURN, 0, 0, _ERRNO | (errno.ENOSYS if name in _MISSING else errno.EPERM)
    yield _IF_EQUAL, 0, 4, CLONE[machine]
    yield _LOAD, 0, 0, _FIRST_ARGUMENT
    yield _IF_ANY_BIT, 0, 1, _NAMESPACES
    yield _RETURN, 0, 0, _ERRNO | errno.EPERM
    yield _RETURN, 0, 0, _ALLOW
    yield _IF_EQUAL, 0, 2 + len(_FAMILIES), SOCKET[machine]
    yield _LOAD, 0, 0, _FIRST_ARGUMENT
    for index, family in enumerate(_FAMILIES):
        yield _IF_EQUAL, len(_FAMILIES) - index, 0, family
    yield _RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT
    yield _RETURN, 0, 0, _ALLOW
