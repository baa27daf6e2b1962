"""result.json to the outcome that a job is reported with. Rules: `outcome/*`.

The outcome counts trials, and averages every metric value of every group into one score. Whatever is wrong with
the file makes it malformed as a whole. Source: the scoring description, section 5; no wheel implements it.
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
    """How a job went."""

    status: Literal["completed", "failed"]
    score: float
    """The mean of all metric values; finite."""

    resolved: int
    total: int
    reason_code: str | None
    line: str
    """What the consumer prints: `BASE_BENCHMARK_RESULT=` and the other five as JSON, keys sorted."""


class _Malformed(Exception):
    """The file is not a result.json that can be mapped."""


def outcome(path: Path, *, series: Series = OFFICIAL) -> Outcome:
    """The outcome of the job whose result.json is at `path`.

    Text is decoded with the locale's encoding, as the description does.

    Args:
        path: the file; it need not exist.
        series: whose `sum()`, Unicode digits and file existence rules to follow.

    Raises:
        PermissionError: its folder may not be searched, where the series lets that through.
        ValueError: the total has more digits than Python prints.
    """
    if not exists(path, series):
        return _outcome("failed", 0.0, 0, 0, RESULT_MISSING)
    try:
        status, score, resolved, total = _mapped(_object(_document(path)), series)
    except _Malformed:
        return _outcome("failed", 0.0, 0, 0, RESULT_MALFORMED)
    return _outcome(status, score, resolved, total, None)


def _outcome(
    status: Literal["completed", "failed"], score: float, resolved: int, total: int, reason_code: str | None
) -> Outcome:
    printed = {"reason_code": reason_code, "resolved": resolved, "score": score, "status": status, "total": total}
    line = f"BASE_BENCHMARK_RESULT={json.dumps(printed, sort_keys=True)}"
    return Outcome(status=status, score=score, resolved=resolved, total=total, reason_code=reason_code, line=line)


def _mapped(document: dict[str, Any], series: Series) -> tuple[Literal["completed", "failed"], float, int, int]:
    stats = _object(document.get("stats", {}))
    planned = _count(document.get("n_total_trials"), series)
    completed = _count(stats.get("n_completed_trials"), series)
    errored = _count(stats.get("n_errored_trials"), series)
    score = _score(_object(stats.get("evals", {})).values(), series)
    # The product is with the trials that were planned, also where the total has to be put together.
    return "failed" if errored else "completed", score, _resolved(score, planned), planned or completed + errored


def _score(groups: Iterable[Any], series: Series) -> float:
    """The mean of all metric values, each with the same weight."""
    metrics = [metric for group in groups for metric in _metrics(_object(group))]
    values = [_value(value, series) for metric in metrics for value in _counting(metric)]
    return exact_sum(values, series) / len(values) if values else 0.0


def _metrics(group: dict[str, Any]) -> list[dict[str, Any]]:
    metrics = group.get("metrics", [])
    if isinstance(metrics, list):
        return [_object(metric) for metric in metrics]
    if metrics in ("", {}):  # nothing to go through in these either
        return []
    raise _Malformed


def _counting(metric: dict[str, Any]) -> Iterable[Any]:
    """The values of a metric that count: its mean, or else all of them."""
    return [metric["mean"]] if "mean" in metric else metric.values()


def _resolved(score: float, planned: int) -> int:
    """Their product, rounded half to even."""
    try:
        product = score * planned
    except OverflowError:  # more trials than a double can count
        raise _Malformed from None
    if not math.isfinite(product):
        raise _Malformed
    return round(product)


def _count(value: Any, series: Series) -> int:
    """A number of trials. What is absent or empty counts as 0, and a fraction is cut off."""
    if not value:
        return 0
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return math.trunc(value)
    if isinstance(value, str):
        try:
            return python_int(value, series)
        except ValueError:
            raise _Malformed from None
    raise _Malformed


def _value(value: Any, series: Series) -> float:
    """A metric value as a float."""
    try:
        if isinstance(value, str):
            return python_float(value, series)
        if isinstance(value, int | float):
            return float(value)
    except (ValueError, OverflowError):  # no number, or an int beyond the largest double
        pass
    raise _Malformed


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise _Malformed


def _document(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        raise _Malformed from None
