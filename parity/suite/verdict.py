"""The verdicts on operations, rules and runs, computed from the counts of a session or of a report."""

from collections.abc import Collection, Mapping, Sequence

from parity.suite.harm import HARMS, Harm, counted, harms_in_words
from parity.suite.records import (
    ClassVerdict,
    DivergenceRecord,
    End,
    Final,
    OperationRecord,
    OverallVerdict,
    RuleVerdict,
)
from parity.suite.tally import OperationTally, RuleTally

NOT_BY_REFERENCE = "not claimed by the reference"
"""The beginning of the verdict on an operation that the reference does not have."""


WRONG_SHAPE = "diverges: all answers have the wrong shape"
"""The verdict on an operation if all answers have the wrong shape, so that no rule can be named."""


def operation_verdict(
    counts: OperationTally | OperationRecord, broken: Collection[Harm], *, golden_only: bool, cut: bool
) -> str:
    """Return the verdict on an operation that runner and reference claim, in a few words.

    Args:
        counts: the counts of the operation.
        broken: the worst harm of each rule of the operation that has undeclared divergences.
        golden_only: whether the run used only golden vectors.
        cut: whether the run ended early.
    """
    if broken:
        return f"diverges: {harms_in_words(broken)}"
    if counts.failures:
        return f"undecided: {counted(counts.failures, 'test')} failed"
    if not counts.comparisons and not counts.vectors:
        return "not claimed" if counts.not_claimed else "not asked"
    agrees = f"diverges as declared in {counted(counts.declared, 'case')}, else agrees" if counts.declared else "agrees"
    if golden_only:
        agrees += " on vectors"
    if cut:
        agrees += " so far, as the run did not get to its end"
    if counts.skipped:
        agrees += f"; {counts.skipped:,} not asked, where it is declared to crash,"
    return f"{agrees} where claimed; {counts.not_claimed:,} not claimed" if counts.not_claimed else agrees


IDLE = ("not asked", "not claimed")
"""Verdicts on operations that were not tested."""


CLASSES = {
    "files": ("read_reward",),
    "aggregation": ("aggregate", "pass_at_k", "trial_reward"),
    "jobs": ("job_stats",),
    "results": ("trial_score",),
    "driver": ("run_trial", "run_job"),
    "environment": ("harbor_env",),
    "consumer": ("outcome", "reason_code"),
}
"""The classes of conformance, with the operations that a runner has to answer as the reference does."""


def class_verdicts(verdicts: Mapping[str, str]) -> dict[str, ClassVerdict]:
    """Return the verdict on each class of conformance, from the verdicts on operations, in words."""
    return {name: _class_verdict([verdicts.get(each, "not asked") for each in CLASSES[name]]) for name in CLASSES}


def _class_verdict(words: Sequence[str]) -> ClassVerdict:
    if any(each.startswith("diverges") for each in words):
        return "diverges"
    if any(each.startswith("undecided") for each in words):
        return "undecided"
    if all(each == "agrees" for each in words):
        return "conforms"
    if all(each.startswith("not claimed") for each in words):
        return "not claimed"
    return "not asked" if all(each == "not asked" for each in words) else "in part"


def conformance(classes: Mapping[str, ClassVerdict], harbor: str) -> str:
    """Return the verdicts on classes in one line, without the classes that were not tested or are not claimed."""
    parts = [f"conforms to harbor {harbor}: {conforming(classes)}"]
    others: tuple[ClassVerdict, ...] = ("diverges", "undecided")
    return "; ".join([*parts, *(f"{each}: {names}" for each in others if (names := names_of(classes, each)))])


def conforming(classes: Mapping[str, ClassVerdict]) -> str:
    """Return the classes that agree, in words. Classes that were asked or claimed in part are included."""
    names = [name for name, each in classes.items() if each == "conforms"]
    return ", ".join([*names, *(f"{name} in part" for name, each in classes.items() if each == "in part")]) or "nothing"


def names_of(classes: Mapping[str, ClassVerdict], verdict: ClassVerdict) -> str:
    """Return the names of the classes with a verdict, separated by commas."""
    return ", ".join(name for name, each in classes.items() if each == verdict)


def rule_verdict(counts: RuleTally, *, claimed: bool) -> RuleVerdict:
    """Return the verdict on a rule.

    Generated cases can only show that a runner breaks the rule; golden vectors can also show that it follows the rule.
    """
    if counts.diverges:
        return "diverges"
    if counts.declared or counts.drawn_declared or counts.skipped:
        return "declared"
    if counts.asked:
        return "agrees"
    return "not-claimed" if counts.not_claimed or not claimed else "not-asked"


def overall_verdict(
    operations: Sequence[OperationRecord], *, diverges: bool, end: End, exit_code: int
) -> OverallVerdict:
    """Return the verdict on a run.

    Args:
        operations: the records of all operations.
        diverges: whether a rule has undeclared divergences, or all answers to an operation have the wrong shape.
        end: the run's end.
        exit_code: the exit code of the run.
    """
    if diverges:
        return "diverges"
    if exit_code or end == "interrupted" or not any(counts.comparisons or counts.vectors for counts in operations):
        return "undecided"
    return "diverges as declared" if any(counts.declared or counts.skipped for counts in operations) else "agrees"


def final_of(
    operations: Sequence[OperationRecord],
    divergences: Sequence[DivergenceRecord],
    broken: Sequence[Harm],
    *,
    end: End,
    exit_code: int,
    lost: bool = False,
) -> Final:
    """Return the last part of a report.

    Args:
        operations: the records of all operations.
        divergences: the records of the divergences, declared or not.
        broken: the worst harm of each rule with undeclared divergences.
        end: the run's end.
        exit_code: the exit code of the run.
        lost: whether the reference stopped answering, so that there is no verdict.
    """
    diverges = bool(broken) or any(counts.verdict == WRONG_SHAPE for counts in operations)
    verdict = overall_verdict(operations, diverges=diverges, end=end, exit_code=exit_code)
    return Final(
        verdict="undecided" if lost else verdict,
        ended=end,
        exit=exit_code,
        divergences=sum(record.declared is None for record in divergences),
        rules=len(broken),
        harms={harm: count for harm in HARMS if (count := broken.count(harm))},
        classes=class_verdicts({record.name: record.verdict for record in operations}),
    )
