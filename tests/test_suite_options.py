"""The options of the suite, in whole runs."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from parity.suite.report.reading import read_report
from tests.kept_cases import cases_of
from tests.main_job import MainJob
from tests.suite_runs import ROOT, UNRULY, run_suite


@pytest.mark.parametrize("option", ["--report=report.json", "--write-divergences=declared.toml"])
def test_what_is_only_collected_has_no_verdict(replays: Path, option: str) -> None:
    """`--co` lists the tests, gives no verdict, and writes nothing."""
    run = run_suite("--pyargs", "parity", "--co", "-q", "-k", "aggregate", option, cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "test_aggregate.py::test_golden" in run.stdout
    assert "verdict" not in run.stdout
    assert "not asked" not in run.stdout
    assert list(replays.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runner", "nowhere"], "--runner takes clean-room or package.module:name, not 'nowhere'"),
        (["--runner", "no.such:Runner"], "--runner no.such:Runner: ModuleNotFoundError: No module named 'no'"),
        (["--runner", f"{UNRULY}:Missing"], f"module '{UNRULY}' has no attribute 'Missing'"),
        (["--runner", f"{UNRULY}:broken_maker"], "RuntimeError: the maker is broken"),
        (["--runner", f"{UNRULY}:not_a_runner"], "a runner has a name, and int has none"),
        (["--runner", f"{UNRULY}:Unsupported"], "a runner has a name, and Unsupported has none"),
        (["--runner", f"{UNRULY}:ShadyName"], f"--runner {UNRULY}:ShadyName: RuntimeError: no name"),
        (["--replay", "nothing.json"], "nothing.json: No such file or directory"),
        (["--seed", "one"], "'one' is not a whole number of 0 or more"),
        (["--profile", "slow"], "invalid choice: 'slow'"),
        (["--case-timeout", "1e6"], "'1e6' is too long; give less than 1,000,000 seconds"),
        (["--case-timeout", "0"], "'0' is not a number of seconds above 0"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_mistakes_on_the_command_line(replays: Path, arguments: list[str], message: str) -> None:
    """A mistake on the command line gives one line and pytest's exit code for wrong usage."""
    run = run_suite("--pyargs", "parity", *arguments, cwd=replays)

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_a_damaged_replay_file(replays: Path) -> None:
    """A damaged replay file gives a message with the fault."""
    for content, message in {
        "{": "not JSON",
        "[]": "not a replay file",
        '{"format": 1}': "does not match its sha256",
        '{"format": 1, "x": 1e999}': "not JSON",
    }.items():
        (replays / "bad.json").write_text(content)

        run = run_suite("--pyargs", "parity", "--replay", "bad.json", cwd=replays)

        assert run.returncode == pytest.ExitCode.USAGE_ERROR
        assert f"bad.json: {message}" in run.stderr.replace("the content ", "")


def test_workers_add_up(replays: Path) -> None:
    """With workers, the same cases are drawn and counted once."""
    some = "golden and (aggregate or pass_at_k) or test_keys or test_attempts or test_reward_txt"
    selected = ("--pyargs", "parity", "--profile", "quick", "-k", some)
    alone = run_suite(*selected, "--report", "alone.json", cwd=replays)
    spread = run_suite(*selected, "-n", "2", "--report", "spread.json", cwd=replays)

    def table(run: subprocess.CompletedProcess[str]) -> list[str]:
        return re.findall(r"^(?:read_reward|aggregate|pass_at_k).*$", run.stdout, re.MULTILINE)

    assert alone.returncode == spread.returncode == pytest.ExitCode.OK
    assert table(alone) == table(spread)
    assert len(table(alone)) == 3
    one, other = (read_report(replays / name) for name in ("alone.json", "spread.json"))
    assert one == replace(other, started_at=one.started_at)


def test_the_same_seed_draws_the_same(replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed draws the same cases, whatever the hash seed, the folder and the runner's code are."""
    (replays / "mine.py").write_text(
        "from parity.runners import CleanRoom\nclass Mine(CleanRoom):\n    name = 'mine'\n"
        + "".join(f"    n{number} = {number}.5 + {number}\n" for number in range(1000, 1300))
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(replays)]))
    folders = iter(range(4))

    def drawn(hash_seed: str, cwd: Path, seed: str, *options: str) -> list[str]:
        folder = replays / f"cases-{next(folders)}"
        folder.mkdir()
        monkeypatch.setenv("PARITY_KEPT_CASES", str(folder))
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)  # an interpreter reads it when it starts
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.kept_cases", "-q"]
        selected = ["--pyargs", "parity", "--profile", "quick", "-k", "test_keys or test_reward_txt"]
        subprocess.run([*command, *selected, "--seed", seed, *options], cwd=cwd, check=True)
        kept = [*cases_of(folder, "aggregate", "test_keys"), *cases_of(folder, "read_reward", "test_reward_txt")]
        return [repr(case.question) for case in kept]

    cases = drawn("0", replays, "7")
    assert len(cases) > 70
    assert cases == drawn("1", ROOT, "7")
    assert cases == drawn("0", replays, "7", "--runner", "mine:Mine")
    assert cases != drawn("0", replays, "8")


def test_the_default_profile(main_job: MainJob) -> None:
    """The main job agrees, in the terminal and in its report."""
    assert main_job.exit_code == pytest.ExitCode.OK
    assert main_job.report.final.verdict == "agrees"
    assert "failed" not in main_job.printed
