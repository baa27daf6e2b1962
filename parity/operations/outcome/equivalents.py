"""Equivalent cases of `outcome`. Attribution asks a runner for them to find out which rule it breaks."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from parity.operations.outcome.case import ResultFile


def _result(change: Callable[[Any], Any]) -> Callable[[ResultFile], ResultFile]:
    def changed(case: ResultFile) -> ResultFile:
        try:
            document = change(json.loads(case.state.content))
        except (ValueError, ArithmeticError, RecursionError, AttributeError, TypeError):
            return case
        return replace(case, state=replace(case.state, content=json.dumps(document).encode()))

    return changed


def _with_counts(change: Callable[[Any], Any]) -> Callable[[ResultFile], ResultFile]:
    def changed(document: dict[str, Any]) -> dict[str, Any]:
        stats = document.get("stats", {})
        counts = {name: change(stats.get(name)) for name in ("n_completed_trials", "n_errored_trials")}
        planned = change(document.get("n_total_trials"))
        return {**document, "n_total_trials": planned, "stats": {**stats, **counts}}

    return _result(changed)


def _plain_count(count: Any) -> Any:
    return int(count) if isinstance(count, bool | float | str) and count else count


def _with_metrics(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[ResultFile], ResultFile]:
    def changed(document: dict[str, Any]) -> dict[str, Any]:
        stats = document["stats"]
        groups = {
            key: {**group, "metrics": [change(metric) for metric in group["metrics"]]}
            for key, group in stats["evals"].items()
        }
        return {**document, "stats": {**stats, "evals": groups}}

    return _result(lambda document: changed(document) if _has_all_members(document) else document)


def _has_all_members(document: Any) -> bool:
    groups = document.get("stats", {}).get("evals", {})
    return bool(groups) and all(isinstance(group.get("metrics"), list) for group in groups.values())


def _mean_alone(metric: dict[str, Any]) -> dict[str, Any]:
    return {"mean": metric["mean"]} if "mean" in metric else metric


def _plain_values(metric: dict[str, Any]) -> dict[str, Any]:
    return {key: float(value) if isinstance(value, bool | str) else value for key, value in metric.items()}


EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    "outcome/duplicate-key": _result(lambda document: document),
    "outcome/falsy-count": _with_counts(lambda count: count or 0),
    "outcome/count": _with_counts(_plain_count),
    "outcome/mean-key": _with_metrics(_mean_alone),
    "outcome/metric-value": _with_metrics(_plain_values),
}
"""For each rule, a function that turns a case into another one whose answer is the same because of this rule."""
