"""Makes JSON of the differences between two releases."""

from collections.abc import Sequence

from parity.drift.releases import Release
from parity.drift.trials import TrialsDrift
from parity.drift.vectors import Moved, OperationDrift, RuleDrift, by_rule
from parity.judging.divergence import first_line, shortened, show_answer
from parity.operations import OPERATIONS
from parity.operations.wire import Json

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
