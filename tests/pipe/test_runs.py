"""Tests that the suite reports the same for a program as for an object, and shows the messages of the pipe."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from parity.suite.records import Report, RunnerIdentity
from parity.suite.report.reading import read_report
from tests.running import PYTHON, ROOT, run_pytest

_SUITE = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider", "-k", "read_reward and golden")
_SPEC = "tests.faulty.read_reward.files:MissingIsZero"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with reports on one faulty runner, as an object and as a program, and the program's output."""
    directory = tmp_path_factory.mktemp("runs")
    run_pytest(*_SUITE, "--runner", _SPEC, "--report", "object.json", cwd=directory)
    command = f"{PYTHON} -m parity serve {_SPEC}"
    run = run_pytest(*_SUITE, "--runner-cmd", command, "--report", "program.json", cwd=directory)
    (directory / "printed").write_text(run.stdout)
    return directory


def _plain(report: Report) -> Report:
    """Return the report without the time and everything that depends on how the runner was started."""
    divergences = tuple(replace(each, replay="", lines=None, raised=()) for each in report.divergences)
    return replace(report, started_at="", runner=RunnerIdentity("", "", None, None), divergences=divergences)


def test_program_and_object_have_the_same_report(directory: Path) -> None:
    """The reports on the program and the object have the same cases, comparisons, divergences and rules."""
    as_object, as_program = (_plain(read_report(directory / name)) for name in ("object.json", "program.json"))

    assert as_program == as_object
    assert as_object.final.verdict == "diverges"


def test_divergence_shows_the_lines_of_the_pipe(directory: Path) -> None:
    """A divergence shows the case in words, the question as it was sent, and both answers as lines."""
    printed = (directory / "printed").read_text()

    for line in (
        "vector +reward-file/missing/no-files: no files",
        r'sent +{"operation":"read_reward","input":{"directory":"[^"]+"}}',
        r'expected +{"fault":{"kind":"RewardFileNotFoundError"}}',
        r'received +{"value":{"reward":{"f64":"0000000000000000"}}}',
    ):
        assert re.search(f"^  {line}$", printed, re.MULTILINE), printed


_DECLINING = """\
from parity.runners import Unsupported

class Declining:
    name = "declining"
    def reason_code(self, text):
        raise Unsupported("not yet")
"""


@pytest.mark.parametrize("option", ["--runner", "--runner-cmd"])
def test_promised_operation_without_any_answer_is_named(tmp_path: Path, option: str) -> None:
    """If a runner claims an operation, but declines every question, the summary has a line about it."""
    (tmp_path / "declining.py").write_text(_DECLINING)
    runner = "declining:Declining" if option == "--runner" else f"{PYTHON} -m parity serve declining:Declining"
    suite = ("--pyargs", "parity", "--reference", "golden", "-p", "no:cacheprovider", "-k", "reason_code or outcome")

    run = run_pytest(
        *suite, option, runner, cwd=tmp_path, environment={**os.environ, "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    )

    line = r"^reason_code: the runner says that it answers this, but declined all [\d,]+ questions$"
    assert re.search(line, run.stdout, re.MULTILINE), run.stdout
    assert "outcome: the runner" not in run.stdout
    assert run.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
