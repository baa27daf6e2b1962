"""Rules and flags of trials and jobs whose documents are cut off or missing, as other releases may leave them."""

from typing import Any

import pytest

from parity.operations.answers import Value
from parity.operations.compare import Difference
from parity.operations.goldens import read_vectors
from parity.operations.rules import candidate_rules
from parity.operations.run_job.flags import FLAGS_OF_JOBS
from parity.operations.scenarios.known_flags import FlagsOfScenarios
from parity.operations.scenarios.wire import JOB_CODEC

_RESUMED = "run-job/resume-kept/one"


@pytest.mark.parametrize("files", [{}, {"result.json": '{"id": '}])
def test_a_job(files: dict[str, Any]) -> None:
    """A job's flags are found although a trial's result is text, and the job's result is cut off or missing."""
    (vector,) = (vector for vector in read_vectors("run_job") if vector.id == _RESUMED)
    trials = {"task-1__early00": {"calls": [], "result": '{"id": ', "files": {}}}
    flags = FlagsOfScenarios(FLAGS_OF_JOBS._flags, FLAGS_OF_JOBS._run, JOB_CODEC.encode)

    flags.remember(vector.case, Value({"trials": trials, "files": files}))

    assert {"earlier", "earlier-ended"} <= flags.of(vector.case)


@pytest.mark.parametrize("result", ["", None])
def test_a_trial(result: str | None) -> None:
    """A rule is named although the reference's result.json is cut off or missing."""
    vector = read_vectors("run_trial")[0]
    call = {"start": {"call": "start", "sandbox": "trial"}}
    answer = Value({"calls": [call], "result": result, "files": {"verifier/reward.txt": "1"}})
    difference = Difference(("files",), "type", {}, None)

    rule = next(candidate_rules("run_trial", vector.case, difference, answer))

    assert rule.slug == "run-trial/files"
