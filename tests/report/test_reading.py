"""Tests that reports that cannot be used are refused in one line with the remedy."""

import json
from pathlib import Path
from typing import Any

import pytest

from parity.suite.report.reading import ReportError, read_report
from parity.suite.report.report_files import to_json
from tests.report.samples import report


def _changed(place: str, value: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(report(verdict="diverges")))
    *outer, last = (int(step) if step.isdigit() else step for step in place.split("."))
    inner: Any = document
    for step in outer:
        inner = inner[step]
    if value is KeyError:
        del inner[last]
    else:
        inner[last] = value
    return document


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        ("format", 1, "a report of format 1, but this kit reads format 4"),
        ("format", True, "a report of format True, but this kit reads format 4"),
        ("format", KeyError, "not a report"),
        ("final", KeyError, "its final record is missing, so the run did not get to its end"),
        ("final", None, "not a report: final must be an object"),
        ("final.verdict", "fine", "not a report: final.verdict must be one of 'agrees', "),
        ("final.verdict", ["agrees"], "not a report: final.verdict must be one of 'agrees', "),
        ("final.exit", "0", "not a report: final.exit must be a whole number"),
        ("final.exit", True, "not a report: final.exit must be a whole number"),
        ("started_at", "2026-11-24T09:30:00", "not a report: started_at the time has no zone"),
        ("started_at", "yesterday", "not a report: started_at"),
        ("runner.name", None, "not a report: runner.name must be a string"),
        ("runner.nickname", "", "not a report: runner.nickname is unknown"),
        ("rules.1.slug", KeyError, r"not a report: rules.1.slug is missing"),
        ("rules.1", 7, r"not a report: rules.1 must be an object"),
        ("rules", {}, "not a report: rules must be an array"),
        ("counts.0.count", 0, r"not a report: counts.0.count must be at least 1"),
        ("final.classes", [], r"not a report: final.classes must be an object"),
        ("final.classes", {"\x1b[31m": []}, r"classes.\\x1b\[31m must be one of 'conforms', "),
        ("final.classes", {"x" * 100_000: []}, "not a report: final.classes.xxx"),
        pytest.param(
            "settings.case_timeout", 10**399, "not a report: settings.case_timeout must be a number", id="large-float"
        ),
        pytest.param("settings.seed", 10**300, "settings.seed must be a number of at most 300 digits", id="large-int"),
        ("final.rules", -1, "final.rules must be at least 0"),
        (
            "divergences.0.difference.runner.bits",
            "3FB999999999999A",
            r"difference.runner.bits must have the form \^\[0-9a-f\]\{16\}\$",
        ),
        ("divergences.0.difference.runner.bits", 0.1, "bits must be a string"),
        ("divergences.0.declared", {"class": "to-fix"}, r"not a report: divergences.0.declared.reason is missing"),
    ],
)
def test_wrong_key_of_a_report_is_named(tmp_path: Path, place: str, value: Any, expected: str) -> None:
    """If a document does not have the form of a report, the error names the wrong key."""
    path = tmp_path / "report.json"
    path.write_text(json.dumps(_changed(place, value)))

    with pytest.raises(ReportError, match=expected) as caught:
        read_report(path)

    assert caught.value.path == path
    assert caught.value.what.isprintable()
    assert len(caught.value.what) < 500


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "not JSON, or cut off"),
        (b'{"format": 4, "ki', "not JSON, or cut off"),
        (b"\xff\xfe", "not a report: not UTF-8"),
        (b"[1]", "not a report"),
        (b"[" * 200_000, "not JSON, or cut off"),
        (b'{"format": 4}', "its final record is missing"),
    ],
)
def test_file_that_is_not_a_report_is_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    """A file that is not a report is refused."""
    (tmp_path / "report.json").write_bytes(content)

    with pytest.raises(ReportError, match=expected):
        read_report(tmp_path / "report.json")


def test_directory_and_missing_file_are_refused(tmp_path: Path) -> None:
    """A directory and a missing file are refused with their reasons."""
    with pytest.raises(ReportError, match="not a regular file"):
        read_report(tmp_path)
    with pytest.raises(ReportError, match="No such file or directory"):
        read_report(tmp_path / "absent.json")
