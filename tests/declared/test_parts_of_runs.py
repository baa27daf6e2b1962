"""Declared divergences in runs of a part of the suite or of the operations, and in replays."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.aggregate import AggregateCase
from parity.operations.answers import NotClaimed, Value
from parity.operations.wire import Json
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.declared import Declarations, read_declarations
from parity.suite.declared.declaration import stands
from parity.suite.plugin.profiles import PROFILES
from parity.suite.plugin.session import Session
from parity.suite.replay import write_replay
from parity.suite.tally import Tally
from tests.declared.runs import run


def test_a_part_of_a_draft(declared: Path) -> None:
    """Drafting again from a part of the suite leaves the other entries unchanged."""
    before = read_declarations(declared)
    part = ["-k", "reason_code", "--write-divergences", "./declared.toml", "--divergences", str(declared)]

    done = run(declared.parent, *part)

    after = read_declarations(declared)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(each.name, each.reason, each.reference, each.runner) for each in after] == [
        (each.name, each.reason, each.reference, each.runner) for each in before
    ]


def test_an_operation_that_is_not_claimed(declared: Path) -> None:
    """If the runner no longer claims the operation of a declaration, the run fails and names it."""
    done = run(declared.parent, "--divergences", "declared.toml", runner="tests.declared.runs:OnlyReasons")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "STALE DECLARATION aggregate[" in done.stdout
    assert "only-reasons does not answer the witness: it has no aggregate" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_witness_that_nobody_can_judge(declared: Path) -> None:
    """If the reference cannot answer a witness, the test is skipped, and the summary says so."""
    silent = "from parity.operations.answers import NotClaimed\nfrom parity.suite.checker import Checker\n"
    silent += "Checker.ask_reference = lambda checker, operation, question: NotClaimed('not installed')\n"
    (declared.parent / "silent.py").write_text(silent)

    done = run(declared.parent, "--divergences", "declared.toml", "-p", "silent", "-k", "declared")

    assert done.returncode == 0, done.stdout
    assert f"{len(read_declarations(declared))} skipped" in done.stdout
    assert "declared, but compared with nothing: aggregate[inexact-sum] other-value: not installed" in done.stdout


def test_replayed(declared: Path) -> None:
    """A replay passes in a declared region, and fails elsewhere."""
    witness = read_declarations(declared)[0].witness
    outside = AggregateCase("max", ({"reward": 1.0},))
    inside, beside = (
        str(write_replay("aggregate", OPERATIONS["aggregate"].encode(case), Value(None), declared.parent))
        for case in (witness, outside)
    )
    options = ["-k", "replay", "--divergences", "declared.toml", "--replay", inside]
    runner = "tests.declared.runs:AlsoCallsTheKeyMax"

    passes = run(declared.parent, *options, runner=runner)
    fails = run(declared.parent, *options, "--replay", beside, runner=runner)

    assert passes.returncode == 0, passes.stdout
    assert re.search("^aggregate .* diverges as declared in 1 case,", passes.stdout, re.MULTILINE)
    assert fails.returncode == pytest.ExitCode.TESTS_FAILED
    assert len(re.findall("^DIVERGENCE in", fails.stdout, re.MULTILINE)) == 1


@pytest.mark.parametrize("shown", [{"value": {"sum": {"int": "1"}}}, {"crash": True}])
def test_no_answer_stands_for_none(shown: Json) -> None:
    """An unclaimed case confirms no declared answer."""
    assert not stands(OPERATIONS["aggregate"], AggregateCase("sum", ()), shown, NotClaimed("not installed"))


def _session(declarations: Declarations, profile: str = "default") -> Session:
    """Return a session of the clean-room runner that has asked nothing yet."""
    nobody: Any = None
    checker = Checker(CleanRoom(), CleanRoom(), Clock(1.0), declarations=declarations)
    return Session(nobody, checker, "clean-room", [], PROFILES[profile], 0, [], Path())


def test_a_region_without_cases(drafted: Path) -> None:
    """An entry without divergent cases is unmatched, whichever process counted; a quick run reports none."""
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
    """A run of the whole suite fails, and names the entry, if nothing diverged in a declared region."""
    small = "from parity.suite.plugin import hooks, profiles\n"
    small += "hooks.select = lambda tests, *_: hooks.Selection((), () if any(map(hooks.draws, tests)) else None)\n"
    small += "profiles.PROFILES['default'] = profiles.Profile('default', 'for a test', 0.005)\n"
    (declared.parent / "small.py").write_text(small)
    options = ["--divergences", "declared.toml", "-p", "small", "--profile", "default"]

    done = run(declared.parent, *options, "-k", "test_attempts or declared")
    partial = run(declared.parent, *options, "-k", "declared")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert f" {1 + len(read_declarations(declared))} passed" in done.stdout
    first = read_declarations(declared)[0].name
    shown = f"declared, but no case diverged so: {first}; remove the entry at declared.toml:3"
    assert f"{shown}, or widen declared.toml:5: flags = [" in done.stdout
    assert partial.returncode == 0, partial.stdout
