"""Tests that a run passes if all divergences are as declared, and that it otherwise states what to change."""

import re
from pathlib import Path

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import NotClaimed, Value
from parity.suite.checker import Checker
from parity.suite.declared import read_declarations
from parity.suite.replay import write_replay
from tests.declared.runs import options
from tests.running import Run

_COMPENSATED = "summation/compensated"
_DECLARED = ("--divergences", "declared.toml")
_REVISE = ("--write-divergences", "declared.toml", *_DECLARED)


def test_draft_has_an_entry_for_each_broken_rule(drafted: Path) -> None:
    """A draft names the runner and the release of Harbor, and has an entry for each broken rule."""
    printed = drafted.with_name("printed").read_text()
    entries = read_declarations(drafted)

    begin = "# Where AddsOneByOne scores otherwise than harbor 0.13.1.\n\n[[divergence]]\n"
    line = r"^declared.toml: \d+ declared divergences from \d seeds; say why each is there, and pass it with --div"
    compensated = [entry for entry in entries if entry.rule == _COMPENSATED]
    assert drafted.read_text().startswith(begin)
    assert re.search(line, printed, re.MULTILINE)
    assert {(entry.operation, entry.class_) for entry in entries} == {("aggregate", "to-fix")}
    assert any(entry.reason.startswith("another number at ") for entry in compensated)
    assert any("summation/compensated/ten-tenths/mean" in (entry.vectors or ()) for entry in compensated)


@pytest.mark.usefixtures("declared")
def test_run_that_diverges_as_declared_passes(run: Run) -> None:
    """If all answers are as declared, the run passes, and the summary says so."""
    done = run(*options(*_DECLARED))

    assert done.returncode == 0, done.stdout
    assert re.search(r"^aggregate .* diverges as declared in [\d,]+ cases, else agrees$", done.stdout, re.MULTILINE)


def test_run_of_a_mended_runner_fails(declared: Path, run: Run) -> None:
    """If a declared case no longer diverges, the run fails and says to remove its entry, but the operation agrees."""
    done = run(*options(*_DECLARED, runner="clean-room"))

    entries = read_declarations(declared)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^STALE DECLARATION", done.stdout, re.MULTILINE)) == len(entries)
    assert "clean-room answers the witness as harbor does" in done.stdout
    assert "  remove the entry at declared.toml:3, or give it another witness" in done.stdout
    assert re.search(r"^aggregate .* agrees$", done.stdout, re.MULTILINE)


def test_draft_is_revised(declared: Path, run: Run) -> None:
    """Drafting again without generated cases keeps class and reason of each entry whose witness still diverges."""
    text = declared.read_text().replace('class = "to-fix"', 'class = "by-design"', 1)
    declared.write_text(re.sub(r'reason = ".*"', 'reason = "it is faster"', text, count=1))
    before = declared.read_text()

    refused = run(*options("--write-divergences", "declared.toml"))
    revised = run(*options(*_REVISE, "-k", "declared or reason_code"))
    again = declared.read_text()
    mended = run(*options(*_REVISE, "-k", "declared or reason_code", runner="clean-room"))

    dropped = r"^declared.toml: dropped summation/compensated .*, because its witness agrees: "
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "declared.toml exists; to revise it, give it with --divergences, too, or remove it" in refused.stderr
    assert (revised.returncode, again) == (0, before), revised.stdout
    assert "dropped" not in revised.stdout
    assert (mended.returncode, read_declarations(declared)) == (0, ()), mended.stdout
    assert re.search(dropped, mended.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["declared.toml", "-p", "xdist", "-n", "2"], "--write-divergences needs the run in one process: leave out -n"),
        (["declared.toml", "--replay", "case.json"], "needs the findings of the suite: leave out --replay"),
        (["declared.toml", "--report", "report.json"], "so there is nothing to --report"),
        ([""], "--write-divergences '': no file can be written there: name a file, not a directory"),
        (["."], "--write-divergences '.': no file can be written there: name a file, not a directory"),
        (["nowhere/declared.toml"], "no file can be written there: there is no directory /"),
    ],
)
def test_draft_that_cannot_be_made_is_refused(arguments: list[str], complaint: str, tmp_path: Path, run: Run) -> None:
    """A draft is refused before anything runs if it contradicts another option, or if its file cannot be written."""
    done = run(*options("--write-divergences", *arguments))

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert complaint in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_witness_is_skipped_if_the_reference_cannot_answer_it(
    declared: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the reference cannot answer any witness, the tests are skipped, and nothing is tested."""
    monkeypatch.setattr(Checker, "ask_reference", lambda *_: NotClaimed("not installed"))

    done = run(*options(*_DECLARED, "-k", "declared"))

    entries = read_declarations(declared)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout
    assert f"{len(entries)} skipped" in done.stdout
    assert f"declared, but compared with nothing: {entries[0].name}: not installed" in done.stdout
    assert f"not installed; and {len(entries) - 3} more\n" in done.stdout


def test_replay_of_a_declared_divergence_passes(declared: Path, run: Run) -> None:
    """A replay of a declared divergence passes, and a replay of an undeclared one fails."""
    witness = next(each for each in read_declarations(declared) if each.rule == _COMPENSATED)
    outside = AggregateCase("max", ({"reward": 1.0},))
    inside, beside = (
        str(write_replay("aggregate", AGGREGATE.encode(case), Value(None), declared.parent))
        for case in (witness.case, outside)
    )
    replay = options("-k", "replay", *_DECLARED, "--replay", inside, runner="tests.declared.runs:AlsoCallsTheKeyMax")

    passes, fails = run(*replay), run(*replay, "--replay", beside)

    assert passes.returncode == 0, passes.stdout
    assert re.search("^aggregate .* diverges as declared in 1 case,", passes.stdout, re.MULTILINE)
    assert fails.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^DIVERGENCE in", fails.stdout, re.MULTILINE)) == 1
