"""Tests of the reports that real runs of the suite with `--report` write."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from parity.suite.records import Report
from parity.suite.report.reading import ReportError, read_report
from tests.report.test_record import VALIDATOR
from tests.running import Run

_SUITE = ("--pyargs", "parity", "--profile", "quick", "-k")
_FAULTY = (*_SUITE, "aggregate and (test_sizes or test_golden)", "--runner", "tests.faulty.aggregate.sums:AddsOneByOne")

_RUNNERS = """\
import os

class Partial:
    name, version, language = "partial", "1.4", "Go"
    def reason_code(self, text):
        return None

class Stopped(Partial):
    def reason_code(self, text):
        raise KeyboardInterrupt

class Killed(Partial):
    def reason_code(self, text):
        os._exit(1)
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Return the directory in which runs start, with a module of runners."""
    (tmp_path / "mine.py").write_text(_RUNNERS)
    return tmp_path


def _read(path: Path) -> Report:
    document: Any = json.loads(path.read_text())
    VALIDATOR.validate(document)
    return read_report(path)


def test_report_of_a_faulty_runner_has_the_broken_rule(directory: Path, run: Run) -> None:
    """A faulty runner's report follows the schema, and has the broken rule."""
    ran = run(*_FAULTY, "--report", "report.json")

    report = _read(directory / "report.json")
    verdicts = {rule.slug: rule.verdict for rule in report.rules}
    assert ran.returncode == report.final.exit == pytest.ExitCode.TESTS_FAILED, ran.stdout
    assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(report.started_at) < timedelta(minutes=10)
    assert report.final.verdict == "diverges"
    assert report.final.ended == "finished"
    assert verdicts["summation/compensated"] == "diverges"
    assert verdicts["summation/integers"] == "agrees"
    assert verdicts["reward-file/json-wins"] == "not-asked"
    assert "report: report.json" in ran.stdout


def test_report_of_a_partial_runner_has_its_identity(directory: Path, run: Run) -> None:
    """The report of a partial runner has its name, version and language; operations that it lacks are not claimed."""
    run(*_SUITE, "test_golden and reason_code", "--runner", "mine:Partial", "--report", "report.json")

    report = _read(directory / "report.json")
    verdicts = {rule.operation: rule.verdict for rule in report.rules}
    assert (report.runner.name, report.runner.version, report.runner.language) == ("partial", "1.4", "Go")
    assert not report.settings.complete
    assert verdicts["aggregate"] == "not-claimed"
    assert verdicts["reason_code"] in ("agrees", "diverges", "not-asked")
    assert {operation.name for operation in report.operations if operation.claimed} == {"reason_code"}


def test_report_of_an_interrupted_run_is_undecided(directory: Path, run: Run) -> None:
    """The report of an interrupted run is written, and states that the run was interrupted."""
    ran = run(*_SUITE, "reason_code", "--runner", "mine:Stopped", "--report", "report.json")

    report = _read(directory / "report.json")
    assert ran.returncode == report.final.exit == pytest.ExitCode.INTERRUPTED
    assert (report.final.verdict, report.final.ended) == ("undecided", "interrupted")


def test_killed_run_leaves_a_file_that_is_refused(
    directory: Path, run_process: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed run replaces an earlier report with a mark, which is refused as a report."""
    monkeypatch.setenv("TMPDIR", str(directory))
    (directory / "report.json").write_text("of an earlier run")

    run_process(*_SUITE, "test_golden and reason_code", "--runner", "mine:Killed", "--report", "report.json")

    with pytest.raises(ReportError, match="its final record is missing, so the run did not get to its end"):
        read_report(directory / "report.json")


@pytest.mark.parametrize(
    "options",
    [
        ["--report", "report.json", "--report", "new.json", "--report", "absent/page.json"],
        ["--report", "report.json", "--report", "new.json", "--collect-only"],
        ["--report", "report.json", "--report", "new.json", "-k", "nothing-has-this-name", "-p", "xdist", "-n", "2"],
    ],
    ids=["refused", "collected", "nothing selected by workers"],
)
def test_run_without_tests_keeps_earlier_reports(directory: Path, run_process: Run, options: list[str]) -> None:
    """A run without tests keeps earlier reports, and makes no new files."""
    (directory / "report.json").write_text("of an earlier run")

    ran = run_process(*_SUITE, "reason_code", *options)

    assert ran.returncode in (0, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert (directory / "report.json").read_text() == "of an earlier run"
    assert not (directory / "new.json").exists()
    assert "report: report.json" not in ran.stdout


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--report", "report.pdf"], "--report report.pdf: a report is written as .json; name such a file"),
        (
            ["--report", "absent/report.json"],
            "No such file or directory; name a file in a directory that can be written",
        ),
    ],
)
def test_unwritable_report_is_refused_before_the_run(
    directory: Path, run: Run, options: list[str], expected: str
) -> None:
    """A report that cannot be written is refused in one line before the run."""
    ran = run(*_SUITE, "reason_code", *options)

    (line,) = (line for line in ran.stderr.splitlines() if line)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert line.startswith("ERROR: ")
    assert line.endswith(expected)
