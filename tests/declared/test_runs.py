"""Tests that a run passes if all divergences are as declared, and that it otherwise states what to change."""

import re
from pathlib import Path

import pytest

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import NotClaimed, Value
from parity.operations.goldens import read_vectors
from parity.suite.checker import Checker
from parity.suite.declared import read_declarations
from parity.suite.replay import write_replay
from tests.declared.runs import options
from tests.running import Run

_COMPENSATED = "summation/compensated"
_DECLARED = ("--divergences", "declared.toml")
_REVISE = ("--write-divergences", "declared.toml", *_DECLARED)
_GOLDEN = ("-k", "aggregate and golden")


def test_draft_has_an_entry_for_each_broken_rule(drafted: Path) -> None:
    """A draft names the runner and the release of Harbor, and has an entry without a reason for each broken rule."""
    printed = drafted.with_name("printed").read_text()
    entries = read_declarations(drafted, revising=True)

    begin = "# Where AddsOneByOne scores otherwise than harbor 0.13.1.\n\n# another number at "
    line = r"^declared.toml: \d+ entries from \d seeds; say why each differs \(\d+ without a reason\), and "
    vectors = [vector for entry in entries for _, _, vector in entry.vectors()]
    assert drafted.read_text().startswith(begin)
    assert re.search(line, printed, re.MULTILINE)
    assert {(entry.class_, entry.reason, len(entry.rules)) for entry in entries} == {("to-fix", "", 1)}
    assert len({rule for entry in entries for rule in entry.rules}) == len(entries)
    assert f"{_COMPENSATED}/ten-tenths/mean" in vectors


def test_file_as_it_was_drafted_is_refused(drafted: Path, run: Run) -> None:
    """A file whose entries have no reason is refused before anything runs."""
    done = run(*options("--divergences", str(drafted)))

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.strip() == f"ERROR: {drafted}:6:1: the entry has no reason yet; say why the runner differs"


@pytest.mark.usefixtures("declared")
def test_run_that_diverges_as_declared_passes(run: Run) -> None:
    """If all divergences are declared, the run passes, and the summary says so."""
    done = run(*options(*_DECLARED))

    assert done.returncode == 0, done.stdout
    assert re.search(r"^aggregate .* diverges as declared in [\d,]+ cases, else agrees$", done.stdout, re.MULTILINE)


def test_run_of_a_mended_runner_fails(declared: Path, run: Run) -> None:
    """If nothing declared diverges, a run of the operation fails and says to remove all, but the operation agrees."""
    done = run(*options(*_DECLARED, runner="clean-room"))

    rules = [rule for entry in read_declarations(declared) for rule in entry.rules]
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert [*map(str, re.findall("^NOT AS DECLARED: (.*)", done.stdout, re.MULTILINE))] == rules
    assert "  declared as pays-out, but no longer diverges: " in done.stdout
    assert "  if this is intended, remove the entry at declared.toml:3:1" in done.stdout
    assert re.search(r"^aggregate .* agrees$", done.stdout, re.MULTILINE)


def test_operation_that_the_runner_lacks_is_refused(tmp_path: Path, run: Run) -> None:
    """A declared divergence of an operation that the runner does not have is refused."""
    row = '"pass-at-k/estimator" = { form = ["1-of-5"] }'
    text = f'[[divergence]]\nclass = "to-fix"\nreason = "x"\n[divergence.rules]\n{row}\n'
    (tmp_path / "declared.toml").write_text(text)
    (tmp_path / "small.py").write_text("class Small:\n    name = 'small'\n    def reason_code(self, text): ...\n")

    done = run(*options(*_DECLARED, runner="small:Small"))

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.strip() == (
        "ERROR: declared.toml:5:1: pass-at-k/estimator cannot diverge, because small has no pass_at_k; "
        "remove the rule, or the entry"
    )


def test_draft_is_revised(declared: Path, run: Run) -> None:
    """Drafting again keeps each entry that still diverges, and names what no longer does."""
    before = declared.read_text()

    refused = run(*options("--write-divergences", "declared.toml"))
    revised = run(*options(*_REVISE, *_GOLDEN))
    again = declared.read_text()
    mended = run(*options(*_REVISE, *_GOLDEN, runner="clean-room"))

    gone = rf"^declared.toml: {_COMPENSATED}: declared as .*, but no longer diverges: .* \(under \"adds one by one\"\)$"
    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "declared.toml exists; to revise it, give it with --divergences, too, or remove it" in refused.stderr
    assert (revised.returncode, again) == (0, before), revised.stdout
    assert "no longer diverges" not in revised.stdout
    assert (mended.returncode, read_declarations(declared)) == (0, ()), mended.stdout
    assert re.search(gone, mended.stdout, re.MULTILINE)


def test_draft_without_harbor_has_vectors_alone(declared: Path, run: Run) -> None:
    """With `--reference golden`, a draft has the golden vectors, and says that nothing else was asked."""
    done = run(*options("--write-divergences", "golden.toml", "--reference", "golden"))

    line = r"^golden.toml: \d+ entries from golden vectors alone, as harbor is not asked; say why each differs "
    entries = read_declarations(declared.with_name("golden.toml"), revising=True)
    assert done.returncode == 0, done.stdout
    assert re.search(line, done.stdout, re.MULTILINE)
    assert {each for entry in entries for each in entry.vectors()} == {
        each for entry in read_declarations(declared) for each in entry.vectors()
    }
    assert not [case for entry in entries for case in entry.cases()]


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


def test_case_without_a_reference_is_named(declared: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the reference cannot answer a declared case, the summary names it, and the run passes."""
    declared.write_text(
        declared.read_text()
        + '\n[[divergence]]\nclass = "to-fix"\nreason = "x"\n[divergence.rules]\n'
        + """"aggregate/no-trials" = { cases = { form = '{"metric":"sum","rewards":[{"b":3}]}' } }\n"""
    )
    monkeypatch.setattr(Checker, "ask_reference", lambda *_: NotClaimed("not installed"))

    done = run(*options(*_DECLARED, *_GOLDEN))

    assert done.returncode == 0, done.stdout
    assert "declared, but compared with nothing: aggregate/no-trials form: not installed" in done.stdout


def test_undeclared_generated_case_prints_its_row(declared: Path, run: Run) -> None:
    """A generated case whose rule and harm are not declared fails, and is printed with the row that declares it."""
    done = run(*options(*_DECLARED, "-k", "aggregate and not golden", runner="tests.declared.runs:AlsoCallsTheKeyMax"))

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"^  declare +\"aggregate/.*\" = { cases = { .* = '{.*}' } }$", done.stdout, re.MULTILINE), (
        done.stdout
    )


def test_replay_of_a_declared_divergence_passes(declared: Path, run: Run) -> None:
    """A replay of a declared divergence passes, and a replay of an undeclared one fails."""
    vector = next(each for each in read_vectors("aggregate") if each.id == f"{_COMPENSATED}/ten-tenths/mean")
    outside = AggregateCase("max", ({"reward": 1.0},))
    inside, beside = (
        str(write_replay("aggregate", AGGREGATE.encode(case), Value(None), declared.parent))
        for case in (vector.case, outside)
    )
    replay = options("-k", "replay", *_DECLARED, "--replay", inside, runner="tests.declared.runs:AlsoCallsTheKeyMax")

    passes, fails = run(*replay), run(*replay, "--replay", beside)

    assert passes.returncode == 0, passes.stdout
    assert re.search("^aggregate .* diverges as declared in 1 case,", passes.stdout, re.MULTILINE)
    assert fails.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^DIVERGENCE in", fails.stdout, re.MULTILINE)) == 1
