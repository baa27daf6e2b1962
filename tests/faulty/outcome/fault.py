"""What faulty runners have in common that map result.json to an outcome wrong."""

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import Outcome
from tests.faulty.fault import Answer, json_document

type Metric = dict[str, Any]


def remade(answer: Outcome, **fields: Any) -> Outcome:
    """An outcome with some fields changed, and the line that belongs to it."""
    others = {key: value for key, value in {**answer, **fields}.items() if key != "line"}
    return {**others, "line": f"BASE_BENCHMARK_RESULT={json.dumps(others, sort_keys=True)}"}  # type: ignore[typeddict-item]


def metrics_by_group(document: Any) -> list[list[Metric]] | None:
    """The metrics of each group, where they are well-formed."""
    try:
        groups = document["stats"]["evals"].values()
        return [[dict(metric.items()) for metric in group["metrics"]] for group in groups]
    except (TypeError, KeyError, AttributeError):
        return None


def instead(right: CleanRoom, result: Path, document: Any) -> Outcome:
    """The right outcome of another document; an ellipsis leaves it as it is."""
    return right.outcome(result) if document is ... else of_content(right, json.dumps(document).encode())


def of_content(right: CleanRoom, content: bytes) -> Outcome:
    """The right outcome of a file with this content."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_bytes(content)
        return right.outcome(path)


def in_outcome(change: Callable[[Outcome], Outcome]) -> Answer:
    """The right outcome changed."""

    @wraps(change)
    def outcome(right: CleanRoom, result: Path) -> Outcome:
        return change(right.outcome(result))

    return outcome


def each_count(change: Callable[[Any], Any]) -> Answer:
    """The right outcome with every count changed, where there is one."""

    @wraps(change)
    def outcome(right: CleanRoom, result: Path) -> Outcome:
        document = json_document(result)
        stats = document.get("stats", {}) if isinstance(document, dict) else None
        if not isinstance(stats, dict):
            return right.outcome(result)
        for holder, name in ((document, "n_total_trials"), (stats, "n_completed_trials"), (stats, "n_errored_trials")):
            if name in holder:
                holder[name] = change(holder[name])
        return instead(right, result, document)

    return outcome


def each_metric(change: Callable[[Metric], Metric]) -> Answer:
    """The right outcome with every metric changed, where all are well-formed."""

    @wraps(change)
    def outcome(right: CleanRoom, result: Path) -> Outcome:
        document = json_document(result)
        groups = metrics_by_group(document)
        if groups is None:
            return right.outcome(result)
        for group, metrics in zip(document["stats"]["evals"].values(), groups, strict=True):
            group["metrics"] = list(map(change, metrics))
        return instead(right, result, document)

    return outcome


def another_mean(mean: Callable[[list[list[list[float]]]], float]) -> Answer:
    """The right outcome with another mean; given the values by group and metric, where all are finite floats."""

    @wraps(mean)
    def outcome(right: CleanRoom, result: Path) -> Outcome:
        answer = right.outcome(result)
        groups = [
            [[metric["mean"]] if "mean" in metric else list(metric.values()) for metric in metrics]
            for metrics in metrics_by_group(json_document(result)) or []
        ]
        values = [value for group in groups for metric in group for value in metric]
        plain = values and all(type(value) in (int, float) and abs(value) < 1e300 for value in values)
        if answer["reason_code"] is not None or not plain or answer["total"] > 10**6:
            return answer
        score = mean([[[float(value) for value in metric] for metric in group if metric] for group in groups])
        return remade(answer, score=score, resolved=answer["resolved"] and round(score * answer["total"]))

    return outcome
