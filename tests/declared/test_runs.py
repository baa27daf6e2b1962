"""Runs with declared divergences pass as long as everything is as declared; otherwise they name the line to change."""

import re
from pathlib import Path

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Value
from parity.operations.goldens import read_vectors
from parity.suite.declared import read_declarations
from parity.suite.replay import write_replay
from tests.declared.runs import run

_COMPENSATED = "summation/compensated"


def test_the_draft(drafted: Path) -> None:
    """A draft says which runner scores differently from which Harbor, and names the broken rule of each entry."""
    text = drafted.read_text()

    entries = read_declarations(drafted)

    assert text.startswith("# Where AddsOneByOne scores otherwise than harbor 0.13.1.\n\n[[divergence]]\n")
    assert {entry.operation for entry in entries} == {"aggregate"}
    assert {entry.class_ for entry in entries} == {"to-fix"}
    compensated = [entry for entry in entries if entry.rule == "summation/compensated"]
    assert any(entry.reason.startswith("another number at ") for entry in compensated)
    assert any("summation/compensated/ten-tenths/mean" in (entry.vectors or ()) for entry in compensated)


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
    """If a witness no longer diverges, the run fails and says to remove the entry, but the operation agrees."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="clean-room")

    entries = read_declarations(declared)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^STALE DECLARATION", done.stdout, re.MULTILINE)) == len(entries)
    assert "clean-room answers the witness as harbor does" in done.stdout
    assert "  remove the entry at declared.toml:3, or give it another witness" in done.stdout
    assert re.search(r"^aggregate .* agrees$", done.stdout, re.MULTILINE)


def test_another_harm(declared: Path) -> None:
    """If a witness does another harm than is declared, the run fails, and prints the corrected line."""
    entry = next(entry for entry in read_declarations(declared) if entry.harm != "form")
    text = declared.read_text().splitlines()
    number = int(entry.at("harm").rpartition(":")[2])
    declared.write_text("\n".join([*text[: number - 1], 'harm = "form"', *text[number:], ""]))

    done = run(declared.parent, "--divergences", "declared.toml", "-k", "declared")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    change = f"  the witness now diverges by another harm; if this is intended, change declared.toml:{number} to:"
    assert f'{change}\n  harm = "{entry.harm}"' in done.stdout


@pytest.mark.parametrize("change", ["more", "fewer"])
def test_other_vectors(declared: Path, change: str) -> None:
    """If a vector that is not listed diverges, or a listed one does not, the run fails, and prints what to change."""
    entry = next(entry for entry in read_declarations(declared) if entry.vectors)
    listed = min(entry.vectors or ())
    text = declared.read_text()
    if change == "more":
        declared.write_text(text.replace(f'"{listed}"', "", 1).replace("[, ", "[").replace("    ,\n", ""))
    else:
        spare = f"{entry.rule}/" + next(
            each.id.removeprefix(f"{entry.rule}/")
            for each in read_vectors("aggregate")
            if each.rule == entry.rule and each.id not in (entry.vectors or ())
        )
        declared.write_text(text.replace(f'"{listed}"', f'"{listed}", "{spare}"', 1))

    done = run(declared.parent, "--divergences", "declared.toml", "-k", "aggregate and golden")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert f"MOVED DECLARATION {entry.name}: other golden vectors diverge so than it lists" in done.stdout
    assert ("DIVERGENCE in aggregate" in done.stdout) == (change == "more")


def test_more_than_is_declared(declared: Path) -> None:
    """A divergence that no entry declares fails the run."""
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
    assert "declared.toml exists; to revise it, give it with --divergences, too, or remove it" in refused.stderr
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
    dropped = (
        r"^declared.toml: dropped summation/compensated .*, because its witness agrees: to-fix: another number at "
    )
    assert re.search(dropped, mended.stdout, re.MULTILINE)


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
        ("", "name a file, not a directory"),
        (".", "name a file, not a directory"),
        ("nowhere/declared.toml", "there is no directory /"),
    ],
)
def test_no_place_for_a_draft(place: str, why: str, tmp_path: Path) -> None:
    """A place where no file can be written is refused before anything runs."""
    done = run(tmp_path, "--write-divergences", place)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"--write-divergences {place!r}: no file can be written there: {why}" in done.stderr


def test_an_operation_that_is_not_claimed(declared: Path) -> None:
    """If the runner no longer claims the operation of a declaration, the run fails and names it."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="tests.declared.runs:OnlyReasons")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "STALE DECLARATION summation/compensated " in done.stdout
    assert "only-reasons does not answer the witness: it has no aggregate" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_witness_that_nobody_can_judge(declared: Path) -> None:
    """If the reference cannot answer a witness, the test is skipped, and the summary says so."""
    silent = "from parity.operations.answers import NotClaimed\nfrom parity.suite.checker import Checker\n"
    silent += "Checker.ask_reference = lambda checker, operation, question: NotClaimed('not installed')\n"
    (declared.parent / "silent.py").write_text(silent)

    done = run(declared.parent, "--divergences", "declared.toml", "-p", "silent", "-k", "declared")

    entries = read_declarations(declared)
    assert done.returncode == 0, done.stdout
    assert f"{len(entries)} skipped" in done.stdout
    assert f"declared, but compared with nothing: {entries[0].name}: not installed" in done.stdout


def test_replayed(declared: Path) -> None:
    """A replay of a declared divergence passes, and any other fails."""
    witness = next(
        entry for entry in read_declarations(declared) if not entry.rule_of_witness or entry.rule == _COMPENSATED
    )
    outside = AggregateCase("max", ({"reward": 1.0},))
    inside, beside = (
        str(write_replay("aggregate", AGGREGATE.encode(case), Value(None), declared.parent))
        for case in (witness.case, outside)
    )
    options = ["-k", "replay", "--divergences", "declared.toml", "--replay", inside]
    runner = "tests.declared.runs:AlsoCallsTheKeyMax"

    passes = run(declared.parent, *options, runner=runner)
    fails = run(declared.parent, *options, "--replay", beside, runner=runner)

    assert passes.returncode == 0, passes.stdout
    assert re.search("^aggregate .* diverges as declared in 1 case,", passes.stdout, re.MULTILINE)
    assert fails.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^DIVERGENCE in", fails.stdout, re.MULTILINE)) == 1
