"""Symbols, words and meanings of verdicts; each has a symbol and a word, so that no colour is needed."""

from dataclasses import dataclass

from parity.judging.harm import Harm, harm_word, harms_in_words
from parity.judging.records import Report, RuleRecord, RuleVerdict


@dataclass(frozen=True)
class Shown:
    """The form of a verdict for people."""

    symbol: str
    word: str
    meaning: str


VERDICTS: dict[RuleVerdict, Shown] = {
    "agrees": Shown("✓", "agrees", "vectors of the rule are answered as the reference does, and none breaks it"),
    "diverges": Shown("✗", "diverges", "a vector or a drawn case is answered otherwise"),
    "declared": Shown("≈", "declared", "it diverges, exactly as the runner's maker declares"),
    "undecided": Shown(
        "○", "undecided", "its vectors were asked, and what is wrong with their answers is put down to other rules"
    ),
    "not-claimed": Shown("–", "not claimed", "the runner does not do this"),
    "not-asked": Shown("·", "not asked", "no vector of the rule was asked"),
}
UNKNOWN = Shown("?", "unknown rule", "the kit that wrote the report has no such rule")


def shown(verdict: RuleVerdict | None) -> Shown:
    """Return a verdict's symbol, word and meaning; None stands for a rule that is not in the report."""
    return VERDICTS[verdict] if verdict else UNKNOWN


def word(record: RuleRecord | None) -> str:
    """Return the verdict on a rule in one or two words; the harm if it diverges, declared or not."""
    if record is None or record.harm is None:
        return shown(record.verdict if record else None).word
    return harm_word(record.harm)


def harms_of(report: Report, verdict: RuleVerdict = "diverges") -> list[Harm]:
    """Return the worst harm of every rule with a verdict."""
    return [rule.harm for rule in report.rules if rule.verdict == verdict and rule.harm]


def outcome(report: Report) -> str:
    """Return the verdict on a run, as the predicate of a sentence about the runner."""
    harbor = f"harbor {report.reference.harbor}"
    match report.final.verdict:
        case "agrees":
            return f"agrees with {harbor}"
        case "diverges":
            return f"diverges from {harbor}: {harms_in_words(harms_of(report))}"
        case "diverges as declared":
            harms = harms_in_words(harms_of(report, "declared"))
            return f"diverges from {harbor} only as declared{f': {harms}' if harms else ''}"
    return f"against {harbor}: undecided"


def caveats(report: Report) -> list[str]:
    """Return sentences that restrict the verdict on a run."""
    notes = []
    if report.final.ended == "interrupted":
        notes.append(
            f"The run was interrupted (exit code {report.final.exit}), so this report is only about a part of it."
        )
    if not report.settings.complete:
        notes.append("Only part of the suite was run, so this report is only about that part.")
    if (failures := sum(operation.failures for operation in report.operations)) and report.final.verdict == "undecided":
        notes.append(f"{failures} test(s) failed for another reason than a divergence.")
    return notes


def counted(report: Report) -> dict[RuleVerdict, int]:
    """Return the number of rules with each verdict."""
    return {verdict: sum(rule.verdict == verdict for rule in report.rules) for verdict in VERDICTS}
