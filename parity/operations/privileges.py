"""The rights that root must give up to be refused what file modes forbid, as anybody else is.

On Linux these are two capabilities. They can be put aside for a while, or given up for good by a thread together
with all that it starts. Anybody but root is refused anyway, and nothing is done.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITIES = _CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2
_MASK = 1 << _CAP_DAC_OVERRIDE | 1 << _CAP_DAC_READ_SEARCH
_EFFECTIVE, _PERMITTED, _INHERITABLE = 0, 1, 2
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38


@contextmanager
def without_file_privileges() -> Iterator[None]:
    """Make file modes count for root too, in this thread, for the time being.

    Raises:
        OSError: the kernel does not let the capabilities be changed.
    """
    if not _overrides_modes():
        yield
        return
    held = _held()
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[_EFFECTIVE] &= ~_MASK
    _call("capset", _header(), fewer)
    try:
        yield
    finally:
        _call("capset", _header(), held)


def give_up_file_privileges() -> None:
    """Make file modes count for root too, in this thread and in every program that it starts, for good.

    Raises:
        OSError: the kernel does not let the capabilities be changed.
    """
    if not _overrides_modes():
        return
    try:
        for capability in _CAPABILITIES:  # else a program of root's would be given them back when it starts
            _call("prctl", _PR_CAPBSET_DROP, capability, 0, 0, 0)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
        _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
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


def _call(name: str, *arguments: object) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
