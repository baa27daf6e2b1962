"""Tests that a rule is found although documents are cut off or missing, as other Harbor releases may leave them."""

from typing import Any

import pytest

from parity.operations.answers import Value
from parity.operations.compare import Difference
from parity.operations.goldens import read_vectors
from parity.operations.rules import candidate_rules

_TRIALS = ("trials", "task-1__early00")


@pytest.mark.parametrize(
    ("difference", "rule"),
    [
        (Difference((*_TRIALS, "result"), "text", '{"id": ', ""), "run-job/trials"),
        (Difference((*_TRIALS, "calls"), "length", [[]], [[], []]), "run-job/retry-limit"),
        (Difference((*_TRIALS, "calls", 1, 0, "start", "at"), "bits", 2.0, 1.0), "run-job/waits"),
    ],
)
@pytest.mark.parametrize("files", [{}, {"result.json": '{"id": ', "config.json": "{"}])
def test_rule_on_a_job_is_found(files: dict[str, Any], difference: Difference, rule: str) -> None:
    """A rule is found although a trial's result is a string, and the job's documents are cut off or missing."""
    (vector,) = (vector for vector in read_vectors("run_job") if vector.id == "run-job/resume-kept/one")
    trial = {"calls": [[]], "result": '{"id": ', "files": {}}

    named = next(
        candidate_rules("run_job", vector.case, difference, Value({"trials": {_TRIALS[1]: trial}, "files": files}))
    )

    assert named.slug == rule


@pytest.mark.parametrize("result", ["", None])
def test_rule_on_a_trial_is_found(result: str | None) -> None:
    """A rule is found although the trial's result is cut off or missing."""
    vector = read_vectors("run_trial")[0]
    answer = Value({"calls": [{"start": {}}], "result": result, "files": {"verifier/reward.txt": "1"}})

    named = next(candidate_rules("run_trial", vector.case, Difference(("files",), "type", {}, None), answer))

    assert named.slug == "run-trial/files"
