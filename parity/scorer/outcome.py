"""Compute a job's outcome from its result.json. Rules: `outcome/*`.

The outcome has the number of trials, and one score: the mean of all metric values of all groups. One fault makes the
whole file malformed. Source: section 5 of the scoring description; no wheel implements it.
"""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypedDict

from parity.scorer.existence import exists
from parity.scorer.number_text import python_float, python_int
from parity.scorer.reason_code import RESULT_MALFORMED, RESULT_MISSING
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum


class Outcome(TypedDict):
    """The outcome of a job, as the consumer of the job's result.json reports it."""

    status: Literal["completed", "failed"]
    score: float
    """The mean of all metric values, which is finite."""

    resolved: int
    total: int
    reason_code: str | None
    line: str
    """The line that the consumer prints: `BASE_BENCHMARK_RESULT=`, then the other five values as JSON, keys sorted."""


class _Malformed(Exception):
    """The file is not a valid result.json."""


def outcome(path: Path, *, series: Series = OFFICIAL) -> Outcome:
    """Return the outcome of the job whose result.json is at `path`.

    The file is decoded with the locale's encoding, as in the scoring description.

    Args:
        path: the path of result.json; the file need not exist.
        series: the interpreter series, which determines the behaviour of `sum()`, `float()` and `Path.exists()`.

    Raises:
        PermissionError: the file's directory may not be searched; only in `Series.PY312`.
        ValueError: the total has more digits than Python converts to a string.
    """
    # Rule: outcome/missing
    if not exists(path, series):
        return _outcome("failed", 0.0, 0, 0, RESULT_MISSING)
    try:
        status, score, resolved, total = _read(_object(_document(path)), series)
    except _Malformed:
        return _outcome("failed", 0.0, 0, 0, RESULT_MALFORMED)
    return _outcome(status, score, resolved, total, None)


def _outcome(
    status: Literal["completed", "failed"], score: float, resolved: int, total: int, reason_code: str | None
) -> Outcome:
    # Rule: outcome/fields
    # The keys are printed in this order.
    printed = {"reason_code": reason_code, "resolved": resolved, "score": score, "status": status, "total": total}
    # Rules: outcome/line, outcome/digit-limit
    line = f"BASE_BENCHMARK_RESULT={json.dumps(printed)}"
    return Outcome(status=status, score=score, resolved=resolved, total=total, reason_code=reason_code, line=line)


def _read(document: dict[str, Any], series: Series) -> tuple[Literal["completed", "failed"], float, int, int]:
    # Rule: outcome/absent-members
    stats = _object(document.get("stats", {}))
    planned = _count(document.get("n_total_trials"), series)
    completed = _count(stats.get("n_completed_trials"), series)
    errored = _count(stats.get("n_errored_trials"), series)
    score = _score(_object(stats.get("evals", {})).values(), series)
    # Rules: outcome/status, outcome/total, outcome/resolved-of-planned
    # `resolved` is always based on the planned trials, even if the total falls back to completed plus errored trials.
    return "failed" if errored else "completed", score, _resolved(score, planned), planned or completed + errored


def _score(groups: Iterable[Any], series: Series) -> float:
    metrics = [metric for group in groups for metric in _metrics(_object(group))]
    values = [_value(value, series) for metric in metrics for value in _counted_values(metric)]
    # Rules: outcome/flat-mean, outcome/compensated, outcome/no-values, outcome/unit-interval
    return exact_sum(values, series) / len(values) if values else 0.0


def _metrics(group: dict[str, Any]) -> list[dict[str, Any]]:
    metrics = group.get("metrics", [])
    if isinstance(metrics, list):
        return [_object(metric) for metric in metrics]
    # Rule: outcome/absent-members
    if metrics in ("", {}):  # treated as an empty list
        return []
    # Rule: outcome/wrong-shape
    raise _Malformed


def _counted_values(metric: dict[str, Any]) -> Iterable[Any]:
    """Return the mean if the metric has one, else all values of the metric."""
    # Rule: outcome/mean-key
    return [metric["mean"]] if "mean" in metric else metric.values()


def _resolved(score: float, planned: int) -> int:
    try:
        product = score * planned
    # Rule: outcome/beyond-double
    except OverflowError:  # the count is beyond the range of a double
        raise _Malformed from None
    # Rule: outcome/non-finite
    if not math.isfinite(product):
        raise _Malformed
    # Rules: outcome/half-to-even, outcome/unit-interval
    return round(product)


def _count(value: Any, series: Series) -> int:
    """Read a number of trials. A missing or empty value is 0, and a fraction is truncated."""
    # Rule: outcome/falsy-count
    if not value:
        return 0
    # Rule: outcome/count
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return math.trunc(value)
    if isinstance(value, str):
        try:
            return python_int(value, series)
        except ValueError:
            raise _Malformed from None
    # Rule: outcome/bad-count
    raise _Malformed


def _value(value: Any, series: Series) -> float:
    try:
        # Rule: outcome/metric-value
        if isinstance(value, str):
            return python_float(value, series)
        if isinstance(value, int | float):
            return float(value)
    except (ValueError, OverflowError):  # not a number, or an int beyond the range of a double
        pass
    # Rule: outcome/bad-value
    raise _Malformed


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    # Rule: outcome/wrong-shape
    raise _Malformed


def _document(path: Path) -> Any:
    try:
        # Rule: outcome/duplicate-key
        return json.loads(path.read_text())
    # Rules: outcome/unreadable, outcome/not-json
    except (OSError, ValueError, RecursionError):
        raise _Malformed from None
