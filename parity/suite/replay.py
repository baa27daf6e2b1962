"""Replay files. Each holds one diverging case exactly, independent of the versions of Hypothesis and Python."""

import contextlib
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.operation import Operation, encode_answer
from parity.operations.wire import Json, WireError, canonical

FORMAT = 1

_NAME = re.compile(rf"({'|'.join(OPERATIONS)})-[0-9a-f]{{12}}\.(json|txt)")


class ReplayError(Exception):
    """A replay file cannot be used. The message is one line with the reason."""


@dataclass(frozen=True)
class Replay:
    """A case that was read from a replay file."""

    operation: Operation[Any]
    case: Any


@dataclass(frozen=True)
class WrittenReplay:
    """A replay file that was written, and the command that runs its case again."""

    command: str
    """The command, or the reason why there is none."""

    path: Path | None
    """The file; None if it could not be written."""


def write_replay(operation: str, case: Json, reference: Answer, directory: Path) -> Path:
    """Write the case to a file named after its content, so that equal cases share a file.

    If the directory is new, it gets a .gitignore, which keeps it out of version control.
    """
    body: dict[str, Json] = {
        "format": FORMAT,
        "operation": operation,
        "input": case,
        "reference": encode_answer(reference),
    }
    digest = _digest(body)
    return _write(directory / f"{operation}-{digest[:12]}.json", canonical({**body, "sha256": digest}) + "\n")


def write_repr(operation: str, text: str, directory: Path) -> Path:
    """Write the repr of a case that cannot be written as JSON to a file named after its content."""
    digest = hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()
    return _write(directory / f"{operation}-{digest[:12]}.txt", text + "\n")


def _write(path: Path, text: str) -> Path:
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="ascii")
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
    return path


def remove_replays(directory: Path) -> None:
    """Remove the replay files of the last run, and the reprs; files with other names are kept."""
    with contextlib.suppress(OSError):  # another run may remove files too, or the directory may be read-only
        for path in directory.iterdir():
            if _NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)


def read_replay(path: Path) -> Replay:
    """Read a file that `write_replay` wrote.

    Raises:
        ReplayError: the file is missing, damaged, edited, or of another format.
    """
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise ReplayError(f"{path}: not a replay file of format {FORMAT}")
        intact = body.pop("sha256", None) == _digest(body)
    except OSError as error:
        raise ReplayError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"{path}: not JSON: {error}") from None
    if not intact:
        raise ReplayError(f"{path}: the content does not match its sha256; run the suite to write the file again")
    operation = OPERATIONS.get(str(body.get("operation")))
    if operation is None:
        raise ReplayError(f"{path}: unknown operation {body.get('operation')!r}")
    try:
        return Replay(operation, operation.decode(body.get("input")))
    except WireError as error:
        raise ReplayError(f"{path}: {error}") from None


def _digest(body: Json) -> str:
    return hashlib.sha256(canonical(body).encode()).hexdigest()
