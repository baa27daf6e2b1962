"""Shows the differences between two releases, as text and as JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from parity.drift.releases import Release
from parity.drift.trials import TrialsDrift
from parity.drift.vectors import Moved, OperationDrift, RuleDrift, by_rule
from parity.judging.divergence import describe, first_line, shortened, show_answer
from parity.judging.harm import Harm, harm_word, harms_in_words, rank
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault
from parity.operations.wire import Json


def drift_lines(old: Release, new: Release, drifts: Sequence[OperationDrift]) -> Iterator[str]:
    """Yield the lines about the rules that moved, the worst first, then a line for each operation, and the total."""
    rules = by_rule(drifts)
    for rule in rules:
        yield from _rule_lines(old, new, rule)
        yield ""
    yield from _operation_lines(drifts)
    yield _total(old, new, drifts, rules)


def _rule_lines(old: Release, new: Release, found: RuleDrift) -> Iterator[str]:
    yield f"{harm_word(found.harm)}: {found.rule.slug}: {found.rule.sentence}"
    smallest = replace(found.smallest.divergence, runner_name=new.label)
    (_, case), (_, expected), *others = describe(smallest, "", found.smallest.vector)[:-1]
    rows = [("smallest case", case), (old.label, expected), *others]
    width = max(len(label) for label, _ in rows)
    yield from (f"  {label:<{width}}  {text}" for label, text in rows)
    yield f"  {'vectors':<{width}}  {vectors_by_harm(moved.divergence.harm for moved in found.moved)}"


def vectors_by_harm(harms: Iterable[Harm]) -> str:
    """Return the number of vectors of each grade, the worst first, such as `12 (pays out 2, form 10)`."""
    counts = Counter(harms)
    shown = ", ".join(f"{harm_word(harm)} {counts[harm]:,}" for harm in sorted(counts, key=rank))
    return f"{counts.total():,} ({shown})"


def _operation_lines(drifts: Sequence[OperationDrift]) -> Iterator[str]:
    width = max(len(drift.name) for drift in drifts)
    for drift in drifts:
        if drift.answered:
            harms = harms_in_words(rule.harm for rule in by_rule([drift]))
            counts = f"{len(drift.moved):,} of {drift.answered:,} vectors" + (f": {harms}" if harms else "")
            yield f"{drift.name:<{width}}  {counts}"
        for (label, reason), vectors in drift.lacking.items():
            yield f"{drift.name:<{width}}  {len(vectors):,} vectors not claimed by {label}: {reason}"


def _total(old: Release, new: Release, drifts: Sequence[OperationDrift], rules: Sequence[RuleDrift]) -> str:
    answered, moved = sum(drift.answered for drift in drifts), sum(len(drift.moved) for drift in drifts)
    if not moved:
        return f"{new.label} answers all {answered:,} vectors of both as {old.label} does"
    harms = harms_in_words(rule.harm for rule in rules)
    return f"{new.label} answers {moved:,} of {answered:,} vectors differently from {old.label}: {harms}"


def trials_lines(old: Release, new: Release, drift: TrialsDrift) -> Iterator[str]:
    """Yield a line for each trial and each metric that scores differently, the worst first, and the total."""
    width = max((len(harm_word(moved.divergence.harm)) for moved in drift.moved), default=0)
    for moved in drift.ordered:
        found = moved.divergence
        sides = (f"{old.label} {_in_short(found.reference)}", f"{new.label} {_in_short(found.runner)}")
        rule = f" ({found.rule.slug})" if moved.is_trial else ""
        yield f"{harm_word(found.harm):<{width}}  {moved.what}{rule}: {'; '.join(sides)}"
    trials = sum(moved.is_trial for moved in drift.moved)
    metrics = len(drift.moved) - trials
    also = f", and {metrics:,} metric{'s' * (metrics > 1)} of jobs" if metrics else ""
    yield f"{trials:,} of {drift.asked:,} verifiers' folders{also} score differently"


def _in_short(answer: Answer) -> str:
    """Return an answer in one line, without the message of an error, which names a copy of the user's file."""
    return show_answer(replace(answer, message="") if isinstance(answer, Fault) else answer)


FORMAT = 1
_LONGEST_TEXT = 4000


def drift_document(old: Release, new: Release, drifts: Sequence[OperationDrift]) -> dict[str, Json]:
    """Return the content of the text, and every vector that moved, with both answers."""
    return {
        **_head(old, new),
        "operations": [_operation(drift) for drift in drifts],
        "rules": [_rule(rule) for rule in by_rule(drifts)],
    }


def trials_document(old: Release, new: Release, drift: TrialsDrift) -> dict[str, Json]:
    """Return the trials and metrics that score differently, the worst first."""
    moved: list[Json] = [
        {
            "what": each.what,
            "trial": each.is_trial,
            "rule": each.divergence.rule.slug if each.is_trial else None,
            "harm": each.divergence.harm,
            "old": show_answer(each.divergence.reference, _LONGEST_TEXT),
            "new": show_answer(each.divergence.runner, _LONGEST_TEXT),
        }
        for each in drift.ordered
    ]
    return {**_head(old, new), "asked": drift.asked, "moved": moved, "problems": list(drift.problems)}


def _head(old: Release, new: Release) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "old": {"label": old.label, "environment": old.environment},
        "new": {"label": new.label, "environment": new.environment},
    }


def _operation(drift: OperationDrift) -> Json:
    lacking: list[Json] = [
        {"release": label, "reason": reason, "vectors": len(vectors)}
        for (label, reason), vectors in drift.lacking.items()
    ]
    return {"name": drift.name, "answered": drift.answered, "moved": len(drift.moved), "not_claimed": lacking}


def _rule(found: RuleDrift) -> Json:
    return {
        "rule": found.rule.slug,
        "operation": found.rule.operation,
        "sentence": found.rule.sentence,
        "harm": found.harm,
        "smallest": found.smallest.vector,
        "vectors": [_vector(moved) for moved in found.moved],
    }


def _vector(moved: Moved) -> Json:
    divergence = moved.divergence
    operation = OPERATIONS[divergence.operation]
    return {
        "id": moved.vector,
        "harm": divergence.harm,
        "kind": divergence.kind,
        "summary": shortened(first_line(divergence), _LONGEST_TEXT),
        "where": divergence.difference.where(),
        "case": shortened(operation.describe(operation.decode(divergence.case)), _LONGEST_TEXT),
        "old": show_answer(divergence.reference, _LONGEST_TEXT),
        "new": show_answer(divergence.runner, _LONGEST_TEXT),
    }
