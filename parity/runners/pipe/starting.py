"""Starts a program whose standard streams are pipes."""

import os
import shutil
import subprocess
from collections.abc import Sequence

from parity.scorer.printable import printable


class PipeError(Exception):
    """The program cannot be used; one line says why."""


def start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start the program.

    Raises:
        PipeError: the program cannot be started.
    """
    name = printable(command[0])
    try:
        return subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError:
        is_there = shutil.which(command[0])
        why = "the interpreter in its first line is missing" if is_there else f"no such program{_no_shell(command)}"
        raise PipeError(f"{name}: {why}") from None
    except (OSError, ValueError) as error:
        why = f"cannot be started: {getattr(error, 'strerror', None) or error}"
        if isinstance(error, PermissionError) and os.path.isdir(command[0]):
            why = "it is a directory; name a program in it"
        elif isinstance(error, PermissionError) and os.path.isfile(command[0]):
            why = "it may not be executed; chmod +x it, or name its interpreter first"
        raise PipeError(f"{name}: {why}") from None


def _no_shell(command: Sequence[str]) -> str:
    """Return a hint if a command seems to be written for a shell, else an empty text."""
    if not any(each.startswith("~") or set("$&|;<>=`") & set(each) for each in command):
        return ""
    return "; no shell is involved, so for ~, $VAR or && use sh -c '…'"
