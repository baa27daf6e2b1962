"""Collects the evidence for each rule, for `golden/traceability.json`."""

import re
from functools import cache
from itertools import chain

from parity.command.explain_sources import PACKAGE, implementations
from parity.drift.table import read_table
from parity.drift.vectors import chosen_vectors
from parity.operations.evidence import TRACEABILITY_FORMAT, Authority, Evidence, Traceability
from parity.operations.rules import RULES
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from tests.faulty import FAULTS


@cache
def traceability() -> Traceability:
    """Return the evidence for each rule."""
    rules = {slug: _evidence(slug) for slug in RULES}
    return Traceability(format=TRACEABILITY_FORMAT, reference=read_table().reference, rules=rules)


def traceability_text() -> str:
    """Return the text of the file: one rule a line."""
    plain = traceability().model_dump(mode="json")
    rules = ",\n".join(canonical({slug: evidence})[1:-1] for slug, evidence in plain.pop("rules").items())
    return f'{canonical(plain)[:-1]},"rules":{{\n{rules}\n}}}}\n'


def lacking(slug: str, evidence: Evidence) -> list[str]:
    """Return the kinds of evidence that a rule lacks."""
    needed = ("vectors", "clean_room", "faulty_runners", "function")
    return [f"{slug}: no {name.replace('_', ' ')}" for name in needed if not getattr(evidence, name)]


_AUTHORITIES: dict[str, Authority] = {
    "harbor.": "harbor",
    "pydantic": "pydantic",
    "scoring description": "description",
    "HarborEnv": "verifiers",
    "this kit": "kit",
    "": "CPython",
}
"""By the beginning of a name: who decides it. The first that fits counts."""


def _evidence(slug: str) -> Evidence:
    rule = RULES[slug]
    faults = [fault for fault in FAULTS.values() if fault.breaks == slug]
    return Evidence(
        operation=rule.operation,
        sentence=rule.sentence,
        authority=tuple(sorted({_authority(name) for name in _names(rule.source)})),
        function=rule.source,
        releases=_releases(slug),
        vectors=tuple(vector.id for vector in VECTORS[rule.operation] if vector.rule == slug),
        flags=tuple(sorted(rule.flags)),
        clean_room=tuple(f"parity/{each.path.relative_to(PACKAGE)} {each.name}" for each in implementations()[slug]),
        faulty_runners=tuple(f"{fault.__module__}:{fault.__name__}" for fault in faults),
        drawn=any(fault.seen_by != "test_golden" for fault in faults),
    )


def _names(source: str) -> list[str]:
    """Return the names in a source. The name of a document may contain a comma."""
    return [source] if source.startswith("scoring description") else re.split(", | and ", source)


def _authority(name: str) -> Authority:
    return next(authority for start, authority in _AUTHORITIES.items() if name.startswith(start))


def _releases(slug: str) -> tuple[str, ...] | None:
    table, operation = read_table(), RULES[slug].operation
    vectors = _asked_of_harbor().get(slug)
    if vectors is None:
        return None
    others = table.vectors.get(operation, {})
    moved = {name for vector in vectors for answer in others.get(vector, ()) for name in answer.releases}
    lacked = {name for name in table.releases if any(table.lacks(name, operation, vector) for vector in vectors)}
    return tuple(name for name in table.order if name not in moved | lacked)


@cache
def _asked_of_harbor() -> dict[str, list[str]]:
    """Return the ids of the vectors that Harbor decides, by rule."""
    found: dict[str, list[str]] = {}
    for vector in chain.from_iterable(chosen_vectors().values()):
        found.setdefault(vector.rule, []).append(vector.id)
    return found
