"""Tests that the kit does not affect other projects' runs of pytest."""

import re
from pathlib import Path

import pytest

from tests.running import Run

_OPTIONS = ("runner", "runner-cmd", "profile", "seed", "replay", "divergences", "report", "case-timeout")
_MARKERS = ("operation", "smoke", "replay")
_SOME = ("--profile", "quick", "-k", "test_reward_txt")
_LOADED = {
    *("parity", "parity.plugin"),
    *("parity.plugin.command_line", "parity.plugin.entry_point"),
}


def test_project_may_have_options_of_the_same_names(tmp_path: Path, run_process: Run) -> None:
    """A project may have options and a directory with the suite's names, and does not get the suite's markers."""
    added = "".join(f"    parser.addoption('--{name}', dest='{name}', default='ours')\n" for name in _OPTIONS)
    (tmp_path / "conftest.py").write_text(f"def pytest_addoption(parser):\n{added}")
    own = tmp_path / "tests" / "parity"
    own.mkdir(parents=True)
    (own / "test_own.py").write_text(
        "import sys\n"
        "def test_own(pytestconfig):\n"
        f"    assert [pytestconfig.getoption(name) for name in {_OPTIONS!r}] == ['ours'] * {len(_OPTIONS)}\n"
        f"    assert {{name for name in sys.modules if name.startswith('parity')}} == {_LOADED!r}\n"
    )

    ran, marked = run_process("tests/parity", "--strict-markers"), run_process("--markers")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not [name for name in _MARKERS if f"@pytest.mark.{name}" in marked.stdout]


def test_help_shows_the_suites_options_only_if_the_suite_is_named(run: Run) -> None:
    """The help shows the suite's options only if the command line names the suite."""
    asked, not_asked = run("--pyargs", "parity", "--help"), run("--help")

    for name in _OPTIONS:
        assert re.search(rf"^  --{name}[ =]", asked.stdout, re.MULTILINE)
        assert not re.search(rf"^  --{name}[ =]", not_asked.stdout, re.MULTILINE)
    assert "--parity-" not in asked.stdout


def test_clashing_option_has_a_longer_name(tmp_path: Path, run: Run) -> None:
    """If names clash, the suite's option has the longer name, and the header says so."""
    (tmp_path / "theirs.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.getgroup('random-order').addoption('--seed', default='7', help='of the order')\n"
        "def pytest_report_header(config):\n"
        "    return 'theirs: ' + config.getoption('--seed')\n"
    )

    ran = run("-p", "theirs", "--pyargs", "parity", "--seed", "3", "--parity-seed", "5", *_SOME)

    assert "theirs: 3" in ran.stdout, ran.stdout + ran.stderr
    assert "seed 5" in ran.stdout
    assert "parity warning: --seed is an option of another plugin here; the suite's is --parity-seed" in ran.stdout
    assert ran.returncode == 0


def test_clash_of_options_is_reported_before_pytests_error(tmp_path: Path, run: Run) -> None:
    """If pytest takes an option's value for a file, the line about the clash is printed before pytest's error."""
    (tmp_path / "theirs.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--profile', action='store_true')\n"
    )

    ran = run("-p", "theirs", "--pyargs", "parity", "--profile", "quick")

    warning, error = ran.stderr.strip().splitlines()
    assert warning == "parity warning: --profile is an option of another plugin here; the suite's is --parity-profile"
    assert error.startswith("ERROR: ")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR


def test_other_tests_beside_the_suite_are_refused(tmp_path: Path, run: Run) -> None:
    """A run that names other tests than the suite's is refused in one line."""
    (tmp_path / "tests").mkdir()

    ran = run("tests", "--pyargs", "parity", "-k", "test_reward_txt")

    assert ran.stderr.strip() == "ERROR: the suite runs alone: run tests by a command of its own"
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
