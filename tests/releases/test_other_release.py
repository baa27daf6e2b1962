"""Tests of runs against a release other than 0.13.1.

They imitate such a release by 0.13.1 itself, changed to report another version and to lack an operation.
"""

import json
from pathlib import Path

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.goldens import read_vectors
from parity.operations.series import running_series
from parity.reference.separate import bootstrap
from parity.runners import CleanRoom, Unsupported
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.golden_vectors import check_vectors
from parity.suite.records import Question
from tests.faulty.aggregate.sums import AddsOneByOne
from tests.running import PYTHON, Run

_SERVER = """
import runpy
from dataclasses import replace

runpy.run_path({bootstrap!r})["import_kit"]()
from parity import reference
from parity.reference import wheel
from parity.reference.separate.server import serve

known = reference.read_identity
reference.read_identity = lambda release: replace(known(release), harbor="9.9")
wheel.lacking_operations = lambda release: {{"pass_at_k": f"harbor {{release}} has no pass@k"}}
serve()
"""


@pytest.fixture
def python(tmp_path: Path) -> str:
    """Return the path of an interpreter whose Harbor reports the version 9.9."""
    server, interpreter = tmp_path / "server.py", tmp_path / "python"
    server.write_text(_SERVER.format(bootstrap=bootstrap.__file__))
    interpreter.write_text(f"#!/bin/sh\nexec {PYTHON} -P -X utf8 {server}\n")
    interpreter.chmod(0o755)
    return str(interpreter)


def test_operation_that_the_release_lacks_is_not_claimed(python: str, tmp_path: Path, run: Run) -> None:
    """Summary and report list an operation that the release lacks as not claimed, and checks for 0.13.1 are skipped."""
    asked = ("-k", "aggregate or pass_at_k or smoke or manifest", "--profile", "quick")
    record = tmp_path / "record.json"

    ran = run("--pyargs", "parity", *asked, "--reference", python, "--report", str(record), "-rs")

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout + ran.stderr
    lines = [line.strip("= ") for line in ran.stdout.splitlines()]
    lack = "not claimed by the reference (harbor 9.9 has no pass@k)"
    assert "parity: clean-room against harbor 9.9" in lines
    assert f"{lack}: pass_at_k" in lines
    assert "vectors: harbor 9.9 was asked for each; the recorded answers are of harbor 0.13.1" in lines
    assert "the recorded answers are of harbor 0.13.1" in ran.stdout
    operations = {each["name"]: each["verdict"] for each in json.loads(record.read_text())["operations"]}
    assert operations["aggregate"] == "agrees"
    assert operations["pass_at_k"] == lack


def _check(reference: CleanRoom) -> Checker:
    checker = Checker(reference, CleanRoom(), Clock(Clock.DEFAULT), goldens_count=False)
    check_vectors(AGGREGATE, checker, running_series())
    return checker


def test_runner_is_compared_with_the_answers_of_the_release() -> None:
    """A runner fails a vector if it returns the recorded answer, but the release answers differently."""
    with pytest.raises(ExceptionGroup) as caught:
        _check(AddsOneByOne())

    assert "golden vectors of aggregate" in str(caught.value)


def test_vectors_that_the_release_cannot_answer_are_counted() -> None:
    """Vectors that the release cannot answer are counted by reason, and not as checked vectors."""

    class LacksMetrics(CleanRoom):
        def aggregate(self, *_: object) -> dict[str, int | float]:
            raise Unsupported("it has no metrics")

    counts = _check(LacksMetrics()).run.counts

    reason = "it has no metrics"
    expected = Question("vector", "unanswered", AGGREGATE.name, reason=reason)
    assert counts == {expected: len(read_vectors(AGGREGATE.name))}
