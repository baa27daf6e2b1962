"""Faults of `outcome`: scores, statuses and the printed line."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import Outcome
from tests.faulty.addition import one_by_one
from tests.faulty.fault import breaks, json_document
from tests.faulty.outcome.fault import (
    Metric,
    another_mean,
    each_metric,
    in_outcome,
    instead,
    metrics_by_group,
    remade,
)


@breaks("outcome/beyond-double", seen_by="test_golden")
def ExactProducts(right: CleanRoom, result: Path) -> Outcome:
    """Multiplies score and total as exact fractions."""
    answer, document = right.outcome(result), json_document(result)
    planned = document.get("n_total_trials") if isinstance(document, dict) else None
    if type(planned) is not int or abs(planned) < 2**1024:
        return answer
    once = instead(right, result, {**document, "n_total_trials": 1})
    if once["reason_code"] is not None:
        return once
    return remade(once, resolved=round(Fraction(once["score"]) * planned), total=planned)


@breaks("outcome/resolved-of-planned", seen_by="test_golden")
@in_outcome
def ResolvedOfTotal(answer: Outcome) -> Outcome:
    """Takes resolved for a share of the total that it prints."""
    if not 0 < answer["total"] < 2**1000:
        return answer
    return remade(answer, resolved=round(answer["score"] * answer["total"]))


@breaks("outcome/bad-value", seen_by="test_golden")
@each_metric
def SkipsBadValues(metric: Metric) -> Metric:
    """Leaves out metric values that are no numbers."""
    return {key: value for key, value in metric.items() if _is_numeric(value)}


def _is_numeric(value: Any) -> bool:
    try:
        float(value)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


@breaks("outcome/mean-key", seen_by="test_golden")
@each_metric
def MeanIsOneOfMany(metric: Metric) -> Metric:
    """Counts every value of a metric, also beside a mean."""
    return {f"{key}!": value for key, value in metric.items()}


@breaks("outcome/metric-value", seen_by="test_golden")
@each_metric
def NumericValuesOnly(metric: Metric) -> Metric:
    """Refuses bools and text as metric values."""
    return {key: None if isinstance(value, bool | str) else value for key, value in metric.items()}


@breaks("outcome/non-finite", seen_by="test_golden")
def PrintsNan(right: CleanRoom, result: Path) -> Outcome:
    """Prints a score of nan with none resolved."""
    answer = right.outcome(result)
    groups = metrics_by_group(json_document(result)) or []
    scores = [score for group in groups for metric in group for score in metric.values()]
    poisoned = any(isinstance(score, float) and math.isnan(score) for score in scores)
    return remade(answer, score=math.nan, reason_code=None) if poisoned else answer


@breaks("outcome/half-to-even", seen_by="test_golden")
@in_outcome
def RoundsHalfUp(answer: Outcome) -> Outcome:
    """Rounds halves away from zero, as most languages do."""
    if (not answer["resolved"] and not answer["score"]) or abs(answer["total"]) > 10**6:
        return answer
    product = answer["score"] * answer["total"]
    planned = abs(product - answer["resolved"]) <= 0.5  # else the total is not that of the planned trials
    up = math.floor(abs(product) + 0.5)
    return remade(answer, resolved=int(math.copysign(up, product))) if planned else answer


@breaks("outcome/compensated", seen_by="test_golden")
@another_mean
def AddsValuesOneByOne(groups: list[list[list[float]]]) -> float:
    """Adds in a loop."""
    values = [value for group in groups for metric in group for value in metric]
    return one_by_one(values) / len(values)


@breaks("outcome/unit-interval", seen_by="test_golden")
@in_outcome
def ClipsScores(answer: Outcome) -> Outcome:
    """Keeps the score between 0 and 1."""
    return answer if 0 <= answer["score"] <= 1 else remade(answer, score=float(answer["score"] > 1))


@breaks("outcome/flat-mean", seen_by="test_golden")
@another_mean
def AveragesMetricsFirst(groups: list[list[list[float]]]) -> float:
    """Takes the mean of each metric, then the mean of those."""
    metrics = [sum(metric) / len(metric) for group in groups for metric in group]
    return sum(metrics) / len(metrics)


@breaks("outcome/no-values", seen_by="test_golden")
def NoValuesIsMalformed(right: CleanRoom, result: Path) -> Outcome:
    """Divides by the number of values without asking whether there are any."""
    groups = metrics_by_group(json_document(result))
    if groups is not None and not any(metric for group in groups for metric in group):
        return instead(right, result, None)
    return right.outcome(result)


@breaks("outcome/status", seen_by="test_golden")
@in_outcome
def StatusByScore(answer: Outcome) -> Outcome:
    """Calls a job without any success failed."""
    return answer if answer["score"] else remade(answer, status="failed")


@breaks("outcome/total", seen_by="test_golden")
def TotalIsWhatRan(right: CleanRoom, result: Path) -> Outcome:
    """Counts the trials that ended, whatever was planned."""
    answer, document = right.outcome(result), json_document(result)
    if answer["reason_code"] is not None or not 0 < answer["total"] < 10**6:
        return answer
    return remade(answer, total=instead(right, result, {**document, "n_total_trials": 0})["total"])


@breaks("outcome/line", seen_by="test_golden")
@in_outcome
def CompactLine(answer: Outcome) -> Outcome:
    """Prints JSON without blanks, as most languages do."""
    return {**answer, "line": answer["line"].replace('": ', '":').replace(', "', ',"')}


@breaks("outcome/fields", seen_by="test_golden")
@in_outcome
def WholeScoresAreIntegers(answer: Outcome) -> Outcome:
    """Writes a score of 1.0 as 1, as JavaScript does."""
    score = answer["score"]
    return remade(answer, score=int(score)) if score in (0.0, 1.0) and math.copysign(1, score) > 0 else answer
