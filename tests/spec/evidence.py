"""Collects the evidence for each rule, for `golden/traceability.json`."""

import json
import re
from functools import cache

from parity.operations.evidence import TRACEABILITY_FORMAT, Authority, Evidence, Traceability, read_evidence
from parity.operations.goldens import golden_directory, read_vectors
from parity.operations.rules import OPERATION_OF, RULES
from parity.operations.wire import canonical
from parity.reference.releases import HARBOR_VERSION
from tests.faulty import FAULTS
from tests.spec.implementations import implementations
from tests.variants.faulty_runners import BROKEN_RULES

_RELEASES_FILE = golden_directory() / "releases.json"


@cache
def traceability(drawn: frozenset[str]) -> Traceability:
    """Return the evidence for each rule, given the rules that generated cases can break."""
    rules = {slug: _evidence(slug, drawn=slug in drawn) for slug in RULES}
    return Traceability(format=TRACEABILITY_FORMAT, reference=HARBOR_VERSION, rules=rules)


def known_drawn() -> frozenset[str]:
    """Return the rules that generated cases can break according to `golden/traceability.json`."""
    return frozenset(slug for slug, evidence in read_evidence().items() if evidence.drawn)


def traceability_text(drawn: frozenset[str]) -> str:
    """Return the text of `golden/traceability.json`, with one rule on each line."""
    plain = traceability(drawn).model_dump(mode="json")
    rules = ",\n".join(canonical({slug: evidence})[1:-1] for slug, evidence in plain.pop("rules").items())
    return f'{canonical(plain)[:-1]},"rules":{{\n{rules}\n}}}}\n'


@cache
def read_releases() -> dict[str, tuple[str, ...]]:
    """Return, for each rule, the releases of Harbor that answer all vectors for the rule as 0.13.1 does."""
    return {slug: tuple(releases) for slug, releases in json.loads(_RELEASES_FILE.read_bytes()).items()}


def lacking(slug: str, evidence: Evidence) -> list[str]:
    """Return the kinds of evidence that a rule lacks."""
    needed = ("vectors", "clean_room", "function")
    return [f"{slug}: no {name.replace('_', ' ')}" for name in needed if not getattr(evidence, name)]


_AUTHORITIES: dict[str, Authority] = {
    "harbor.": "harbor",
    "pydantic": "pydantic",
    "scoring description": "description",
    "HarborEnv": "verifiers",
    "this kit": "kit",
    "": "CPython",
}
"""The authority behind a name in a rule's source, by the beginning of the name. The first match is used."""


def _evidence(slug: str, *, drawn: bool) -> Evidence:
    rule, operation = RULES[slug], OPERATION_OF[slug].name
    faults = [f"{fault.__module__}:{fault.__name__}" for fault in FAULTS.values() if fault.breaks == slug]
    variants = [f"tests.variants {name}" for name, broken in BROKEN_RULES.items() if broken == slug]
    return Evidence(
        operation=operation,
        sentence=rule.sentence,
        authority=tuple(sorted({_authority(name) for name in _names(rule.source)})),
        function=rule.source,
        releases=read_releases().get(slug),
        vectors=tuple(vector.id for vector in read_vectors(operation) if vector.rule == slug),
        drawn=drawn,
        clean_room=tuple(map(str, implementations().get(slug, []))),
        faulty_runners=(*faults, *variants),
    )


def _names(source: str) -> list[str]:
    """Return the names in a rule's source. The name of a document may contain a comma."""
    return [source] if source.startswith("scoring description") else re.split(", | and ", source)


def _authority(name: str) -> Authority:
    return next(authority for start, authority in _AUTHORITIES.items() if name.startswith(start))
