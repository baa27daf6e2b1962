"""Runs with declared divergences pass as long as everything is as declared; otherwise they name the line to change."""

import re
from pathlib import Path

import pytest

from parity.suite.declared import read_declarations
from tests.declared.runs import run


def test_the_draft(drafted: Path) -> None:
    """A draft says which runner scores differently from which Harbor, and names the broken rule of each entry."""
    text = drafted.read_text()

    entries = read_declarations(drafted)

    assert text.startswith("# Where AddsOneByOne scores otherwise than harbor 0.13.1.\n\n[[divergence]]\n")
    assert {entry.operation for entry in entries} == {"aggregate"}
    assert {entry.class_ for entry in entries} == {"to-fix"}
    assert any(entry.reason.startswith("summation/compensated: another number at ") for entry in entries)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_all_stands(declared: Path, workers: str) -> None:
    """If all answers are as declared, the run passes, also with workers, and the summary says so."""
    done = run(declared.parent, "--divergences", "declared.toml", "-n", workers)

    assert done.returncode == 0, done.stdout
    assert re.search(r"^aggregate .* diverges as declared in [\d,]+ cases, else agrees$", done.stdout, re.MULTILINE)


def test_an_answer_moves(declared: Path) -> None:
    """If the runner's answer to a witness changes, the run fails, and prints the corrected line of the file."""
    lines = declared.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("runner = "))
    right, wrong = lines[number], re.sub(r'"f64":"\w{16}"', '"f64":"4059000000000000"', lines[number])
    declared.write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :], ""]))

    done = run(declared.parent, "--divergences", "declared.toml")

    shown = done.stdout.splitlines()
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    where = shown.index(f"  if this is intended, change declared.toml:{number + 1} to:")
    assert shown[where + 1].strip() == right
    assert "AddsOneByOne now answers the witness with" in shown[where - 1]


def test_the_reference_moves(declared: Path) -> None:
    """If the reference's answer to a witness changes, the run fails, and prints the corrected line."""
    lines = declared.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("reference = "))
    right, wrong = lines[number], re.sub(r'"f64":"\w{16}"', '"f64":"4059000000000000"', lines[number])
    declared.write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :], ""]))

    done = run(declared.parent, "--divergences", "declared.toml", "-k", "declared")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "  the reference now answers the witness with {" in done.stdout
    assert f"  {right}" in done.stdout


def test_a_mended_runner(declared: Path) -> None:
    """If a witness no longer diverges, the run fails, and says to remove the entry."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="clean-room")

    entries = read_declarations(declared)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^STALE DECLARATION", done.stdout, re.MULTILINE)) == len(entries)
    assert "clean-room answers the witness as harbor does" in done.stdout
    assert "  remove the entry at declared.toml:3, or give it another witness" in done.stdout


def test_more_than_is_declared(declared: Path) -> None:
    """A divergence outside all regions fails the run."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="tests.declared.runs:AlsoCallsTheKeyMax")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "DIVERGENCE in aggregate" in done.stdout
    assert "STALE" not in done.stdout


def test_revised(declared: Path) -> None:
    """Drafting again keeps the classes and reasons of entries that still diverge."""
    text = declared.read_text().replace('class = "to-fix"', 'class = "by-design"', 1)
    declared.write_text(re.sub(r'reason = ".*"', 'reason = "it is faster"', text, count=1))

    refused = run(declared.parent, "--write-divergences", "declared.toml")
    done = run(declared.parent, "--write-divergences", "declared.toml", "--divergences", "declared.toml")

    entries = read_declarations(declared)
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "declared.toml is there; to revise it, give it with --divergences, too, or remove it" in refused.stderr
    assert done.returncode == 0
    assert [entry.reason for entry in entries if entry.class_ == "by-design"] == ["it is faster"]


def test_revised_by_a_short_run(declared: Path) -> None:
    """Drafting again in a short run keeps undrawn entries, whose witnesses diverge, and reports fixed ones."""
    before = declared.read_text()
    revise = ["--write-divergences", "declared.toml", "--divergences", "declared.toml"]

    done = run(declared.parent, *revise, "-k", "declared or reason_code")
    again = declared.read_text()
    mended = run(declared.parent, *revise, "-k", "declared or reason_code", runner="clean-room")

    names = [entry.name for entry in read_declarations(declared)]
    assert (done.returncode, again) == (0, before), done.stdout
    assert "dropped" not in done.stdout
    assert (mended.returncode, names) == (0, []), mended.stdout
    assert (
        "declared.toml: dropped aggregate[inexact-sum] other-value, because the runner answers its wit" in mended.stdout
    )
    assert " its witness as harbor does: to-fix: summation/compensated: " in mended.stdout


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-n", "2"], "--write-divergences sees the whole run: leave out -n"),
        (["--tx", "1*popen", "--dist", "load"], "--write-divergences sees the whole run: leave out -n"),
        (["--replay", "case.json"], "--write-divergences needs what the suite finds: leave out --replay"),
        (["--report", "report.json"], "so there is nothing to --report"),
    ],
)
def test_no_draft(options: list[str], complaint: str, tmp_path: Path) -> None:
    """A draft is refused in a partial run, with workers, or with other options that it does not fit."""
    done = run(tmp_path, "--write-divergences", "declared.toml", *options)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert complaint in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("", "name a file, not a folder"),
        (".", "name a file, not a folder"),
        ("nowhere/declared.toml", "there is no folder /"),
    ],
)
def test_no_place_for_a_draft(place: str, why: str, tmp_path: Path) -> None:
    """A place where no file can be written is refused before anything runs."""
    done = run(tmp_path, "--write-divergences", place)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"--write-divergences {place!r}: no file can be written there: {why}" in done.stderr
