"""Reads the golden files from their folder. Their format is in golden/README.md."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.finding import GoldenFinding
from parity.operations.operation import Operation, decode_answer
from parity.operations.rules import RULES
from parity.operations.wire import Json, WireError, canonical
from parity.scorer.series import Series

FORMAT = 1
_PACKAGE = Path(__file__).resolve().parents[1]

type GoldenEntry = dict[str, Any]
"""One vector as a golden file holds it."""


class GoldenError(GoldenFinding):
    """A golden file that cannot be used, or a recording that must not happen; one line that says why."""


def golden_folder() -> Path:
    """Return `golden/` of the checkout, or the copy inside the installed package."""
    checkout = _PACKAGE.parent / "golden"
    return checkout if in_checkout() else _PACKAGE / "golden"


def in_checkout() -> bool:
    """Return whether this package lies in a checkout, where golden vectors may be recorded."""
    return (_PACKAGE.parent / "golden" / "README.md").is_file()


def read_entries(operation: str, inputs: Mapping[str, Json] | None = None) -> dict[str, GoldenEntry]:
    """Read the recorded vectors of an operation, by id; empty if nothing is recorded yet.

    Args:
        operation: the name of the operation.
        inputs: inputs by id that are known to be cases; they are not decoded again.

    Raises:
        GoldenError: the file is damaged or of another format.
    """
    entries: dict[str, GoldenEntry] = {}
    for number, entry in enumerate(unchecked_entries(operation), 1):
        if not _is_entry(entry, operation, inputs or {}) or entry["id"] in entries:
            raise GoldenError(f"{_path(operation)}: damaged at vector {number}; {_RESTORE}")
        entries[entry["id"]] = entry
    return entries


def unchecked_entries(operation: str) -> list[GoldenEntry]:
    """Read the recorded vectors of an operation without a check of each; see `read_entries`."""
    path = _path(operation)
    document = _read(path)
    if document is None:
        return []
    vectors = document.get("vectors")
    if document.get("operation") != operation or not isinstance(vectors, list):
        raise GoldenError(f"{path}: not a golden file of format {FORMAT} for {operation}; {_RESTORE}")
    return vectors


def read_manifest() -> dict[str, Json]:
    """Read the manifest; empty if nothing is recorded yet.

    Raises:
        GoldenError: the manifest is damaged or of another format.
    """
    path = golden_folder() / "manifest.json"
    document = _read(path)
    if document is not None and not isinstance(document.get("series"), dict):
        raise GoldenError(f"{path}: damaged: it names no series; {_RESTORE}")
    return document or {}


def _path(operation: str) -> Path:
    return golden_folder() / f"{operation}.json"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise GoldenError(f"{path}: damaged: {error}; {_RESTORE}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GoldenError(f"{path}: not a golden file of format {FORMAT}; {_RESTORE}")
    return document


def _is_entry(entry: Any, operation: str, inputs: Mapping[str, Json]) -> bool:
    try:
        answers = [entry["answer"]] if "answer" in entry else list(entry["answers"].values())
        if entry["id"] not in inputs or entry["input"] != inputs[entry["id"]]:
            OPERATIONS[operation].decode(entry["input"])
        for answer in answers:
            decode_answer(OPERATIONS[operation], answer)
        return isinstance(entry["id"], str) and entry["rule"] in RULES
    except (TypeError, KeyError, AttributeError, WireError):
        return False


def recorded_answer(entry: GoldenEntry, series: Series) -> Json | None:
    """Return the recorded answer for a series, or None if that series is not recorded."""
    if "answer" in entry:
        answer: Json = entry["answer"]
        return answer
    answers: dict[str, Json] = entry["answers"]
    return answers.get(series)


def entry_of[Case](operation: Operation[Case], case: Case) -> GoldenEntry | None:
    """Return the golden vector with this case, or None.

    Raises:
        GoldenError: the file is damaged or of another format.
    """
    return _by_case(operation.name).get(canonical(operation.encode(case)))


@cache
def _by_case(operation: str) -> dict[str, GoldenEntry]:
    return {canonical(entry["input"]): entry for entry in read_entries(operation).values()}


def recorded_series() -> list[str]:
    """Return the interpreter series that the manifest names."""
    return list(read_manifest().get("series") or {})  # type: ignore[arg-type]


_RESTORE = "restore it with: git checkout golden"
