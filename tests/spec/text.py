"""Generates `golden/SPEC.md` from `outline.txt`: replaces each slug with the rule, its evidence and its errata."""

import re
from collections.abc import Iterator
from pathlib import Path

from parity.operations.evidence import Evidence
from parity.operations.goldens import golden_directory
from parity.reference.releases import releases_in_words, wheel_hashes
from tests.spec.errata import ERRATA
from tests.spec.evidence import known_drawn, traceability

SPEC_FILE = golden_directory() / "SPEC.md"
_OUTLINE = Path(__file__).with_name("outline.txt")
_RULE = re.compile(r"- ([\w-]+/\S+)")
_MODULES = re.compile(r"^(?:harbor|builtins|pathlib)\.(?:[a-z0-9_]+\.)*")


def outlined() -> list[str]:
    """Return the slugs in `outline.txt`, in order."""
    return [match[1] for line in _outline() if (match := _RULE.fullmatch(line))]


def spec_text() -> str:
    """Return the text of `golden/SPEC.md`."""
    order = list(wheel_hashes())
    named = {"{releases}": str(len(order)), "{first}": order[0], "{last}": order[-1]}
    rules = traceability(known_drawn()).rules
    lines = []
    for line in _outline():
        if match := _RULE.fullmatch(line):
            lines += [_rule(match[1], rules[match[1]]), *_errata(match[1])]
        else:
            lines.append(re.sub(r"\{\w+\}", lambda word: named.get(word[0], word[0]), line))
    return "".join(f"{line}\n" for line in lines)


def _outline() -> list[str]:
    return _OUTLINE.read_text(encoding="utf-8").splitlines()


def _rule(slug: str, evidence: Evidence) -> str:
    vectors = f"{len(evidence.vectors)} vector{'s' * (len(evidence.vectors) > 1)}"
    facts = "; ".join(filter(None, (_decided_by(evidence), _releases(evidence.releases), vectors)))
    return f'- <a id="{slug}"></a>`{slug}` {evidence.sentence} [{facts}]'


def _decided_by(evidence: Evidence) -> str:
    """Return the functions that decide a rule, by their short names in code style, or the name of a document."""
    return re.sub(r"[a-z]\w*(?:\.\w+)+", lambda full: f"`{_MODULES.sub('', full[0])}`", evidence.function)


def _releases(releases: tuple[str, ...] | None) -> str:
    """Return the releases that follow a rule as a short phrase; empty if Harbor does not decide the rule."""
    if releases is None:
        return ""
    return "all" if list(releases) == list(wheel_hashes()) else releases_in_words(releases)


def _errata(slug: str) -> Iterator[str]:
    for erratum in ERRATA:
        if erratum.rule == slug:
            yield f"  - *Erratum* ({erratum.document}): “{erratum.claim}”. But {erratum.answers}."
