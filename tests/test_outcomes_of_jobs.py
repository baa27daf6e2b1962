"""From rewards to the printed line: the outcomes of drawn jobs, whose stats the wheel writes.

No wheel decides `outcome`. Here the line is computed from the numbers in the wheel's text, as the scoring description
says.
"""

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import assume, given, settings

from parity.operations.answers import Value
from parity.operations.job_stats.strategies import finished_jobs
from parity.reference import open_reference
from parity.runners.asking import ask
from parity.scorer import Job, outcome

_WHEEL = open_reference().wheel
_NOTHING = {"status": "failed", "score": 0.0, "resolved": 0, "total": 0, "reason_code": "harbor_result_malformed"}


def _outcome_of(planned: int, stats: dict[str, Any]) -> dict[str, Any]:
    metrics = [metric for group in stats["evals"].values() for metric in group["metrics"]]
    numbers = [number for metric in metrics for number in ([metric["mean"]] if "mean" in metric else metric.values())]
    if None in numbers or not math.isfinite(planned * (score := sum(map(float, numbers)) / max(1, len(numbers)))):
        return _NOTHING  # Harbor writes nan and infinities as null
    status = "failed" if stats["n_errored_trials"] else "completed"
    total = planned or stats["n_completed_trials"] + stats["n_errored_trials"]
    return {"status": status, "score": score, "resolved": round(score * planned), "total": total, "reason_code": None}


@settings(max_examples=300)
@given(job=finished_jobs)
def test_from_rewards_to_the_line(job: Job) -> None:
    """The outcome of a job, and the line that prints it, have the numbers of the wheel's result.json."""
    stats = ask(_WHEEL, "job_stats", (job,))
    assume(isinstance(stats, Value))
    assert isinstance(stats, Value)
    expected = _outcome_of(job.total, json.loads(str(stats.value)))

    with TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        result.write_text(f'{{"n_total_trials": {job.total}, "stats": {stats.value}}}', encoding="utf-8")
        actual = outcome(result)

    assert actual == {**expected, "line": f"BASE_BENCHMARK_RESULT={json.dumps(expected, sort_keys=True)}"}
