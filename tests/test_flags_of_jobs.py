"""Flags of jobs that other releases of Harbor answer otherwise: they may leave what an earlier run has left."""

from typing import Any

import pytest

from parity.operations.answers import Value
from parity.operations.run_job.flags import FLAGS_OF_JOBS
from parity.operations.scenarios.known_flags import FlagsOfScenarios
from parity.operations.scenarios.wire import encode_job
from parity.operations.vectors import VECTORS

_CUT = "run-job/resume-damaged/trial-result-cut"


@pytest.mark.parametrize("files", [{}, {"result.json": '{"id": '}])
def test_a_document_that_is_cut(files: dict[str, Any]) -> None:
    """A trial's, which is text then, and the job's, which may not be there."""
    (vector,) = (vector for vector in VECTORS["run_job"] if vector.id == _CUT)
    trials = {"task-1__early00": {"calls": [], "result": '{"id": ', "files": {}}}
    flags = FlagsOfScenarios(FLAGS_OF_JOBS._flags, FLAGS_OF_JOBS._run, encode_job)

    flags.remember(vector.case, Value({"trials": trials, "files": files}))

    assert {"earlier", "earlier-damaged"} <= flags.of(vector.case)
