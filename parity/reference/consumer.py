"""The reference of `outcome` and `reason_code`: the consumer in the scoring description.

No wheel implements these two operations: Harbor writes result.json and error messages, and its users map them. This
module implements sections 1.4 and 5 of the description with the interpreter's own `json`, `int`, `float`, `sum` and
`round`, which fail on malformed input. The clean-room scorer shares nothing with it, and decides by explicit rules.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_CODES = (("missing", "missing"), ("empty", "empty"), ("parse", "parse_error"), ("malformed", "parse_error"))


class DescribedConsumer:
    """Maps Harbor's result.json and error messages as the scoring description says."""

    def outcome(self, result: Path) -> dict[str, Any]:
        """Return the five fields, and the line that prints them."""
        fields = _fields_of(result)
        return {**fields, "line": f"BASE_BENCHMARK_RESULT={json.dumps(fields, sort_keys=True)}"}

    def reason_code(self, text: str | None) -> str | None:
        """Return the code of the first decisive word that the text contains, if it also contains `reward`; else
        None.
        """
        lowered = "" if text is None else text.lower()
        codes = (f"harbor_reward_{code}" for word, code in _CODES if word in lowered)
        return next(codes, None) if "reward" in lowered else None


def _fields_of(result: Path) -> dict[str, Any]:
    if not result.exists():
        return _nothing("missing")
    try:
        return _Result(json.loads(result.read_text())).fields()
    except Exception:
        return _nothing("malformed")


def _nothing(why: str) -> dict[str, Any]:
    return {"status": "failed", "score": 0.0, "resolved": 0, "total": 0, "reason_code": f"harbor_result_{why}"}


class _Result:
    """A result.json; each member is used without a check, and a wrong one raises."""

    def __init__(self, document: Any) -> None:
        self._planned = int(document.get("n_total_trials") or 0)
        self._stats = document.get("stats", {})

    def fields(self) -> dict[str, Any]:
        numbers = list(self._numbers())
        score = sum(numbers) / len(numbers) if numbers else 0.0
        completed, errored = self._count("completed"), self._count("errored")
        return {
            "status": "failed" if errored else "completed",
            "score": score,
            "resolved": round(score * self._planned),
            "total": self._planned or completed + errored,
            "reason_code": None,
        }

    def _count(self, kind: str) -> int:
        return int(self._stats.get(f"n_{kind}_trials") or 0)

    def _numbers(self) -> Iterator[float]:
        """Yield the numbers of the score: of each metric `mean` if it has that key, else all its values."""
        groups = self._stats.get("evals", {})
        for metric in (metric for group in groups.values() for metric in group.get("metrics", [])):
            yield from map(float, (metric["mean"],) if "mean" in metric else metric.values())
