"""Golden files: reading them, and what a recording run makes of them. The format is in golden/README.md.

Answers are recorded from the wheel alone, and for the series of the interpreter that records. Answers of
another series stay as they were, so that 3.12 and 3.14 can be recorded one after the other.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parity.judging.divergence import Finding
from parity.judging.replay import decode_answer, encode_answer
from parity.operations import OPERATIONS
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.operations.vector import Vector
from parity.operations.wire import Json, WireError, canonical
from parity.reference.identity import Identity
from parity.scorer.series import Series

FORMAT = 1
_PACKAGE = Path(__file__).resolve().parents[1]

type Entry = dict[str, Any]
"""One vector as a golden file holds it."""


class GoldenError(Finding):
    """A golden file that cannot be used, or a recording that must not happen; one line that says why."""


def golden_folder() -> Path:
    """`golden/` of the checkout, or the copy inside the installed package."""
    checkout = _PACKAGE.parent / "golden"
    return checkout if in_checkout() else _PACKAGE / "golden"


def in_checkout() -> bool:
    """Whether this package lies in a checkout, where goldens may be recorded."""
    return (_PACKAGE.parent / "golden" / "README.md").is_file()


def read_entries(operation: str) -> dict[str, Entry]:
    """The recorded vectors of an operation by id; none where nothing was recorded yet.

    Raises:
        GoldenError: the file is damaged or of another format.
    """
    path = golden_folder() / f"{operation}.json"
    document = _read(path)
    if document is None:
        return {}
    vectors = document.get("vectors")
    if document.get("operation") != operation or not isinstance(vectors, list):
        raise GoldenError(f"{path}: not a golden file of format {FORMAT} for {operation}; {_RESTORE}")
    entries: dict[str, Entry] = {}
    for number, entry in enumerate(vectors, 1):
        if not _is_entry(entry, operation) or entry["id"] in entries:
            raise GoldenError(f"{path}: damaged at vector {number}; {_RESTORE}")
        entries[entry["id"]] = entry
    return entries


def read_manifest() -> dict[str, Json]:
    """The manifest; empty where nothing was recorded yet.

    Raises:
        GoldenError: it is damaged or of another format.
    """
    path = golden_folder() / "manifest.json"
    document = _read(path)
    if document is not None and not isinstance(document.get("series"), dict):
        raise GoldenError(f"{path}: damaged: it names no series; {_RESTORE}")
    return document or {}


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


def _is_entry(entry: Any, operation: str) -> bool:
    try:
        answers = [entry["answer"]] if "answer" in entry else list(entry["answers"].values())
        OPERATIONS[operation].decode(entry["input"])
        for answer in answers:
            decode_answer(OPERATIONS[operation], answer)
        return isinstance(entry["id"], str) and entry["rule"] in RULES
    except (TypeError, KeyError, AttributeError, WireError):
        return False


def recorded_answer(entry: Entry, series: Series) -> Json | None:
    """The recorded answer for a series, or None where that series was not recorded."""
    if "answer" in entry:
        answer: Json = entry["answer"]
        return answer
    answers: dict[str, Json] = entry["answers"]
    return answers.get(series)


def entry_for(vector: Vector, operation: Operation[Any], answers: dict[str, Json], all_series: list[str]) -> Entry:
    """A vector with its answers: one where every recorded series gives the same, else one a series."""
    entry: Entry = {
        "id": vector.id,
        "rule": vector.rule,
        "flags": sorted(operation.flags(vector.case)),
        "input": operation.encode(vector.case),
    }
    if list(answers) == all_series and len({canonical(answer) for answer in answers.values()}) == 1:
        return {**entry, "answer": answers[all_series[0]]}
    return {**entry, "answers": answers}


def record(
    operation: Operation[Any], vectors: list[Vector], answer: Callable[[Any], Json | None], series: Series
) -> list[Entry]:
    """The vectors with the running series' answers replaced, and every other series' kept.

    An answer that was derived by hand is taken instead of the reference's.

    Raises:
        GoldenError: a recorded vector would be lost.
    """
    before = read_entries(operation.name)
    lost = sorted(before.keys() - {vector.id for vector in vectors})
    if lost:
        raise GoldenError(
            f"recording would drop {len(lost)} vector(s) of {operation.name}, {', '.join(lost[:3])} first; "
            f"if that is meant, take them out of golden/{operation.name}.json by hand"
        )
    everybody = sorted({*recorded_series(), series})
    entries = []
    for vector in vectors:
        old = before.get(vector.id)
        answers: dict[str, Json] = {}
        for one in everybody:
            if vector.by_hand is not None:
                known: Json | None = encode_answer(vector.by_hand[Series(one)])
            else:
                known = answer(vector.case) if one == series else _kept(old, vector, operation, one)
            if known is None and one == series:  # the reference cannot tell here
                known = _kept(old, vector, operation, one)
            if known is not None:
                answers[one] = known
        entries.append(entry_for(vector, operation, answers, everybody))
    return entries


def _kept(old: Entry | None, vector: Vector, operation: Operation[Any], series: str) -> Json | None:
    if old is None or old["input"] != operation.encode(vector.case):
        return None
    return recorded_answer(old, Series(series))


def recorded_series() -> list[str]:
    """The interpreter series that the manifest names."""
    return list(read_manifest().get("series") or {})  # type: ignore[arg-type]


def to_text(document: dict[str, Json]) -> str:
    """A golden document as its file holds it: one vector a line, so that a change shows as a line."""
    head = {key: value for key, value in document.items() if key != "vectors"}
    vectors = document.get("vectors")
    if not isinstance(vectors, list):
        return json.dumps(head, indent=1) + "\n"
    lines = ",\n".join(canonical(entry) for entry in vectors)
    return f'{canonical(head)[:-1]},"vectors":[\n{lines}\n]}}\n'


def document_of(operation: str, entries: list[Entry]) -> dict[str, Json]:
    """The golden document of an operation."""
    return {"format": FORMAT, "operation": operation, "vectors": list(entries)}


def manifest(reference: Identity, counts: dict[str, int]) -> dict[str, Json]:
    """What the goldens were recorded from, and how many there are of each operation."""
    return {
        "format": FORMAT,
        "harbor": reference.harbor,
        "wheel": reference.wheel,
        "pydantic": reference.pydantic,
        "pydantic_core": reference.pydantic_core,
        "series": {name: _INTERPRETERS[Series(name)] for name in sorted({*recorded_series(), reference.series})},
        "counts": {operation: counts[operation] for operation in OPERATIONS},
    }


_INTERPRETERS = {Series.PY312: "CPython 3.12 and 3.13", Series.PY314: "CPython 3.14"}
_RESTORE = "restore it with: git checkout golden"
