"""Functions that make file modes count for root, too.

On Linux, two capabilities let root ignore file modes. They can be dropped for a while, or for good by a thread and all
programs that it starts. File modes count for other users anyway, so nothing is done for them.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITIES = _CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2
_MASK = 1 << _CAP_DAC_OVERRIDE | 1 << _CAP_DAC_READ_SEARCH
_EFFECTIVE, _PERMITTED, _INHERITABLE = 0, 1, 2
_WORD = 3
"""The offset from one of these words to its second half, which holds the capabilities from 32 on."""

_PR_CAPBSET_READ, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 23, 24, 38
_PR_GET_SECUREBITS, _PR_SET_SECUREBITS, _SECBIT_NOROOT = 27, 28, 1
_PR_CAP_AMBIENT, _IS_SET, _RAISE, _CLEAR_ALL = 47, 1, 2, 4


@contextmanager
def without_file_privileges() -> Iterator[None]:
    """Make file modes count for root, too, in this thread and in programs that it starts, inside the `with` block.

    Programs keep all other rights; if `binds_programs` returns False, they keep these, too.

    Raises:
        OSError: the kernel does not let the capabilities be changed.
    """
    if not _overrides_modes():
        yield
        return
    held = _held()
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[_EFFECTIVE] &= ~_MASK
    if not binds_programs():
        with _capabilities(fewer, held):
            yield
        return
    for word, mask in ((0, ~_MASK), (_WORD, ~0)):
        fewer[_INHERITABLE + word] |= held[_PERMITTED + word] & mask
    bits, ambient = _prctl(_PR_GET_SECUREBITS), _ambient()
    with _capabilities(fewer, held):
        try:  # programs of root get only the capabilities that are handed on
            _prctl(_PR_SET_SECUREBITS, bits | _SECBIT_NOROOT)
            _hand_on(each for each in _permitted(held) if each not in _CAPABILITIES)
            yield
        finally:
            _hand_on(ambient)
            _prctl(_PR_SET_SECUREBITS, bits)


@contextmanager
def _capabilities(those: "ctypes.Array[ctypes.c_uint32]", held: "ctypes.Array[ctypes.c_uint32]") -> Iterator[None]:
    _call("capset", _header(), those)
    try:
        yield
    finally:
        _call("capset", _header(), held)


@cache
def binds_programs() -> bool:
    """Return whether file modes can be made to count for programs of root inside `without_file_privileges`.

    They cannot if root may not change the rights of programs, as in some containers.
    """
    if not _overrides_modes() or not any(_prctl(_PR_CAPBSET_READ, each) for each in _CAPABILITIES):
        return True  # programs cannot get these rights at all
    bits = _prctl(_PR_GET_SECUREBITS)
    try:
        _prctl(_PR_SET_SECUREBITS, bits | _SECBIT_NOROOT)
    except OSError:
        return False
    _prctl(_PR_SET_SECUREBITS, bits)
    return True


def _permitted(held: "ctypes.Array[ctypes.c_uint32]") -> list[int]:
    permitted = held[_PERMITTED] | held[_PERMITTED + _WORD] << 32
    return [capability for capability in range(64) if permitted >> capability & 1]


@cache
def _ambient() -> tuple[int, ...]:
    """Return the ambient capabilities of this process, which its programs inherit; usually none."""
    return tuple(each for each in _permitted(_held()) if _prctl(_PR_CAP_AMBIENT, _IS_SET, each))


def _hand_on(capabilities: Iterable[int]) -> None:
    """Let programs inherit these capabilities, and no others."""
    _prctl(_PR_CAP_AMBIENT, _CLEAR_ALL)
    for capability in capabilities:
        _prctl(_PR_CAP_AMBIENT, _RAISE, capability)


def give_up_file_privileges() -> None:
    """Make file modes count for root, too, in this thread and in every program that it starts, for good.

    Raises:
        OSError: the kernel does not let the capabilities be changed.
    """
    if not _overrides_modes():
        return
    try:
        for capability in _CAPABILITIES:  # otherwise a program of root gets them back when it starts
            _prctl(_PR_CAPBSET_DROP, capability)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    fewer = _held()
    for which in (_EFFECTIVE, _PERMITTED, _INHERITABLE):
        fewer[which] &= ~_MASK
    _call("capset", _header(), fewer)


def _overrides_modes() -> bool:
    return sys.platform.startswith("linux") and os.geteuid() == 0


def _header() -> "ctypes.Array[ctypes.c_uint32]":
    return (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)


def _held() -> "ctypes.Array[ctypes.c_uint32]":
    held = (ctypes.c_uint32 * 6)()
    _call("capget", _header(), held)
    return held


def _prctl(option: int, *arguments: int) -> int:
    """Call prctl and return its result; arguments that the option does not use have to be 0."""
    return _call("prctl", option, *(*arguments, 0, 0, 0, 0)[:4])


def _call(name: str, *arguments: object) -> int:
    given: int = getattr(_library(), name)(*arguments)
    if given < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return given


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return library
