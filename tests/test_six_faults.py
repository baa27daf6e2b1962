"""Tests that for a runner with six faults, each broken rule is shown once, and all counts are equal."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from parity.command import main
from parity.runners import CleanRoom
from parity.suite.records import Report
from parity.suite.report.reading import read_report
from tests.faulty.aggregate.sums import AddsOneByOne
from tests.faulty.pass_at_k.attempts import EmptyNamesCount, HalfIsEnough
from tests.faulty.read_reward.files import EmptyIsParseError, MissingIsZero
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parent.parent


class _NoTextIsMalformed(CleanRoom):
    """A runner that gives a reason code to an error without a message."""

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text) if text else "harbor_reward_parse_error"


_FAULTS = (EmptyIsParseError, MissingIsZero, AddsOneByOne, EmptyNamesCount, HalfIsEnough, _NoTextIsMalformed)
SixFaults = type("SixFaults", _FAULTS, {"__module__": __name__})
"""A runner with six faults in four operations."""


def _run(directory: Path, *options: str) -> str:
    # Tests that take long to shrink are left out, and so are most vectors.
    selected = "read_reward and not golden or aggregate and (test_keys or golden) or pass_at_k or reason_code"
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider", "-k", selected)
    runner = ("--runner", f"{__name__}:SixFaults", "--report", "report.json", *options)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "COLUMNS": "120"}
    return run_pytest(*suite, *runner, cwd=directory, environment=environment).stdout


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory in which the suite was run."""
    directory = tmp_path_factory.mktemp("six")
    (directory / "printed.txt").write_text(_run(directory))
    return directory


@pytest.fixture
def printed(directory: Path) -> str:
    """Return the output of the run."""
    return (directory / "printed.txt").read_text()


@pytest.fixture
def report(directory: Path) -> Report:
    """Return the report of the run."""
    return read_report(directory / "report.json")


def _divergences_section(printed: str) -> str:
    """Return the divergences section in the output."""
    match = re.search(r"^=+ divergences =+\n(.*?)^=+ parity: ", printed, re.DOTALL | re.MULTILINE)
    assert match
    return re.sub(r"/parity-\w+/", "/parity-…/", match[1])  # the directory with the files of a case


def _count(words: str) -> int:
    """Return the sum of the numbers of rules in a sentence, over all harms."""
    return sum(int(count) for count in re.findall(r"(\d+) (?:rules? )?(?:pay|withh|hide|invent|differ)", words))


def test_output_is_short(printed: str) -> None:
    """The output has at most 80 lines, and one for root on file modes, and none of pytest's lines for failed tests."""
    assert len([line for line in printed.splitlines() if "they need file modes" not in line]) <= 80
    assert "= FAILURES =" not in printed
    assert "\nFAILED " not in printed


def test_counts_are_equal_everywhere(
    printed: str, report: Report, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The summary, the record and `parity report` have the same number of rules."""
    rows = re.findall(r"^\w+ +[\d,]+ +[\d,]+ +[\d,]+  diverges: (.*)$", printed, re.MULTILINE)
    main(["report", str(directory / "report.json")])
    shown = capsys.readouterr().out

    counts = {
        "table": sum(map(_count, rows)),
        "line": _count(shown.splitlines()[-1].partition(" (")[0]),
        "rules": shown.count("✗"),
        "final": sum(report.final.harms.values()),
        "divergences": len({each.rule for each in report.divergences}),
    }
    assert set(counts.values()) == {report.final.rules}, counts


def test_report_with_workers_is_the_same(printed: str, report: Report, tmp_path: Path) -> None:
    """With workers, the same cases are drawn, each is counted once, and the output and the report are the same."""
    spread = _run(tmp_path, "-n", "2")

    assert _divergences_section(spread) == _divergences_section(printed)
    assert _comparable(read_report(tmp_path / "report.json")) == _comparable(report)


def _comparable(report: Report) -> tuple[Report, object]:
    """Return a report without its time and the divergences without messages, which have temporary paths."""
    divergences = [
        (each.rule, each.kind, each.harm, each.vector, each.case, each.runner) for each in report.divergences
    ]
    return replace(report, started_at="", divergences=()), divergences
