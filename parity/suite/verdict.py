"""The verdicts on operations, rules and runs: sums over the counts of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from parity.suite.harm import HARMS, counted, harms_in_words, worst
from parity.suite.records import (
    ClassVerdict,
    End,
    Final,
    OverallVerdict,
    Question,
    Report,
    RuleRecord,
)
from parity.suite.run import (
    DIVERGED,
    Counts,
    Run,
    answered_vectors,
    broken_rules,
    comparisons,
    grouped,
    total,
)

NOT_BY_REFERENCE = "not claimed by the reference"
"""The beginning of the verdict on an operation that the reference does not have."""


WRONG_SHAPE = "diverges: no answer has the right shape"
"""The verdict on an operation if no answer has the right shape, so that no rule can be named."""


def operation_verdict(counts: Counts, *, claimed: bool, lacking: str | None, golden_only: bool, cut: bool) -> str:
    """Return the verdict on an operation, in a few words.

    Args:
        counts: the counts of the operation.
        claimed: whether the runner has it.
        lacking: the reason why the reference does not answer it, if it does not.
        golden_only: whether the run used only golden vectors.
        cut: whether the run ended early.
    """
    if not claimed:
        return "not claimed"
    if lacking is not None:
        return f"{NOT_BY_REFERENCE} ({lacking})"
    if total(counts, "wrong-shape"):
        return WRONG_SHAPE
    if broken := broken_rules(counts):
        return f"diverges: {harms_in_words(broken.values())}"
    if failures := total(counts, "failed"):
        return f"undecided: {counted(failures, 'test')} failed"
    declined, declared, skipped = (total(counts, each) for each in ("not-claimed", "declared", "no-answer"))
    if not comparisons(counts) and not answered_vectors(counts):
        return "not claimed" if declined else "not asked"
    agrees = f"diverges as declared in {counted(declared, 'case')}, else agrees" if declared else "agrees"
    if golden_only:
        agrees += " on vectors"
    if cut:
        agrees += " so far, as the run did not get to its end"
    if skipped:
        agrees += f"; {skipped:,} not asked, where it is declared to crash,"
    return f"{agrees} where claimed; {declined:,} not claimed" if declined else agrees


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


def judged_rule(rule: RuleRecord, counts: Counts, *, claimed: bool) -> RuleRecord:
    """Return a rule with its verdict, from the counts of the rule.

    Generated cases can only show that a runner breaks the rule; golden vectors can also show that it follows the rule.
    """
    undeclared = [each.harm for each in counts if each.outcome in DIVERGED and each.harm]
    declared = [each.harm for each in counts if each.outcome == "declared" and each.harm]
    harms = undeclared or declared
    if undeclared:
        rule = replace(rule, verdict="diverges")
    elif declared or total(counts, "no-answer"):
        rule = replace(rule, verdict="declared")
    elif answered_vectors(counts):
        rule = replace(rule, verdict="agrees")
    else:
        declined = total(counts, "not-claimed") or not claimed
        rule = replace(rule, verdict="not-claimed" if declined else "not-asked")
    return replace(rule, harm=worst(harms) if harms else None)


def _overall_verdict(run: Run, *, end: End, exit_code: int) -> OverallVerdict:
    if total(run.counts, *DIVERGED, "wrong-shape"):
        return "diverges"
    if exit_code or end == "interrupted" or not (comparisons(run.counts) or answered_vectors(run.counts)):
        return "undecided"
    return "diverges as declared" if total(run.counts, "declared", "no-answer") else "agrees"


UNDECIDED = Final("undecided", "interrupted", 4, 0, 0, {}, {})
"""The last part of a report that is not judged yet."""


def judged(report: Report, run: Run, *, end: End, exit_code: int, lost: bool = False) -> Report:
    """Return a report with the findings of a run, and with the verdicts, which are sums over them.

    Args:
        report: the report, with the names of runner, reference, operations and rules, and with the settings.
        run: the findings.
        end: the run's end.
        exit_code: the exit code of the run.
        lost: whether the reference stopped answering, so that there is no verdict.
    """
    by_operation, by_rule = grouped(run.counts, _operation_of), grouped(run.counts, _rule_of)
    broken = list(broken_rules(run.counts).values())
    operations = tuple(
        replace(
            each,
            verdict=operation_verdict(
                by_operation[each.name],
                claimed=each.claimed,
                lacking=each.lacking,
                golden_only=report.settings.golden_only,
                cut=end == "interrupted",
            ),
        )
        for each in report.operations
    )
    claimed = {each.name for each in operations if each.claimed}
    verdict = _overall_verdict(run, end=end, exit_code=exit_code)
    return replace(
        report,
        operations=operations,
        rules=tuple(judged_rule(each, by_rule[each.slug], claimed=each.operation in claimed) for each in report.rules),
        counts=run.rows,
        divergences=run.divergences,
        final=Final(
            verdict="undecided" if lost else verdict,
            ended=end,
            exit=exit_code,
            divergences=sum(record.declared is None for record in run.worst.values()),
            rules=len(broken),
            harms={harm: count for harm in HARMS if (count := broken.count(harm))},
            classes=class_verdicts({each.name: each.verdict for each in operations}),
        ),
    )


def _operation_of(question: Question) -> str:
    return question.operation


def _rule_of(question: Question) -> str:
    return question.rule
