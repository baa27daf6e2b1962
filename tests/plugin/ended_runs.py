"""Options of runs for tests of exit codes, and plugins that fail in a hook."""

import re
import subprocess
from pathlib import Path

import pytest

PARITY = ("--pyargs", "parity", "--profile", "quick")
SOME = (*PARITY, "-k", "aggregate and test_keys")
WRONG = (*PARITY, "-k", "test_numbers", "--runner", "tests.faulty.aggregate.sums:AddsOneByOne")
NO_VERDICT = pytest.ExitCode.USAGE_ERROR
HOOKS = {
    "pytest_configure": "config",
    "pytest_sessionstart": "session",
    "pytest_report_header": "config",
    "pytest_collection_modifyitems": "items",
    "pytest_runtest_setup": "item",
    "pytest_runtest_logreport": "report",
    "pytest_sessionfinish": "session",
    "pytest_terminal_summary": "terminalreporter",
    "pytest_unconfigure": "config",
}
"""Pytest hooks in the order in which a run calls them, each with one of its arguments."""


def plugin_of(directory: Path, hook: str, does: str) -> tuple[str, str]:
    """Write a plugin with one hook, and return the options that load it."""
    (directory / "theirs.py").write_text(f"def {hook}({HOOKS[hook]}):\n    {does}\n")
    return "-p", "theirs"


def is_shown_in_a_line(ran: "subprocess.CompletedProcess[str]", message: str) -> bool:
    """Return whether a run printed this message, and no traceback."""
    printed = ran.stdout + ran.stderr
    return message in printed and not re.search("Traceback|INTERNALERROR", printed)
