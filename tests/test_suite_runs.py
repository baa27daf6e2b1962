"""Tests for whole runs of the suite: verdicts on unruly runners, replays, and an installed copy."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import ROOT, Run

_UNRULY = "tests.faulty.unruly"
_QUICK = ("--pyargs", "parity", "--profile", "quick", "-k")


def test_rare_fault_is_reported_as_not_repeatable(run: Run) -> None:
    """A fault that occurs rarely is found, shown with its distance, and marked as not repeatable."""
    ran = run(*_QUICK, "test_numbers", "--runner", f"{_UNRULY}:OneUlpInAHundred", "-v")

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"\b[12] ULP apart", ran.stdout)
    assert "asked the same again, the runner answered differently" in ran.stdout
    assert "Flaky" not in ran.stdout


def test_run_that_ends_early_agrees_so_far(run: Run) -> None:
    """If a run ends early, the verdict on an operation without divergences is that it agrees so far."""
    ran = run(*_QUICK, "test_keys or (reason_code and golden)", "--runner", f"{_UNRULY}:Exits", "-x")

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"aggregate .*  agrees so far, as the run did not get to its end$", ran.stdout, re.MULTILINE)


def test_failure_in_the_kit_gives_no_verdict(tmp_path: Path, run_process: Run) -> None:
    """If a test fails without a divergence, the verdict is undecided, with a different exit code."""
    (tmp_path / "broken.py").write_text(
        "from parity.operations import PASS_AT_K\nobject.__setattr__(PASS_AT_K, 'compare', lambda *answers: 1 / 0)\n"
    )
    ran = run_process(*_QUICK, "test_attempts", "-p", "broken")

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: a test failed for another reason than a difference between runner and reference" in ran.stdout
    assert "undecided: 1 test failed" in ran.stdout
    assert "ZeroDivisionError" in ran.stdout


def test_unclaimed_cases_are_counted(run: Run) -> None:
    """Missing methods and declined cases are counted as not claimed."""
    ran = run(*_QUICK, "test_which_file_counts or aggregate or pass_at_k", "--runner", f"{_UNRULY}:Partial")

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout
    assert re.search(r"read_reward +[\d,]+ +[\d,]+ +[\d,]+  agrees where claimed; [\d,]+ not claimed", ran.stdout)
    assert re.search(r"^not claimed: aggregate, pass_at_k, ", ran.stdout, re.MULTILINE)
    assert "conforms" not in ran.stdout


def test_replay_asks_one_case(run: Run) -> None:
    """The replay command in a report runs the same case again, and passes with a correct runner."""
    runner = f"{_UNRULY}:WrongKind"
    reported = run(*_QUICK, "test_which_file_counts", "--runner", runner)
    (path,) = re.findall(rf"replay +pytest --pyargs parity --replay (\S+) --runner\s+{runner}", reported.stdout)

    wrong = run("--pyargs", "parity", "--replay", path, "--runner", runner)
    right = run("--pyargs", "parity", "--replay", path)

    assert wrong.returncode == pytest.ExitCode.TESTS_FAILED
    assert "ValueError instead of RewardFileNotFoundError" in wrong.stdout
    assert re.search(r"^not asked: aggregate, ", wrong.stdout, re.MULTILINE)
    assert "undecided" not in wrong.stdout
    assert right.returncode == pytest.ExitCode.OK
    assert re.search(r"read_reward +1 +1 +0  agrees", right.stdout)


@pytest.mark.parametrize("strict", ["ini", "python -W"])
def test_strict_warning_filters_change_no_answer(tmp_path: Path, strict: str) -> None:
    """A project's warning filters change neither the runner's import nor its answers."""
    (tmp_path / "mine.py").write_text(
        f"import warnings\nfrom {_UNRULY} import Warns as Mine\nwarnings.warn('imported')\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n" if strict == "ini" else "[pytest]\n")
    command = [sys.executable, *(["-W", "error"] if strict != "ini" else []), "-m", "pytest", "-p", "no:cacheprovider"]
    suite = ["--pyargs", "parity", "--profile", "quick", "-k", "test_which_file_counts", "--runner", "mine:Mine"]

    run = subprocess.run([*command, *suite], capture_output=True, text=True, cwd=tmp_path)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "DeprecationWarning: old" in run.stdout
    assert "UserWarning: imported" in run.stderr


def test_project_with_the_kit_in_its_environment_does_not_run_the_suite(tmp_path: Path) -> None:
    """A project whose directory contains its virtual environment does not run the suite among its own tests."""
    shutil.copytree(ROOT / "parity", tmp_path / ".venv" / "parity", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    pass\n")
    program = "import sys; sys.path.insert(0, '.venv'); import pytest; sys.exit(pytest.main(sys.argv[1:]))"

    run = subprocess.run(
        [sys.executable, "-c", program, "-p", "no:cacheprovider"], capture_output=True, text=True, cwd=tmp_path
    )

    assert run.returncode == pytest.ExitCode.OK
    assert "against harbor" not in run.stdout
