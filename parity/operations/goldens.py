"""Reads the golden vectors from their files, which are the only source of inputs and answers. See golden/README.md."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.finding import GoldenFinding
from parity.operations.operation import Operation, decode_answer
from parity.operations.rules import OPERATION_OF
from parity.operations.wire import Json, WireError, canonical, encode
from parity.scorer.series import Series

FORMAT = 2
_PACKAGE = Path(__file__).resolve().parents[1]
_RESTORE = "restore it with: git checkout golden"


class GoldenError(GoldenFinding):
    """An error for a golden file that cannot be used or recorded; the message gives the reason in one line."""


@dataclass(frozen=True)
class Vector:
    """A golden vector: a case that demonstrates a rule, and the recorded answers to it."""

    id: str
    """The rule's slug, a slash and a name. An id never changes after the vector was recorded."""

    operation: str
    rule: str
    input: Json
    """The case in its wire form."""

    answers: Mapping[Series, Json]
    """The recorded answers in their wire form, by series. A series that was not recorded yet is absent."""

    @cached_property
    def case(self) -> Any:
        """The decoded input.

        Raises:
            GoldenError: the input is not a case of the operation.
        """
        try:
            return OPERATIONS[self.operation].decode(self.input)
        except WireError as error:
            raise self._damaged(error) from None

    def answer(self, series: Series) -> Answer | None:
        """Return the answer that was recorded on a series, or None if there is none yet.

        Raises:
            GoldenError: the recorded JSON is not an answer of the operation.
        """
        if series not in self.answers:
            return None
        try:
            return decode_answer(OPERATIONS[self.operation], self.answers[series])
        except (WireError, TypeError, AttributeError) as error:
            raise self._damaged(error) from None

    def with_answers(self, answers: Mapping[Series, Json]) -> "Vector":
        return replace(self, answers=answers)

    def to_entry(self) -> dict[str, Json]:
        """Return the vector's entry in the golden file, with a single answer if the answers of all series are equal."""
        entry: dict[str, Json] = {"id": self.id, "rule": self.rule, "input": self.input}
        if len({canonical(answer) for answer in self.answers.values()}) == 1 and len(self.answers) == len(Series):
            return {**entry, "answer": self.answers[Series.PY312]}
        return {**entry, "answers": {str(series): self.answers[series] for series in Series if series in self.answers}}

    def _damaged(self, error: Exception) -> GoldenError:
        return GoldenError(f"{_path(self.operation)}: damaged at vector {self.id}: {error}; {_RESTORE}")


def golden_directory() -> Path:
    """Return the path of `golden/` in the checkout, or of its copy in the installed package."""
    return _PACKAGE.parent / "golden" if in_checkout() else _PACKAGE / "golden"


def in_checkout() -> bool:
    """Return whether this package is in a checkout, where golden vectors may be recorded."""
    return (_PACKAGE.parent / "golden" / "README.md").is_file()


def read_vectors(operation: str) -> list[Vector]:
    """Read the golden vectors of an operation, in the order of the file.

    Raises:
        GoldenError: the file is missing or damaged, or its format is not supported.
    """
    path = _path(operation)
    document = _read(path)
    entries = document.get("vectors")
    if document.get("operation") != operation or not isinstance(entries, list):
        raise GoldenError(f"{path}: not a golden file of format {FORMAT} for {operation}; {_RESTORE}")
    vectors = [_vector(path, operation, number, entry) for number, entry in enumerate(entries, 1)]
    ids: set[str] = set()
    for vector in vectors:
        if vector.id in ids:
            raise GoldenError(f"{path}: two vectors have the id {vector.id}; {_RESTORE}")
        ids.add(vector.id)
    return vectors


def questions_hash(vectors: Iterable[Vector]) -> str:
    """Return a hash over the ids, rules and inputs of the vectors, with which the manifest detects edited questions."""
    digest = hashlib.sha256()
    for vector in vectors:
        digest.update(f"{canonical([vector.id, vector.rule, vector.input])}\n".encode())
    return digest.hexdigest()


def read_manifest() -> dict[str, Any]:
    """Read the manifest of the golden files.

    Raises:
        GoldenError: the manifest is missing or damaged, or its format is not supported.
    """
    path = golden_directory() / "manifest.json"
    document = _read(path)
    for name in ("series", "counts", "questions"):
        if not isinstance(document.get(name), dict):
            raise GoldenError(f"{path}: damaged: {name} is missing; {_RESTORE}")
    return document


def _path(operation: str) -> Path:
    return golden_directory() / f"{operation}.json"


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise GoldenError(f"{path}: damaged: {error}; {_RESTORE}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GoldenError(f"{path}: not a golden file of format {FORMAT}; {_RESTORE}")
    return document


def _vector(path: Path, operation: str, number: int, entry: Any) -> Vector:
    """Convert an entry to a vector. A new entry has no answer yet, and may contain plain JSON numbers."""
    match entry:
        case {"id": str(name), "rule": str(rule), "input": question}:
            pass
        case _:
            raise GoldenError(f"{path}: vector {number} needs an id, a rule and an input")
    if rule not in OPERATION_OF or OPERATION_OF[rule].name != operation:
        raise GoldenError(f"{path}: vector {name} has the rule {rule!r}, which does not belong to {operation}")
    if not name.startswith(f"{rule}/"):
        raise GoldenError(f"{path}: the id of vector {name} does not begin with its rule, {rule}/")
    answers: dict[Series, Json] = {}
    match entry:
        case {"answer": answer}:
            answers = dict.fromkeys(Series, answer)
        case {"answers": dict(by_series)} if by_series.keys() <= set(Series):
            answers = {Series(series): answer for series, answer in by_series.items()}
        case {"answers": _}:
            raise GoldenError(f"{path}: damaged at vector {name}: malformed answers; {_RESTORE}")
    return Vector(name, operation, rule, question if answers else in_wire_form(question), answers)


def vector_of[Case](operation: Operation[Case], case: Case) -> Vector | None:
    """Return the golden vector whose input is this case, or None.

    Raises:
        GoldenError: the golden file is missing or damaged, or its format is not supported.
    """
    encoded = operation.wire_form(case)
    return None if encoded is None else _by_case(operation.name).get(canonical(encoded))


@cache
def vector_names(rule: str) -> tuple[str, ...]:
    """Return the names of a rule's golden vectors in the order of the file. A name is the id without the rule.

    Raises:
        GoldenError: the golden file is missing or damaged, or its format is not supported.
    """
    vectors = _vectors(OPERATION_OF[rule].name)
    return tuple(vector.id.removeprefix(f"{rule}/") for vector in vectors if vector.rule == rule)


@cache
def _by_case(operation: str) -> dict[str, Vector]:
    return {canonical(vector.input): vector for vector in _vectors(operation)}


@cache
def _vectors(operation: str) -> tuple[Vector, ...]:
    return tuple(read_vectors(operation))


def in_wire_form(value: Any) -> Json:
    """Return a value with its plain JSON numbers in wire form, except for `times` beside `utf8` or `hex`."""
    if isinstance(value, list):
        return [in_wire_form(each) for each in value]
    if isinstance(value, dict):
        is_bytes = "times" in value and value.keys() & {"utf8", "hex"}
        return {key: each if is_bytes else in_wire_form(each) for key, each in value.items()}
    return encode(value)
