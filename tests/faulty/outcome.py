"""Faults in mapping result.json to an outcome."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.operations.wire import int_to_text
from parity.scorer import Outcome, outcome
from tests.faulty.fault import Fault, read_bytes


def remade(right: Outcome, **fields: Any) -> Outcome:
    """An outcome with some fields changed, and the line that belongs to it."""
    others = {key: value for key, value in {**right, **fields}.items() if key != "line"}
    return {**others, "line": f"BASE_BENCHMARK_RESULT={json.dumps(others, sort_keys=True)}"}  # type: ignore[typeddict-item]


class OutcomeFault(Fault):
    """A mapping of result.json that goes wrong in one way."""

    seen_by = "test_result_numbers"

    def document(self, result: Path, **options: Any) -> Any:
        """The document of result.json, or an ellipsis where there is none."""
        content = read_bytes(result.parent, result.name)
        try:
            return ... if content is None else json.loads(content.decode(), **options)
        except (ValueError, RecursionError):
            return ...

    def instead(self, result: Path, document: Any) -> Outcome:
        """The right outcome of another document."""
        return super().outcome(result) if document is ... else self.of(json.dumps(document).encode())

    def of(self, content: bytes) -> Outcome:
        """The right outcome of a file with this content."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            path.write_bytes(content)
            return super().outcome(path)

    def with_counts(self, result: Path, change: Callable[[Any], Any]) -> Outcome:
        """The right outcome with every count changed, where there is one."""
        document = self.document(result)
        stats = document.get("stats", {}) if isinstance(document, dict) else None
        if not isinstance(stats, dict):
            return super().outcome(result)
        for holder, name in ((document, "n_total_trials"), (stats, "n_completed_trials"), (stats, "n_errored_trials")):
            if name in holder:
                holder[name] = change(holder[name])
        return self.instead(result, document)

    def with_groups(self, result: Path, change: Callable[[list[list[dict[str, Any]]]], Any]) -> Outcome:
        """The right outcome with the metrics of all groups changed, where they are well-formed."""
        document = self.document(result)
        try:
            groups = document["stats"]["evals"]
            metrics = [[dict(metric.items()) for metric in group["metrics"]] for group in groups.values()]
        except (TypeError, KeyError, AttributeError):
            return super().outcome(result)
        for group, changed in zip(groups.values(), change(metrics), strict=True):
            group["metrics"] = changed
        return self.instead(result, document)

    def rescored(self, result: Path, mean: Callable[[list[list[list[float]]]], float]) -> Outcome:
        """The right outcome with another mean; given the values by group and metric, where all are finite floats."""
        right = super().outcome(result)
        groups: list[list[list[float]]] = []

        def note(metrics: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
            for group in metrics:
                groups.append([[m["mean"]] if "mean" in m else list(m.values()) for m in group])
            return metrics

        self.with_groups(result, note)
        values = [value for group in groups for metric in group for value in metric]
        plain = values and all(type(value) in (int, float) and abs(value) < 1e300 for value in values)
        if right["reason_code"] is not None or not plain or right["total"] > 10**6:
            return right
        score = mean([[[float(value) for value in metric] for metric in group if metric] for group in groups])
        return remade(right, score=score, resolved=right["resolved"] and round(score * right["total"]))


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
