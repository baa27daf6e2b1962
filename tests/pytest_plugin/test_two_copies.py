"""A run that loads one copy of the kit and names another one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pytest_plugin.foreign import ROOT, Run


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with another copy of the kit, whose path has a blank."""
    folder = tmp_path / "my checkout"
    shutil.copytree(ROOT / "parity", folder / "parity", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "golden").mkdir()
    (folder / "golden" / "README.md").touch()
    return folder


@pytest.mark.parametrize(
    ("named", "quoted"),
    [
        (["my checkout/parity/"], "'my checkout/parity/'"),
        (["my checkout/parity", "--profile", "quick"], "'my checkout/parity' --profile quick"),
        (["my checkout"], "'my checkout'"),
        (["--pyargs", "my checkout/parity/operations"], "--pyargs 'my checkout/parity/operations'"),
    ],
)
def test_the_other_copy_is_refused(checkout: Path, run: Run, named: list[str], quoted: str) -> None:
    """One line names both copies and how to run each, with the exit code for wrong usage."""
    ran = run("-p", "no:cacheprovider", *named)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stdout == ""
    [line] = ran.stderr.strip().splitlines()
    copies, first, second = line.split("; ")
    assert copies == (
        f"ERROR: two copies of harbor-parity: pytest has loaded {ROOT}/parity, and the command names {checkout}/parity"
    )
    assert first == "run the first with: pytest --pyargs parity"
    assert second.startswith(f"or the second with: PYTHONPATH='{checkout}' pytest ")
    assert second.endswith(quoted)


@pytest.mark.parametrize("which", ["first", "second"])
def test_the_commands_of_the_refusal_work(checkout: Path, tmp_path: Path, run: Run, which: str) -> None:
    """Each command in that line runs the suite of its copy."""
    copies = {"first": ROOT, "second": checkout}
    refusal = run("my checkout/parity/operations/reason_code").stderr
    command = refusal.partition(f"the {which} with: ")[2].partition(";")[0].strip()
    program = tmp_path / "bin" / "pytest"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m pytest "$@"\n')
    program.chmod(0o755)

    ran = subprocess.run(
        f"{command} --collect-only -q --rootdir /",
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

    collected = [Path("/", line.partition("::")[0]) for line in ran.stdout.splitlines() if "::" in line]
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert {path.is_relative_to(copies[which] / "parity" / "operations") for path in collected} == {True}


def test_a_folder_of_the_same_name_is_no_copy(tmp_path: Path, run: Run) -> None:
    """A project's own folder named parity is collected like any other."""
    (tmp_path / "tests" / "parity").mkdir(parents=True)
    (tmp_path / "tests" / "parity" / "test_own.py").write_text("def test_own(): pass\n")

    ran = run("tests/parity")

    assert ran.returncode == 0, ran.stdout + ran.stderr
