"""Runs with declared divergences: they pass as long as all stands as declared, and say which line to change if not."""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from parity.judging.checking import Checker
from parity.judging.declared import Declarations, read_declarations
from parity.judging.declared.declaration import Declaration, stands
from parity.judging.replay import write_replay
from parity.judging.tally import Tally
from parity.operations import OPERATIONS
from parity.operations.aggregate import AggregateCase
from parity.operations.answers import Crash, NotClaimed, Value
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.wire import Json
from parity.pytest_plugin.profiles import PROFILES
from parity.pytest_plugin.session import Session
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from tests.faulty.sums import AddsOneByOne
from tests.forked_suite import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_FAULTY = "tests.faulty.sums:AddsOneByOne"


class AlsoCallsTheKeyMax(AddsOneByOne):
    """Has another fault beside the declared one."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        found = super().aggregate(metric, rewards)
        return {"maximum": found["max"]} if list(found) == ["max"] else found


class OnlyReasons:
    """Claims nothing that is declared."""

    name = "only-reasons"

    def reason_code(self, text: str | None) -> str | None:
        return None


class NamesItsOwnCodes:
    """Answers with codes that the scoring description does not know."""

    name = "names-its-own-codes"

    def reason_code(self, text: str | None) -> str | None:
        return "reward" if "reward" in (text or "").lower() else None


class HangsOnReasons(CleanRoom):
    """Gives no reason, and counts how often it was asked for one."""

    asked = 0

    def reason_code(self, text: str | None) -> str | None:
        self.asked += 1
        while True:
            sleep(0.01)


def run(folder: Path, *options: str, runner: str = _FAULTY) -> subprocess.CompletedProcess[str]:
    """Run the part of the suite that shows the faulty runner, in a folder."""
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider")
    selected = ("-k", "(aggregate and not golden) or declared", "--runner", runner)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    return run_pytest(*suite, *selected, *options, cwd=folder, environment=environment)


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that was drafted for the faulty runner."""
    folder = tmp_path_factory.mktemp("drafted")
    done = run(folder, "--write-divergences", "declared.toml")
    assert done.returncode == 0, done.stdout
    assert re.search(
        r"^declared.toml: \d+ declared divergences; say why each is there, and pass it with --divergences$",
        done.stdout,
        re.MULTILINE,
    )
    return folder / "declared.toml"


@pytest.fixture
def declared(drafted: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    copy = tmp_path / "declared.toml"
    copy.write_text(drafted.read_text())
    return copy


def test_the_draft(drafted: Path) -> None:
    """It says who scores otherwise than whom, and for each region which rule is broken and how."""
    text = drafted.read_text()

    entries = read_declarations(drafted)

    assert text.startswith("# Where AddsOneByOne scores otherwise than harbor 0.13.1.\n\n[[divergence]]\n")
    assert {entry.operation for entry in entries} == {"aggregate"}
    assert {entry.class_ for entry in entries} == {"to-fix"}
    assert any(entry.reason.startswith("summation/compensated: another number at ") for entry in entries)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_all_stands(declared: Path, workers: str) -> None:
    """The run passes, with workers too, and says that the runner diverges as declared."""
    done = run(declared.parent, "--divergences", "declared.toml", "-n", workers)

    assert done.returncode == 0, done.stdout
    assert re.search(r"^aggregate .* diverges as declared in [\d,]+ cases, else agrees$", done.stdout, re.MULTILINE)


def test_an_answer_moves(declared: Path) -> None:
    """Where an answer is another than declared, the line to change is printed, and changing it mends the run."""
    lines = declared.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("runner = "))
    right, wrong = lines[number], re.sub(r'"f64":"\w{16}"', '"f64":"4059000000000000"', lines[number])
    declared.write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :], ""]))

    done = run(declared.parent, "--divergences", "declared.toml")

    shown = done.stdout.splitlines()
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    where = shown.index(f"  if that is meant to be, change declared.toml:{number + 1} to:")
    assert shown[where + 1].strip() == right
    assert "AddsOneByOne now answers the witness with" in shown[where - 1]


def test_the_reference_moves(declared: Path) -> None:
    """The same holds for the reference's answer."""
    lines = declared.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("reference = "))
    right, wrong = lines[number], re.sub(r'"f64":"\w{16}"', '"f64":"4059000000000000"', lines[number])
    declared.write_text("\n".join([*lines[:number], wrong, *lines[number + 1 :], ""]))

    done = run(declared.parent, "--divergences", "declared.toml", "-k", "declared")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "  the reference now answers the witness with {" in done.stdout
    assert f"  {right}" in done.stdout


def test_a_mended_runner(declared: Path) -> None:
    """Where the witness no longer diverges, the entry is to go."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="clean-room")

    entries = read_declarations(declared)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^STALE DECLARATION", done.stdout, re.MULTILINE)) == len(entries)
    assert "clean-room answers the witness as harbor does" in done.stdout
    assert "  remove the entry at declared.toml:3, or give it another witness" in done.stdout


def test_more_than_is_declared(declared: Path) -> None:
    """A divergence outside of all regions fails as ever."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="tests.declared.test_runs:AlsoCallsTheKeyMax")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "DIVERGENCE in aggregate" in done.stdout
    assert "STALE" not in done.stdout


def test_revised(declared: Path) -> None:
    """Drafting again keeps the classes and reasons of the entries that are still there."""
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
    """Witnesses are asked, so an entry of which a short run draws no case stays; one that is mended is reported."""
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
        (["--generate-only"], "--write-divergences needs what the suite finds: leave out --generate-only"),
        (["--replay", "case.json"], "--write-divergences needs what the suite finds: leave out --replay"),
        (["--report", "report.json"], "so there is nothing to --report"),
    ],
)
def test_no_draft(options: list[str], complaint: str, tmp_path: Path) -> None:
    """A draft needs the whole run, in one process, and gives no verdict."""
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
    """Where no file can be written is said before anything runs."""
    done = run(tmp_path, "--write-divergences", place)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"--write-divergences {place!r}: no file can be written there: {why}" in done.stderr


def test_a_part_of_a_draft(declared: Path) -> None:
    """What a part of the suite did not see stays as it was, under whatever name the file is given."""
    before = read_declarations(declared)
    part = ["-k", "reason_code", "--write-divergences", "./declared.toml", "--divergences", str(declared)]

    done = run(declared.parent, *part)

    after = read_declarations(declared)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(each.name, each.reason, each.reference, each.runner) for each in after] == [
        (each.name, each.reason, each.reference, each.runner) for each in before
    ]


def test_an_operation_that_is_not_claimed(declared: Path) -> None:
    """A runner that no longer answers the witnesses is named, and not asked."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="tests.declared.test_runs:OnlyReasons")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "STALE DECLARATION aggregate[" in done.stdout
    assert "only-reasons does not answer the witness: it has no aggregate" in done.stdout
    assert "Traceback" not in done.stdout


def test_what_the_runner_alone_is_held_to(tmp_path: Path) -> None:
    """It is drafted and declared as all else is, where no reference is asked."""
    options = ["--divergences", "declared.toml", "-k", "codes_are_from"]
    mine = "tests.declared.test_runs:NamesItsOwnCodes"

    drafted = run(tmp_path, "--write-divergences", "declared.toml", "-k", "codes_are_from", runner=mine)
    declared = run(tmp_path, *options, runner=mine)
    (tmp_path / "declared.toml").write_text("")
    undeclared = run(tmp_path, *options, runner=mine)

    assert drafted.returncode == 0, drafted.stdout
    assert declared.returncode == 0, declared.stdout
    assert undeclared.returncode == pytest.ExitCode.TESTS_FAILED
    assert "NOT AS DESCRIBED" in undeclared.stdout


def test_a_hang_of_the_runner_alone_is_not_repeated() -> None:
    """In one test it costs its time limit once, and where it is declared never."""
    runner = HangsOnReasons()
    checker = Checker(runner, runner, Clock(0.1))
    declared = Declaration(
        "reason_code", frozenset(), "no-answer", None, "to-fix", "why", ErrorText(None), None, {"crash": True}, Path()
    )
    sparing = Checker(runner, runner, Clock(0.1), declarations=Declarations((declared,)))

    with checker.clock.installed():
        answers = [checker.ask_alone(REASON_CODE, ErrorText("x")) for _ in range(3)]
    answers += [sparing.ask_alone(REASON_CODE, ErrorText("x"))]

    assert [type(answer) for answer in answers] == [Crash, NotClaimed, NotClaimed, NotClaimed]
    assert runner.asked == 1


def test_a_witness_that_nobody_can_judge(declared: Path) -> None:
    """Where the reference has no answer here, the entry is not said to stand, and the summary says so."""
    silent = "from parity.operations.answers import NotClaimed\nfrom parity.judging.checking import Checker\n"
    silent += "Checker.ask_reference = lambda checker, operation, question: NotClaimed('not installed')\n"
    (declared.parent / "silent.py").write_text(silent)

    done = run(declared.parent, "--divergences", "declared.toml", "-p", "silent", "-k", "declared")

    assert done.returncode == 0, done.stdout
    assert f"{len(read_declarations(declared))} skipped" in done.stdout
    assert "declared, but compared with nothing: aggregate[inexact-sum] other-value: not installed" in done.stdout


def test_replayed(declared: Path) -> None:
    """A replay passes where the run would: in a region that is declared, and nowhere else."""
    witness = read_declarations(declared)[0].witness
    outside = AggregateCase("max", ({"reward": 1.0},))
    inside, beside = (
        str(write_replay("aggregate", OPERATIONS["aggregate"].encode(case), Value(None), declared.parent))
        for case in (witness, outside)
    )
    options = ["-k", "replay", "--divergences", "declared.toml", "--replay", inside]
    runner = "tests.declared.test_runs:AlsoCallsTheKeyMax"

    passes = run(declared.parent, *options, runner=runner)
    fails = run(declared.parent, *options, "--replay", beside, runner=runner)

    assert passes.returncode == 0, passes.stdout
    assert re.search("^aggregate .* diverges as declared in 1 cases", passes.stdout, re.MULTILINE)
    assert fails.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^DIVERGENCE in", fails.stdout, re.MULTILINE)) == 1


@pytest.mark.parametrize("shown", [{"value": {"sum": {"int": "1"}}}, {"crash": True}])
def test_no_answer_stands_for_none(shown: Json) -> None:
    """What was declared is not confirmed by nobody's answer."""
    assert not stands(OPERATIONS["aggregate"], AggregateCase("sum", ()), shown, NotClaimed("not installed"))


def _session(declarations: Declarations, profile: str = "default") -> Session:
    """A session of the clean-room runner, which has asked nothing yet."""
    nobody: Any = None
    checker = Checker(CleanRoom(), CleanRoom(), Clock(1.0), declarations=declarations)
    return Session(nobody, checker, "clean-room", [], PROFILES[profile], 0, [], Path())


def test_a_region_without_cases(drafted: Path) -> None:
    """An entry in whose region nothing diverged is known, whichever process counted; a quick run decides nothing."""
    drawn = read_declarations(drafted)[0]
    missed, unjudged = (replace(drawn, flags=frozenset({flag})) for flag in ("ints-only", "no-keys"))
    declarations = Declarations((drawn, missed, unjudged))
    worker = Tally()
    worker.operations["aggregate"].regions[drawn.name] += 1
    worker.operations["aggregate"].unjudged[f"{unjudged.name}: not installed"] += 1

    session, quick = _session(declarations), _session(declarations, "quick")
    for each in (session, quick):
        each.tally.add(worker.to_plain())

    assert session.unmatched() == [missed]
    assert quick.unmatched() == []


def test_a_complete_run_without_cases(declared: Path) -> None:
    """A run of the whole suite fails where nothing diverged in a region, and names the entry."""
    small = "from parity.judging import tally\nfrom parity.pytest_plugin import profiles, suite\n"
    small += "suite.is_complete = lambda selected, collected, shards: any(map(suite.draws, selected))\n"
    small += "tally.Tally.missing_flags = lambda counted, operation: []\n"
    small += "profiles.PROFILES['default'] = profiles.Profile('default', 'for a test', 0.005)\n"
    (declared.parent / "small.py").write_text(small)
    options = ["--divergences", "declared.toml", "-p", "small", "--profile", "default"]

    done = run(declared.parent, *options, "-k", "error_texts or declared")
    partial = run(declared.parent, *options, "-k", "declared")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert f" {1 + len(read_declarations(declared))} passed" in done.stdout
    first = read_declarations(declared)[0].name
    shown = f"declared, but no case diverged so: {first}; remove the entry at declared.toml:3"
    assert f"{shown}, or widen declared.toml:5: flags = [" in done.stdout
    assert partial.returncode == 0, partial.stdout
