"""Replay files: one diverging case, exactly, free of the versions of Hypothesis and Python."""

import contextlib
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answer_wire import encode_answer
from parity.operations.answers import Answer
from parity.operations.operation import Operation
from parity.operations.wire import Json, WireError, canonical

FORMAT = 1

_KEPT = 100
"""How many files of earlier runs stay."""

_NAME = re.compile(rf"({'|'.join(OPERATIONS)})-[0-9a-f]{{12}}\.json")


class ReplayError(Exception):
    """A replay file that cannot be used; one line that says why."""


@dataclass(frozen=True)
class Replay:
    """A case read back from a file."""

    operation: Operation[Any]
    case: Any


@dataclass(frozen=True)
class WrittenReplay:
    """How a case is asked again."""

    command: str
    """The command, or why there is none."""

    path: Path | None
    """The file, if it could be written."""


def write_replay(operation: str, case: Json, reference: Answer, folder: Path) -> Path:
    """Write the case under a name that its content gives, so that equal cases share a file.

    A folder that is made for it is left out of version control.
    """
    body: dict[str, Json] = {
        "format": FORMAT,
        "operation": operation,
        "input": case,
        "reference": encode_answer(reference),
    }
    digest = _digest(body)
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
    path = folder / f"{operation}-{digest[:12]}.json"
    path.write_text(canonical({**body, "sha256": digest}) + "\n", encoding="utf-8")
    return path


def remove_old_replays(folder: Path) -> None:
    """Keep the files that were written last, and whatever else lies in the folder."""
    named = [path for path in folder.glob("*.json") if _NAME.fullmatch(path.name)]
    with contextlib.suppress(OSError):  # another run may be tidying up, too, or the folder may be read-only
        for path in sorted(named, key=lambda each: each.stat().st_mtime_ns)[:-_KEPT]:
            path.unlink(missing_ok=True)


def read_replay(path: Path) -> Replay:
    """Read a file that `write_replay` wrote.

    Raises:
        ReplayError: it is missing, damaged, edited, or of another format.
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
        raise ReplayError(f"{path}: its content does not have the hash that it names; was it edited?")
    operation = OPERATIONS.get(str(body.get("operation")))
    if operation is None:
        raise ReplayError(f"{path}: unknown operation {body.get('operation')!r}")
    try:
        return Replay(operation, operation.decode(body.get("input")))
    except WireError as error:
        raise ReplayError(f"{path}: {error}") from None


def _digest(body: Json) -> str:
    return hashlib.sha256(canonical(body).encode()).hexdigest()
