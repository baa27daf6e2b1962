"""What faulty runners have in common that map result.json to an outcome wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.scorer import Outcome
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
