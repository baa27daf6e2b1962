"""Faults in mapping result.json to an outcome."""

import math
from pathlib import Path
from typing import Any

from parity.operations.wire import int_to_text
from parity.scorer import Outcome, outcome
from tests.faulty.fault import read_bytes
from tests.faulty.outcome.fault import OutcomeFault, remade


class OtherSeriesResults(OutcomeFault):
    """Judges a folder that may not be searched as another interpreter would."""

    breaks = "outcome/unsearchable-folder"
    seen_by = "test_state_of_the_result"

    def outcome(self, result: Path) -> Outcome:
        return outcome(result, series=self.other_series)


class MissingIsMalformed(OutcomeFault):
    """Tries to read, and takes every failure for a malformed file."""

    breaks = "outcome/missing"
    seen_by = "test_state_of_the_result"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        missing = right["reason_code"] == "harbor_result_missing"
        return remade(right, reason_code="harbor_result_malformed") if missing else right


class UnreadableEscapes(OutcomeFault):
    """Lets the errors of reading through, and catches those of JSON alone."""

    breaks = "outcome/unreadable"
    seen_by = "test_state_of_the_result"

    def outcome(self, result: Path) -> Outcome:
        if result.exists():
            result.read_text()
        return super().outcome(result)


class EmptyIsMissing(OutcomeFault):
    """Takes an empty file for none."""

    breaks = "outcome/unreadable"
    seen_by = "test_state_of_the_result"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        empty = read_bytes(result.parent, result.name) == b""
        return remade(right, reason_code="harbor_result_missing") if empty else right


class NestingEscapes(OutcomeFault):
    """Lets the parser's RecursionError through."""

    breaks = "outcome/not-json"
    seen_by = "test_almost_a_result"

    def outcome(self, result: Path) -> Outcome:
        content = read_bytes(result.parent, result.name) or b""
        if content.count(b"[") > 1000 or content.count(b"{") > 1000:
            raise RecursionError
        return super().outcome(result)


class SkipsMarkOfResult(OutcomeFault):
    """Decodes as `utf-8-sig`."""

    breaks = "outcome/not-json"
    seen_by = "test_almost_a_result"

    def outcome(self, result: Path) -> Outcome:
        content = read_bytes(result.parent, result.name) or b""
        return self.of(content[3:]) if content.startswith(b"\xef\xbb\xbf") else super().outcome(result)


class FirstDuplicateCounts(OutcomeFault):
    """Keeps the first value of a key that is named twice."""

    breaks = "outcome/duplicate-key"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        return self.instead(result, self.document(result, object_pairs_hook=lambda pairs: dict(reversed(pairs))))


class NullIsAbsent(OutcomeFault):
    """Takes null for absent."""

    breaks = "outcome/wrong-shape"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        def without_nulls(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            return {key: value for key, value in pairs if value is not None or key == "mean"}

        return self.instead(result, self.document(result, object_pairs_hook=without_nulls))


class MembersAreRequired(OutcomeFault):
    """Wants `stats`, `evals` and `metrics`."""

    breaks = "outcome/absent-members"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        document = self.document(result)
        try:
            metrics = [group["metrics"] for group in document["stats"]["evals"].values()]
        except KeyError:
            return self.instead(result, None)
        except (TypeError, AttributeError):
            return super().outcome(result)
        return self.instead(result, document if all(isinstance(each, list) for each in metrics) else None)


class BadCountIsZero(OutcomeFault):
    """Counts 0 where a count makes no sense."""

    breaks = "outcome/bad-count"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        def lenient(count: Any) -> Any:
            try:
                int(count or 0)
            except (ValueError, TypeError, OverflowError):
                return 0
            return count

        return self.with_counts(result, lenient)


class IntegerCountsOnly(OutcomeFault):
    """Refuses a count that is not an integer."""

    breaks = "outcome/count"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        return self.with_counts(result, lambda count: count if type(count) is int or not count else "not an int")


class RoundsCounts(OutcomeFault):
    """Rounds a fraction of trials."""

    breaks = "outcome/count"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        return self.with_counts(
            result, lambda count: round(count) if isinstance(count, float) and math.isfinite(count) else count
        )


class NullCountIsMalformed(OutcomeFault):
    """Takes a count of null, and whatever is empty, for no count."""

    breaks = "outcome/falsy-count"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        return self.with_counts(result, lambda count: count if count or type(count) is int else "no count")


class PrintsAnyTotal(OutcomeFault):
    """Prints a total of any length."""

    breaks = "outcome/digit-limit"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        try:
            return super().outcome(result)
        except ValueError:
            stats = self.document(result)["stats"]
            completed, errored = (int(stats.get(f"n_{which}_trials") or 0) for which in ("completed", "errored"))
            right = self.instead(result, {"stats": {**stats, "n_completed_trials": 0, "n_errored_trials": 0}})
            line = right["line"].replace('"total": 0', f'"total": {int_to_text(completed + errored)}')
            return {**right, "total": completed + errored, "line": line}
