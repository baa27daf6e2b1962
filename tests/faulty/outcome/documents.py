"""Faults in mapping result.json to an outcome."""

from pathlib import Path
from typing import Any

from parity.operations.wire import int_to_text
from parity.runners import CleanRoom
from parity.scorer import Outcome, outcome
from tests.faulty.fault import breaks, json_document, other_series, read_bytes
from tests.faulty.outcome.fault import each_count, in_outcome, instead, of_content, remade


@breaks("outcome/unsearchable-folder", seen_by="test_golden")
def OtherSeriesResults(right: CleanRoom, result: Path) -> Outcome:
    """Judges a folder that may not be searched as another interpreter would."""
    return outcome(result, series=other_series())


@breaks("outcome/missing", seen_by="test_golden")
@in_outcome
def MissingIsMalformed(answer: Outcome) -> Outcome:
    """Tries to read, and takes every failure for a malformed file."""
    missing = answer["reason_code"] == "harbor_result_missing"
    return remade(answer, reason_code="harbor_result_malformed") if missing else answer


@breaks("outcome/unreadable", seen_by="test_golden")
def UnreadableEscapes(right: CleanRoom, result: Path) -> Outcome:
    """Lets the errors of reading through, and catches those of JSON alone."""
    if result.exists():
        result.read_text()
    return right.outcome(result)


@breaks("outcome/not-json", seen_by="test_golden")
def SkipsMarkOfResult(right: CleanRoom, result: Path) -> Outcome:
    """Decodes as `utf-8-sig`."""
    content = read_bytes(result.parent, result.name) or b""
    return of_content(right, content[3:]) if content.startswith(b"\xef\xbb\xbf") else right.outcome(result)


@breaks("outcome/duplicate-key", seen_by="test_golden")
def FirstDuplicateCounts(right: CleanRoom, result: Path) -> Outcome:
    """Keeps the first value of a key that is named twice."""
    return instead(right, result, json_document(result, object_pairs_hook=lambda pairs: dict(reversed(pairs))))


@breaks("outcome/wrong-shape", seen_by="test_golden")
def NullIsAbsent(right: CleanRoom, result: Path) -> Outcome:
    """Takes null for absent."""

    def without_nulls(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value for key, value in pairs if value is not None or key == "mean"}

    return instead(right, result, json_document(result, object_pairs_hook=without_nulls))


@breaks("outcome/absent-members", seen_by="test_golden")
def MembersAreRequired(right: CleanRoom, result: Path) -> Outcome:
    """Wants `stats`, `evals` and `metrics`."""
    document = json_document(result)
    try:
        metrics = [group["metrics"] for group in document["stats"]["evals"].values()]
    except KeyError:
        return instead(right, result, None)
    except (TypeError, AttributeError):
        return right.outcome(result)
    return instead(right, result, document if all(isinstance(each, list) for each in metrics) else None)


@breaks("outcome/bad-count", seen_by="test_golden")
@each_count
def BadCountIsZero(count: Any) -> Any:
    """Counts 0 where a count makes no sense."""
    try:
        int(count or 0)
    except (ValueError, TypeError, OverflowError):
        return 0
    return count


@breaks("outcome/count", seen_by="test_golden")
@each_count
def IntegerCountsOnly(count: Any) -> Any:
    """Refuses a count that is not an integer."""
    return count if type(count) is int or not count else "not an int"


@breaks("outcome/falsy-count", seen_by="test_golden")
@each_count
def NullCountIsMalformed(count: Any) -> Any:
    """Takes a count of null, and whatever is empty, for no count."""
    return count if count or type(count) is int else "no count"


@breaks("outcome/digit-limit", seen_by="test_golden")
def PrintsAnyTotal(right: CleanRoom, result: Path) -> Outcome:
    """Prints a total of any length."""
    try:
        return right.outcome(result)
    except ValueError:
        stats = json_document(result)["stats"]
        completed, errored = (int(stats.get(f"n_{which}_trials") or 0) for which in ("completed", "errored"))
        answer = instead(right, result, {"stats": {**stats, "n_completed_trials": 0, "n_errored_trials": 0}})
        line = answer["line"].replace('"total": 0', f'"total": {int_to_text(completed + errored)}')
        return {**answer, "total": completed + errored, "line": line}
