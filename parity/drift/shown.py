"""Shows the differences between two releases, as text and as JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from parity.drift.job_numbers import JobDrift
from parity.drift.releases import Release
from parity.drift.trials import TrialsDrift
from parity.drift.vectors import Moved, OperationDrift, RuleDrift, by_rule
from parity.judging.divergence import describe, first_line, shortened, show_answer
from parity.judging.harm import Harm, harm_word, harms_in_words, rank
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault
from parity.operations.wire import Json


def drift_lines(old: Release, new: Release, drifts: Sequence[OperationDrift]) -> Iterator[str]:
    """Yield lines about rules with different answers, the worst first, about each operation, and the total."""
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
    """Yield a line for each verifier's folder that scores differently, the lines about jobs, and the total."""
    for moved in drift.ordered:
        found = moved.divergence
        sides = f"{old.label} {_in_short(found.reference)}; {new.label} {_in_short(found.runner)}"
        yield f"{harm_word(found.harm)}  {moved.folder} ({found.rule.slug}): {sides}"
    for job in drift.jobs:
        yield from _job_lines(old, new, job)
    numbers = sum(len(job.moved) for job in drift.jobs)
    also = f", and {numbers:,} number{'s' * (numbers > 1)} of jobs" if numbers else ""
    yield f"{len(drift.moved):,} of {drift.asked:,} verifiers' folders{also} score differently"


def _job_lines(old: Release, new: Release, job: JobDrift) -> Iterator[str]:
    for number in job.numbers:
        head = f"{harm_word(number.harm) if number.harm else 'the same'}  {job.path}: {number.what}"
        if number.harm and number.how:
            yield from (head, f"  {old.label}  {number.how[0]}", f"  {new.label}  {number.how[1]}")
        else:
            sides = f"{old.label} {number.old!r}; {new.label} {number.new!r}"
            yield f"{head}: {number.how[0] if number.how else sides}"
    for (before, after), trials in job.trials_in_words():
        yield f"moved  {job.path}: {before} by {old.label}, {after} by {new.label}: {trials}"


def _in_short(answer: Answer) -> str:
    """Return an answer in one line, without the message of an error, which has the path of a copied file."""
    return show_answer(replace(answer, message="") if isinstance(answer, Fault) else answer)


FORMAT = 1
_LONGEST_TEXT = 4000


def drift_document(old: Release, new: Release, drifts: Sequence[OperationDrift]) -> dict[str, Json]:
    """Return the content of the text report, and every vector with different answers, with both answers."""
    return {
        **_head(old, new),
        "operations": [_operation(drift) for drift in drifts],
        "rules": [_rule(rule) for rule in by_rule(drifts)],
    }


def trials_document(old: Release, new: Release, drift: TrialsDrift) -> dict[str, Json]:
    """Return the trials, and the numbers of jobs, that move, the worst first."""
    moved: list[Json] = [
        {
            "what": each.folder,
            "trial": True,
            "rule": each.divergence.rule.slug,
            "harm": each.divergence.harm,
            "old": show_answer(each.divergence.reference, _LONGEST_TEXT),
            "new": show_answer(each.divergence.runner, _LONGEST_TEXT),
        }
        for each in drift.ordered
    ]
    for job in drift.jobs:
        moved += [
            {
                "what": f"{job.path}: {number.what}",
                "trial": False,
                "rule": None,
                "harm": number.harm,
                "old": repr(number.old),
                "new": repr(number.new),
            }
            for number in job.moved
        ]
    jobs: list[Json] = [_job(job) for job in drift.jobs]
    return {**_head(old, new), "asked": drift.asked, "moved": moved, "jobs": jobs, "problems": list(drift.problems)}


def _job(job: JobDrift) -> Json:
    numbers: list[Json] = [
        {
            "what": number.what,
            "harm": number.harm,
            "old": number.old,
            "new": number.new,
            "counts": None if number.how is None else [*number.how],
        }
        for number in job.numbers
    ]
    trials: list[Json] = [
        {"trial": moved.trial.name, "error": moved.trial.exception, "old": moved.old, "new": moved.new}
        for moved in job.trials
    ]
    return {"job": str(job.path), "numbers": numbers, "trials": trials}


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
