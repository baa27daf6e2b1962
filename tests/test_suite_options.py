"""Tests for the options of the suite, in whole runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kept_cases import cases_of
from tests.main_job import MainJob
from tests.running import ROOT, Run


@pytest.mark.parametrize("option", ["--report=report.json", "--write-divergences=declared.toml"])
def test_collection_alone_has_no_verdict(tmp_path: Path, run: Run, option: str) -> None:
    """With `--co`, the tests are listed, no verdict is given, and nothing is written."""
    ran = run("--pyargs", "parity", "--co", "-q", "-k", "aggregate", option)

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout
    assert "test_aggregate.py::test_golden" in ran.stdout
    assert "verdict" not in ran.stdout
    assert "not asked" not in ran.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runner", "no.such:Runner"], "--runner no.such:Runner: ModuleNotFoundError: No module named 'no'"),
        (["--reference", "/nowhere/python"], "the reference does not start: /nowhere/python: no such program"),
        (["--replay", "nothing.json"], "nothing.json: No such file or directory"),
        (["--seed", "one"], "'one' is not a whole number of 0 or more"),
        (["--profile", "slow"], "invalid choice: 'slow'"),
        (["--case-timeout", "1e6"], "'1e6' is too long; give less than 1,000,000 seconds"),
        (["--case-timeout", "0"], "'0' is not a number of seconds above 0"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_mistake_on_the_command_line_is_a_usage_error(run: Run, arguments: list[str], message: str) -> None:
    """A mistake on the command line is reported without a traceback, with pytest's exit code for wrong usage."""
    ran = run("--pyargs", "parity", *arguments)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_only_the_seed_decides_the_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed draws the same cases, whatever the hash seed, the directory and the runner's code."""
    (tmp_path / "mine.py").write_text(
        "from parity.runners import CleanRoom\nclass Mine(CleanRoom):\n    name = 'mine'\n"
        + "".join(f"    n{number} = {number}.5 + {number}\n" for number in range(1000, 1300))
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(tmp_path)]))
    directories = iter(range(4))

    def drawn(hash_seed: str, cwd: Path, seed: str, *options: str) -> list[str]:
        directory = tmp_path / f"cases-{next(directories)}"
        directory.mkdir()
        monkeypatch.setenv("PARITY_KEPT_CASES", str(directory))
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)  # the interpreter reads this variable when it starts
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.kept_cases", "-q"]
        selected = ["--pyargs", "parity", "--profile", "quick", "-k", "test_keys or test_reward_txt"]
        subprocess.run([*command, *selected, "--seed", seed, *options], cwd=cwd, check=True)
        kept = [*cases_of(directory, "aggregate", "test_keys"), *cases_of(directory, "read_reward", "test_reward_txt")]
        return [repr(case.question) for case in kept]

    cases = drawn("0", tmp_path, "7")
    assert len(cases) > 70
    assert cases == drawn("1", ROOT, "7")
    assert cases == drawn("0", tmp_path, "7", "--runner", "mine:Mine")
    assert cases != drawn("0", tmp_path, "8")


def test_main_job_agrees(main_job: MainJob) -> None:
    """In the main job, the runner agrees: in the terminal and in the report."""
    assert main_job.exit_code == pytest.ExitCode.OK
    assert main_job.report.final.verdict == "agrees"
    assert "failed" not in main_job.printed
