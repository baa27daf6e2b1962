"""A runner with several faults: each broken rule is told once, in one short report, and counted alike everywhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity.command import main
from parity.judging.records import Report
from parity.report.reading import read_report
from tests.faulty.attempts import EmptyNamesCount, HalfIsEnough
from tests.faulty.files import EmptyIsParseError, MissingIsZero
from tests.faulty.reason_codes import NoTextIsMalformed
from tests.faulty.sums import AddsOneByOne

_ROOT = Path(__file__).resolve().parent.parent
_MOST_LINES, _MOST_OF_A_RULE = 80, 10


class SixFaults(EmptyIsParseError, MissingIsZero, AddsOneByOne, EmptyNamesCount, HalfIsEnough, NoTextIsMalformed):
    """Is wrong in six ways, in four operations."""


def _run(folder: Path, *options: str) -> str:
    selected = "read_reward or aggregate or pass_at_k or reason_code"
    command = [sys.executable, "-m", "pytest", "--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider"]
    runner = ["-k", selected, "--runner", f"{__name__}:SixFaults", "--report", "report.json", *options]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "COLUMNS": "120"}
    return subprocess.run([*command, *runner], capture_output=True, text=True, cwd=folder, env=environment).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the suite has been run."""
    folder = tmp_path_factory.mktemp("six")
    (folder / "printed.txt").write_text(_run(folder))
    return folder


@pytest.fixture
def printed(folder: Path) -> str:
    """What the run printed."""
    return (folder / "printed.txt").read_text()


@pytest.fixture
def report(folder: Path) -> Report:
    """What it reported."""
    return read_report(folder / "report.json")


def _told(printed: str) -> str:
    """The section that tells of divergences."""
    found = re.search(r"^=+ divergences =+\n(.*?)^=+ parity: ", printed, re.DOTALL | re.MULTILINE)
    assert found
    return re.sub(r"/parity-\w+/", "/parity-…/", found[1])  # where the files of a case lay


def _count(words: str) -> int:
    """How many rules a sentence counts, grade by grade."""
    return sum(int(count) for count in re.findall(r"(\d+) (?:rules? )?(?:pay|withh|hide|invent|differ)", words))


def test_a_rule_is_told_once(printed: str, report: Report) -> None:
    """Whatever the number of tests that find it; in few lines, with one line for each failed test, at the end."""
    told = _told(printed)
    broken = [rule.slug for rule in report.rules if rule.verdict == "diverges"]
    failed = re.findall(r"^FAILED \S+ - diverges: ", printed, re.MULTILINE)

    assert len(broken) >= 6
    assert [slug for slug in broken if len(re.findall(rf"^  (?:rule +)?{slug}: ", told, re.MULTILINE)) < 1] == []
    assert [slug for slug in broken if len(re.findall(rf"^  rule +{slug}: ", told, re.MULTILINE)) > 1] == []
    assert "other tests" in told
    assert len(told.splitlines()) <= _MOST_LINES
    assert max(len(block.splitlines()) for block in told.split("\n\n")) <= _MOST_OF_A_RULE
    assert "= FAILURES =" not in printed
    assert len(failed) == printed.count("\nFAILED ") > 6


def test_one_count_everywhere(printed: str, report: Report, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Summary, record, headline of the page, matrix and badge count the same rules."""
    rows = re.findall(r"^\w+ +[\d,]+ +[\d,]+ +[\d,]+  diverges: (.*)$", printed, re.MULTILINE)
    path = str(folder / "report.json")
    main(["report", path, "-o", str(folder / "page.html")])
    main(["report", path])
    headline = re.search(r'<h1 class="headline.*?</h1>', (folder / "page.html").read_text())
    matrix = capsys.readouterr().out

    assert headline
    counts = {
        "table": sum(map(_count, rows)),
        "page": _count(headline[0]),
        "matrix": _count(matrix.splitlines()[-1].partition(" (")[0]),
        "cells": matrix.count("✗"),
        "final": sum(report.final.harms.values()),
        "divergences": len({each.rule for each in report.divergences}),
    }
    assert set(counts.values()) == {report.final.rules}, counts


def test_the_worst_comes_first(printed: str, report: Report) -> None:
    """What pays out stands before what withholds, and so on, in the terminal as in the record."""
    grades = re.findall(r"^DIVERGENCE in \w+ \((.*?)\)", printed, re.MULTILINE)
    order = ["pays out", "withholds", "hides failure", "invents failure", "last bits", "form"]

    assert grades == sorted(grades, key=order.index)
    assert grades[0] == "pays out"
    assert report.divergences[0].harm == "pays-out"


def test_workers_tell_the_same(printed: str, tmp_path: Path) -> None:
    """The blocks are printed once, by the process that adds up what the workers found."""
    spread = _run(tmp_path, "-n", "2")

    assert _told(spread) == _told(printed)
