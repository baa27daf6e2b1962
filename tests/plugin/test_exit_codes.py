"""Tests that the exit code of a run is 1 if the runner does not agree, and in no other case."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity.command.exit_code import ExitCode, RunCode
from parity.suite.report.reading import read_report
from tests.plugin.ended_runs import NO_VERDICT, PARITY, SOME, WRONG, is_shown_in_a_line, plugin_of
from tests.running import ROOT, Run, dying_environment, run_pytest


@pytest.mark.needs("local")
def test_run_in_a_read_only_checkout_passes_with_a_warning() -> None:
    """In a read-only checkout, a run passes, with a warning that pytest's cache cannot be written."""
    sandbox = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", os.fspath(ROOT), os.fspath(ROOT)]
    command = [sys.executable, "-m", "pytest", "parity/", "--profile", "quick", "-k", "aggregate and test_keys"]

    ran = subprocess.run([*sandbox, *command, "-W", "error"], cwd=ROOT, capture_output=True, text=True)

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout + ran.stderr
    assert is_shown_in_a_line(ran, "PytestCacheWarning: c")


def test_home_is_not_needed(tmp_path: Path) -> None:
    """A run needs no home directory."""
    variables = {"PYTHONPATH": os.fspath(ROOT), "HOME": "/proc/nowhere"}

    ran = run_pytest(*SOME, cwd=tmp_path, environment=variables)

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout + ran.stderr


_LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, -1))"
"""Limits all new files to 1 MB, as on a full disk."""


def test_run_on_a_full_disk_is_refused(tmp_path: Path, run_process: Run) -> None:
    """If the disk is full, the run does not start."""
    (tmp_path / "full.py").write_text(_LIMIT)

    ran = run_process("-p", "full", *SOME)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert re.fullmatch(r"ERROR: no room for files: .*: '/.*'; free 16 MB there, or .*TMPDIR\n+", ran.stderr)


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["", "-n 1"])
def test_disk_that_fills_up_leaves_no_verdict(workers: tuple[str, ...], tmp_path: Path, run_process: Run) -> None:
    """If the disk fills up, the run ends without a verdict, because the full disk may have caused its findings."""
    plugin = plugin_of(tmp_path, "pytest_runtest_setup", _LIMIT)

    ran = run_process(*plugin, *WRONG, "--report", "report.json", *workers)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert "\nERROR: no room for files: " in ran.stdout
    assert "diverge" not in ran.stdout
    assert read_report(tmp_path / "report.json").final.verdict == "undecided"


@pytest.mark.parametrize(
    ("option", "name", "does", "line"),
    [
        ("--report", "out.json", "os.remove('out.json'); os.mkdir('out.json')", "Is a directory; the report is not"),
        ("--write-divergences", "out.toml", "os.mkdir('out.toml.new')", "out.toml cannot be written: Is a directory"),
    ],
)
def test_unwritable_output_file_leaves_no_verdict(
    option: str, name: str, does: str, line: str, tmp_path: Path, run: Run
) -> None:
    """If a report or draft cannot be written at the end, the exit code is 4."""
    plugin = plugin_of(tmp_path, "pytest_sessionfinish", f"import os; {does}")

    ran = run(*plugin, *PARITY, "-k", "reason_code and golden", option, name)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert re.search(rf"^ERROR: .*{re.escape(line)}", ran.stdout, re.MULTILINE)


def test_test_module_that_cannot_be_collected_leaves_no_verdict(tmp_path: Path, run: Run) -> None:
    """If a module of the suite's tests cannot be collected, there is no verdict."""
    (tmp_path / "theirs.py").write_text("def pytest_pycollect_makemodule(): raise RuntimeError('out of order')")

    ran = run("-p", "theirs", *SOME)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "1")], ids=["", "-n 1"])
def test_runner_without_the_selected_methods_is_not_tested(
    workers: tuple[str, ...], tmp_path: Path, run_process: Run
) -> None:
    """If the runner lacks the methods that the tests call, one line says so, and the exit code is that of no tests."""
    (tmp_path / "mine.py").write_text("class Mine:\n    name = 'mine'\n    def outcome(self, result): return {}\n")

    ran = run_process(*PARITY, "--runner", "mine:Mine", "-k", "reason_code or trial_score or manifest", *workers)

    assert ran.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, ran.stdout + ran.stderr
    reasons = "not claimed: mine has no reason_code; not claimed: mine has no trial_score"
    assert f"\nERROR: nothing is tested: {reasons}\n" in ran.stdout


def test_moved_reference_leaves_no_verdict(tmp_path: Path, run_process: Run) -> None:
    """If only the reference differs from the recorded answers, the run has no verdict on the runner."""
    (tmp_path / "moved.py").write_text(
        "from parity.operations import goldens\n"
        "from parity.suite import golden_vectors\n"
        "from parity.scorer.series import Series\n"
        "answers = dict.fromkeys(Series, {'value': {'mean': {'f64': '3fd0000000000000'}}})\n"
        "def moved(name):\n"
        "    moves = 'summation/compensated/sevens/mean'\n"
        "    return [v.with_answers(answers) if v.id == moves else v for v in goldens.read_vectors(name)]\n"
        "golden_vectors.read_vectors = moved\n"
    )

    ran = run_process("-p", "moved", *PARITY, "-k", "aggregate and golden")

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert "THE REFERENCE MOVED in aggregate" in ran.stdout
    assert "see first whether a recorded answer was edited: git diff golden" in ran.stdout


_EDITED = """
from parity.operations import goldens
read = goldens.read_manifest
def edited():
    manifest = read()
    manifest["questions"]["reason_code"] = "another hash"
    return manifest
goldens.read_manifest = edited
"""
_DAMAGED = """
from parity.operations import goldens
read = goldens.read_vectors
def damaged(operation):
    if operation == "reason_code":
        raise goldens.GoldenError("reason_code.json: damaged")
    return read(operation)
goldens.read_vectors = damaged
"""


@pytest.mark.parametrize("plugin", [_EDITED, _DAMAGED], ids=["edited", "damaged"])
def test_failing_manifest_concerns_the_operations_with_other_questions(
    plugin: str, tmp_path: Path, run_process: Run
) -> None:
    """If the questions of one operation are not those that were recorded, there is a verdict on the others."""
    (tmp_path / "theirs.py").write_text(plugin)

    ran = run_process("-p", "theirs", *PARITY, "--reference", "golden", "-k", "manifest or reason_code or outcome")

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert re.search(r"^reason_code .*  undecided: ", ran.stdout, re.MULTILINE)
    assert re.search(r"^outcome .*  agrees on vectors$", ran.stdout, re.MULTILINE)


def test_dead_worker_loses_no_divergence(tmp_path: Path) -> None:
    """If a worker dies, what its earlier tests found still counts, and is shown."""
    (tmp_path / "mine.py").write_text(
        "import os\nclass Dies:\n    name = 'dies'\n"
        "    def outcome(self, result):\n        return {'status': 'failed'}\n"
        "    def reason_code(self, text):\n        os._exit(1)\n"
    )
    options = ["-k", "outcome or reason_code", "--reference", "golden", "--runner", "mine:Dies", "-n", "1"]

    ran = run_pytest(*PARITY, *options, cwd=tmp_path, environment=dying_environment(tmp_path))

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    assert "DIVERGENCE in outcome" in ran.stdout
    assert re.search(r"^reason_code .*  undecided: 1 test failed$", ran.stdout, re.MULTILINE)


def test_dead_worker_leaves_no_verdict(tmp_path: Path) -> None:
    """If a worker dies, there is no verdict on the runner."""
    (tmp_path / "mine.py").write_text(
        "import os\nclass Dies:\n    name = 'dies'\n    def reason_code(self, text):\n        os._exit(1)\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *PARITY, "-k", "reason_code and golden"]

    ran = subprocess.run(
        [*command, "--runner", "mine:Dies", "-n", "1"],
        cwd=tmp_path,
        env=dying_environment(tmp_path),
        capture_output=True,
        text=True,
    )

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert "worker 'gw0' crashed" in ran.stdout


def test_empty_selection_ends_with_pytests_code(run: Run) -> None:
    """If no test is selected, the exit code is pytest's own."""
    ran = run(*PARITY, "-k", "nothing-has-this-name")

    assert ran.returncode == pytest.ExitCode.NO_TESTS_COLLECTED


def test_too_many_warnings_end_with_pytests_code(run: Run) -> None:
    """If there are too many warnings, the exit code is pytest's own."""
    ran = run(*PARITY, "-k", "test_which_file_counts", "--runner", "tests.faulty.unruly:Warns", "--max-warnings", "0")

    assert ran.returncode == pytest.ExitCode.MAX_WARNINGS_ERROR, ran.stdout + ran.stderr


def _printing_to(output: int, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """Run the suite in a new interpreter with this standard output."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *SOME],
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.fspath(ROOT)},
    )


@pytest.mark.parametrize("reason", ["No space left on device", "Broken pipe"])
def test_output_that_cannot_be_written_leaves_no_verdict(reason: str, tmp_path: Path) -> None:
    """If standard output is full, or nobody reads it, there is no verdict, and one or two lines say so."""
    reads, writes = os.pipe()
    os.close(reads)

    with open("/dev/full", "wb") as full:
        ran = _printing_to(writes if reason == "Broken pipe" else full.fileno(), tmp_path)
    os.close(writes)

    assert ran.returncode == NO_VERDICT, ran.stderr
    assert re.fullmatch(rf"(.*{reason}.*\n){{1,2}}", ran.stderr)


_README = ROOT / "parity" / "plugin" / "README.md"
_SUITE = set(map(str, map(int, pytest.ExitCode)))
_COMMANDS = {*map(str, map(int, ExitCode)), *map(str, map(int, RunCode))}


@pytest.mark.parametrize(
    ("title", "codes"), [("## Exit codes", _SUITE), ("### Of the commands", _COMMANDS)], ids=["suite", "commands"]
)
def test_readme_lists_every_exit_code(title: str, codes: set[str]) -> None:
    """The README's tables list all exit codes, and no others."""
    _, _, section = _README.read_text(encoding="utf-8").partition(f"\n{title}\n")

    listed = set(re.findall(r"^\| (\d+) \|", section.partition("\n#")[0], re.MULTILINE))

    assert listed == codes
