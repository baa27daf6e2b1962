"""The stand-in reference of `outcome` and `reason_code`: the scoring description, executed.

No wheel implements these two: Harbor writes result.json and error messages, and whoever runs Harbor maps them.
So this is the description's sections 1.4 and 5 in the interpreter's own `json`, `int`, `float`, `sum` and
`round`, independent of the clean-room scorer. It has no authority of its own: the golden answers of these
operations are derived by hand from the description, and a run fails where it disagrees with them.
"""

import json
from pathlib import Path
from typing import Any


class Consumer:
    """Maps what Harbor leaves behind as the description says that its consumer does."""

    def outcome(self, result: Path) -> dict[str, Any]:
        """Everything that goes wrong once the file is there has one reason."""
        mapped = {"status": "failed", "score": 0.0, "resolved": 0, "total": 0, "reason_code": "harbor_result_missing"}
        if result.exists():
            try:
                mapped = _mapped(json.loads(result.read_text()))
            except Exception:
                mapped["reason_code"] = "harbor_result_malformed"
        return {**mapped, "line": f"BASE_BENCHMARK_RESULT={json.dumps(mapped, sort_keys=True)}"}

    def reason_code(self, text: str | None) -> str | None:
        """The classes of error in the order of the description; a message of several counts as the first."""
        words = str(text or "").lower()
        if words.find("reward") < 0:
            return None
        if words.find("missing") >= 0:
            return "harbor_reward_missing"
        if words.find("empty") >= 0:
            return "harbor_reward_empty"
        if max(words.find("parse"), words.find("malformed")) >= 0:
            return "harbor_reward_parse_error"
        return None


def _mapped(result: Any) -> dict[str, Any]:
    """Whatever the document holds is taken for what it should be; the interpreter complains where it is not."""
    stats, trials = result.get("stats", {}), int(result.get("n_total_trials") or 0)
    done, failed = (int(stats.get(f"n_{which}_trials") or 0) for which in ("completed", "errored"))
    numbers: list[float] = []
    for group in stats.get("evals", {}).values():
        for metric in group.get("metrics", []):
            numbers += map(float, [metric["mean"]] if "mean" in metric else metric.values())
    score = sum(numbers) / len(numbers) if numbers else 0.0
    return {
        "status": "failed" if failed != 0 else "completed",
        "score": score,
        "resolved": round(score * trials),
        "total": trials if trials != 0 else done + failed,
        "reason_code": None,
    }
