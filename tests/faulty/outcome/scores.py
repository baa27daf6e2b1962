"""Faults of `outcome`: scores, statuses and the printed line."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from parity.scorer import Outcome
from tests.faulty.addition import one_by_one
from tests.faulty.outcome.fault import OutcomeFault, remade


class ExactProducts(OutcomeFault):
    """Multiplies score and total as exact fractions."""

    breaks = "outcome/beyond-double"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        right, document = super().outcome(result), self.document(result)
        planned = document.get("n_total_trials") if isinstance(document, dict) else None
        if type(planned) is not int or abs(planned) < 2**1024:
            return right
        once = self.instead(result, {**document, "n_total_trials": 1})
        if once["reason_code"] is not None:
            return once
        return remade(once, resolved=round(Fraction(once["score"]) * planned), total=planned)


class ResolvedOfTotal(OutcomeFault):
    """Takes resolved for a share of the total that it prints."""

    breaks = "outcome/resolved-of-planned"
    seen_by = "test_result_members"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        if not 0 < right["total"] < 2**1000:
            return right
        return remade(right, resolved=round(right["score"] * right["total"]))


class SkipsBadValues(OutcomeFault):
    """Leaves out metric values that are no numbers."""

    breaks = "outcome/bad-value"

    def outcome(self, result: Path) -> Outcome:
        def numeric(value: Any) -> bool:
            try:
                float(value)
            except (ValueError, TypeError, OverflowError):
                return False
            return True

        return self.with_groups(
            result,
            lambda groups: [[{k: v for k, v in metric.items() if numeric(v)} for metric in group] for group in groups],
        )


class MeanIsOneOfMany(OutcomeFault):
    """Counts every value of a metric, also beside a mean."""

    breaks = "outcome/mean-key"

    def outcome(self, result: Path) -> Outcome:
        return self.with_groups(
            result,
            lambda groups: [[{f"{key}!": value for key, value in m.items()} for m in group] for group in groups],
        )


class NumericValuesOnly(OutcomeFault):
    """Refuses bools and text as metric values."""

    breaks = "outcome/metric-value"

    def outcome(self, result: Path) -> Outcome:
        return self.with_groups(
            result,
            lambda groups: [
                [{k: None if isinstance(v, bool | str) else v for k, v in metric.items()} for metric in group]
                for group in groups
            ],
        )


class PrintsNan(OutcomeFault):
    """Prints a score of nan with none resolved."""

    breaks = "outcome/non-finite"

    def outcome(self, result: Path) -> Outcome:
        scores: list[float] = []

        def note(groups: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
            scores.extend(v for group in groups for m in group for v in m.values() if isinstance(v, float))
            return groups

        right = self.with_groups(result, note)
        poisoned = any(math.isnan(score) for score in scores)
        return remade(right, score=math.nan, reason_code=None) if poisoned else right


class RoundsHalfUp(OutcomeFault):
    """Rounds halves away from zero, as most languages do."""

    breaks = "outcome/half-to-even"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        if (not right["resolved"] and not right["score"]) or abs(right["total"]) > 10**6:
            return right
        product = right["score"] * right["total"]
        planned = abs(product - right["resolved"]) <= 0.5  # else the total is not that of the planned trials
        up = math.floor(abs(product) + 0.5)
        return remade(right, resolved=int(math.copysign(up, product))) if planned else right


class AddsValuesOneByOne(OutcomeFault):
    """Adds in a loop."""

    breaks = "outcome/compensated"

    def outcome(self, result: Path) -> Outcome:
        def mean(groups: list[list[list[float]]]) -> float:
            values = [value for group in groups for metric in group for value in metric]
            return one_by_one(values) / len(values)

        return self.rescored(result, mean)


class AddsValuesExactly(OutcomeFault):
    """Adds with `math.fsum`."""

    breaks = "outcome/compensated"

    def outcome(self, result: Path) -> Outcome:
        def mean(groups: list[list[list[float]]]) -> float:
            values = [value for group in groups for metric in group for value in metric]
            return math.fsum(values) / len(values)

        return self.rescored(result, mean)


class ClipsScores(OutcomeFault):
    """Keeps the score between 0 and 1."""

    breaks = "outcome/unit-interval"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        return right if 0 <= right["score"] <= 1 else remade(right, score=float(right["score"] > 1))


class AveragesMetricsFirst(OutcomeFault):
    """Takes the mean of each metric, then the mean of those."""

    breaks = "outcome/flat-mean"

    def outcome(self, result: Path) -> Outcome:
        def mean(groups: list[list[list[float]]]) -> float:
            metrics = [sum(metric) / len(metric) for group in groups for metric in group]
            return sum(metrics) / len(metrics)

        return self.rescored(result, mean)


class AveragesGroupsFirst(OutcomeFault):
    """Takes the mean of each group, then the mean of those."""

    breaks = "outcome/flat-mean"

    def outcome(self, result: Path) -> Outcome:
        def mean(groups: list[list[list[float]]]) -> float:
            flat = [[value for metric in group for value in metric] for group in groups if group]
            return sum(sum(values) / len(values) for values in flat) / len(flat)

        return self.rescored(result, mean)


class NoValuesIsMalformed(OutcomeFault):
    """Divides by the number of values without asking whether there are any."""

    breaks = "outcome/no-values"

    def outcome(self, result: Path) -> Outcome:
        values: list[Any] = []

        def note(groups: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
            values.extend([*(value for group in groups for metric in group for value in metric.values()), ...][:1])
            return groups

        self.with_groups(result, note)
        return self.instead(result, None) if values == [...] else super().outcome(result)


class StatusByScore(OutcomeFault):
    """Calls a job without any success failed."""

    breaks = "outcome/status"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        return right if right["score"] else remade(right, status="failed")


class ErrorsAreTolerated(OutcomeFault):
    """Calls a job completed if any trial was."""

    breaks = "outcome/status"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        return remade(right, status="completed") if right["score"] else right


class TotalIsWhatRan(OutcomeFault):
    """Counts the trials that ended, whatever was planned."""

    breaks = "outcome/total"

    def outcome(self, result: Path) -> Outcome:
        right, document = super().outcome(result), self.document(result)
        if right["reason_code"] is not None or not 0 < right["total"] < 10**6:
            return right
        return remade(right, total=self.instead(result, {**document, "n_total_trials": 0})["total"])


class CompactLine(OutcomeFault):
    """Prints JSON without blanks, as most languages do."""

    breaks = "outcome/line"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        return {**right, "line": right["line"].replace('": ', '":').replace(', "', ',"')}


class UnsortedLine(OutcomeFault):
    """Prints the fields in the order in which they were made."""

    breaks = "outcome/line"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        others = {key: value for key, value in right.items() if key != "line"}
        return {**right, "line": f"BASE_BENCHMARK_RESULT={json.dumps(others)}"}


class WholeScoresAreIntegers(OutcomeFault):
    """Writes a score of 1.0 as 1, as JavaScript does."""

    breaks = "outcome/fields"

    def outcome(self, result: Path) -> Outcome:
        right = super().outcome(result)
        score = right["score"]
        return remade(right, score=int(score)) if score in (0.0, 1.0) and math.copysign(1, score) > 0 else right
