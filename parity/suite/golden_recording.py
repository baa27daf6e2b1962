"""Records golden vectors: fills in the reference's answers for the series of the running interpreter."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.goldens import FORMAT, Vector, questions_hash
from parity.operations.wire import Json, canonical
from parity.reference.identity import Identity
from parity.scorer.series import Series
from parity.suite.harm import counted

_INTERPRETERS = {Series.PY312: "CPython 3.12 and 3.13", Series.PY314: "CPython 3.14"}


@dataclass
class Recording:
    """Counts of the answers that a recording run added, changed, kept and still lacks, by operation."""

    new: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)

    def lines(self, series: Series) -> list[str]:
        """Return the lines that report the counts at the end of the run."""
        (other,) = (each for each in Series if each != series)
        lines = [f"{name}: {counted(n, 'new vector')} recorded" for name, n in (+self.new).items()]
        lines += [f"{name}: {counted(n, 'answer')} of series {series} replaced" for name, n in (+self.changed).items()]
        for name, n in (+self.missing).items():
            have = "has" if n == 1 else "have"
            lines.append(
                f"{name}: {counted(n, 'vector')} {have} no answer of series {other} yet; "
                f"record on {_INTERPRETERS[other]}, too"
            )
        if kept := self.kept.total():
            lines.append(f"{counted(kept, 'answer')} of series {other} kept, not asked again")
        return [f"golden: {line}" for line in lines]


def record(
    vectors: Sequence[Vector], ask: Callable[[Any], Json | None], series: Series, recording: Recording
) -> list[Vector]:
    """Return the vectors with the reference's answers of a series.

    Answers for the other series are kept if the recorded answer for this series is right. If it is wrong, and both
    series share one recorded answer, that answer is dropped for both. A case that the reference does not answer keeps
    its recorded answers.

    Args:
        vectors: the vectors of one operation, with the recorded answers.
        ask: returns the reference's answer to a case in wire form, or None if there is no answer.
        series: the series of the running interpreter.
        recording: counts new, changed, kept and missing answers.
    """
    recorded = []
    for vector in vectors:
        answer = ask(vector.case)
        answers = dict(vector.answers)
        before = answers.get(series)
        if answer is not None:
            is_common = len({canonical(each) for each in answers.values()}) == 1
            if before is not None and canonical(before) != canonical(answer):
                answers = {} if is_common else answers
                recording.changed[vector.operation] += 1
            answers[series] = answer
        recording.new[vector.operation] += not vector.answers
        recording.missing[vector.operation] += len(answers) < len(Series)
        recording.kept[vector.operation] += len(answers.keys() - {series})
        recorded.append(vector.with_answers({each: answers[each] for each in Series if each in answers}))
    return recorded


def to_text(document: dict[str, Json]) -> str:
    """Return the text of a golden file, with one vector on each line, so that a diff shows each changed vector."""
    head = {key: value for key, value in document.items() if key != "vectors"}
    vectors = document.get("vectors")
    if not isinstance(vectors, list):
        return json.dumps(head, indent=1) + "\n"
    lines = ",\n".join(canonical(entry) for entry in vectors)
    return f'{canonical(head)[:-1]},"vectors":[\n{lines}\n]}}\n'


def document_of(operation: str, vectors: Sequence[Vector]) -> dict[str, Json]:
    """Return the golden document of an operation."""
    return {"format": FORMAT, "operation": operation, "vectors": [vector.to_entry() for vector in vectors]}


def manifest(reference: Identity, vectors: dict[str, list[Vector]]) -> dict[str, Any]:
    """Return the manifest: the recorded reference, and for each operation the number of vectors and a hash of the
    questions.
    """
    return {
        "format": FORMAT,
        "harbor": reference.harbor,
        "wheel": reference.wheel,
        "pydantic": reference.pydantic,
        "pydantic_core": reference.pydantic_core,
        "series": {str(series): name for series, name in _INTERPRETERS.items()},
        "counts": {name: len(vectors[name]) for name in OPERATIONS},
        "questions": {name: questions_hash(vectors[name]) for name in OPERATIONS},
    }
