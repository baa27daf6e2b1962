"""Makes the golden files of a recording run. Their format is in golden/README.md.

Only the wheel's answers are recorded, for the series of the running interpreter. Answers of another series stay as they
were, so that 3.12 and 3.14 can be recorded one after the other.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.goldens import (
    FORMAT,
    GoldenEntry,
    GoldenError,
    recorded_answer,
    recorded_series,
)
from parity.operations.operation import Operation, encode_answer
from parity.operations.vector import Vector
from parity.operations.wire import Json, canonical
from parity.reference.identity import Identity
from parity.scorer.series import Series


def _entry_for(
    vector: Vector, flags: frozenset[str], encoded: Json, answers: dict[str, Json], all_series: list[str]
) -> GoldenEntry:
    """Return the entry of a vector, with one answer if all series give the same, else with one for each series."""
    entry: GoldenEntry = {"id": vector.id, "rule": vector.rule, "flags": sorted(flags), "input": encoded}
    if list(answers) == all_series and len({canonical(answer) for answer in answers.values()}) == 1:
        return {**entry, "answer": answers[all_series[0]]}
    return {**entry, "answers": answers}


def record(
    operation: Operation[Any],
    vectors: Sequence[Vector],
    before: dict[str, GoldenEntry],
    answer: Callable[[Any], Json | None],
    series: Series,
) -> list[GoldenEntry]:
    """Return the entries of the vectors, with new answers of the running series and the old ones of every other series.

    An answer that was derived by hand replaces the reference's answer.

    Raises:
        GoldenError: a recorded vector would be lost.
    """
    lost = sorted(before.keys() - {vector.id for vector in vectors})
    if lost:
        raise GoldenError(
            f"recording would drop {len(lost)} vector(s) of {operation.name}, {', '.join(lost[:3])} first; "
            f"if that is intended, remove them from golden/{operation.name}.json by hand"
        )
    everybody = sorted({*recorded_series(), series})
    entries = []
    for vector in vectors:
        old, encoded = before.get(vector.id), operation.encode(vector.case)
        answers: dict[str, Json] = {}
        for one in everybody:
            if vector.by_hand is not None:
                known: Json | None = encode_answer(vector.by_hand[Series(one)])
            else:
                known = answer(vector.case) if one == series else _kept(old, encoded, one)
            if known is None and one == series:  # the reference has no answer here
                known = _kept(old, encoded, one)
            if known is not None:
                answers[one] = known
        entries.append(_entry_for(vector, operation.flags(vector.case), encoded, answers, everybody))
    return entries


def _kept(old: GoldenEntry | None, encoded: Json, series: str) -> Json | None:
    if old is None or old["input"] != encoded:
        return None
    return recorded_answer(old, Series(series))


def to_text(document: dict[str, Json]) -> str:
    """Return the text of a golden file: one vector a line, so that a change shows as a line."""
    head = {key: value for key, value in document.items() if key != "vectors"}
    vectors = document.get("vectors")
    if not isinstance(vectors, list):
        return json.dumps(head, indent=1) + "\n"
    lines = ",\n".join(canonical(entry) for entry in vectors)
    return f'{canonical(head)[:-1]},"vectors":[\n{lines}\n]}}\n'


def document_of(operation: str, entries: list[GoldenEntry]) -> dict[str, Json]:
    """Return the golden document of an operation."""
    return {"format": FORMAT, "operation": operation, "vectors": list(entries)}


def manifest(reference: Identity, counts: dict[str, int]) -> dict[str, Json]:
    """Return the manifest: the reference that the golden files were recorded from, and each operation's number of
    vectors.
    """
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
