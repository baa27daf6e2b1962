"""Tests with an unmet requirement are skipped, counted by reason, and can be run later."""

import os
from pathlib import Path

import pytest

from tests.needs import NEEDS

_CONFTEST = """
from tests.conftest import (
    pytest_addoption, pytest_collection_modifyitems, pytest_runtest_setup, pytest_terminal_summary
)
from tests.needs import NEEDS, lack

lack.cache_clear()
NEEDS["gold"] = ("with gold", lambda: {lack!r})
"""

_MODULE = """
import pytest
from tests.needs import need

@pytest.mark.needs("gold")
def test_marked(): pass

def test_called(): need("gold")

@pytest.mark.docker
def test_docker(): pass

def test_else(): pass
"""

_INI = "[pytest]\nmarkers = needs: what it needs\n    docker: needs Docker\n    long: takes long\n"


def _run(pytester: pytest.Pytester, lack: str | None, *options: str) -> pytest.RunResult:
    pytester.makeconftest(_CONFTEST.format(lack=lack))
    pytester.makepyfile(_MODULE)
    pytester.path.joinpath("pytest.ini").write_text(_INI)
    return pytester.runpytest_inprocess("-p", "no:xdist", *options)


def test_skipped_tests_are_counted_by_reason(pytester: pytest.Pytester) -> None:
    """The last lines of a run count the skipped tests by reason, with the remedy."""
    ran = _run(pytester, "dig")

    ran.assert_outcomes(passed=1, skipped=3)
    ran.stdout.fnmatch_lines(["LEFT OUT: 1 test on Docker; tox run -e docker", "LEFT OUT: 2 tests with gold; dig"])


def test_left_out_runs_what_was_skipped(pytester: pytest.Pytester) -> None:
    """`--left-out` runs exactly the tests that the last run skipped."""
    _run(pytester, "dig")

    ran = _run(pytester, None, "--left-out")

    ran.assert_outcomes(passed=2, skipped=1, deselected=1)


def test_marked_for_docker_runs_on_request(pytester: pytest.Pytester) -> None:
    """`-m docker` runs the tests that are skipped without it."""
    ran = _run(pytester, "dig", "-m", "docker")

    ran.assert_outcomes(passed=1, deselected=3)


def test_a_program_that_does_not_run_is_lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that exists but fails counts as missing."""
    program = tmp_path / "rustc"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    assert NEEDS["rust"][1]() == "install Rust, for example with rustup"
