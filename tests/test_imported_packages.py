"""Tests for the packages that commands import."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_HEAVY = ("harbor", "hypothesis", "pytest", "syrupy")

_SERVE = """
from parity.runners.loading import load_runner
import parity.runners.pipe.serving
load_runner("clean-room")
"""
_COMMAND = """
from parity.__main__ import main
sys.argv = ["parity", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
"""


def _command(*arguments: str) -> Callable[[Path], str]:
    return lambda directory: _COMMAND.format(arguments=[argument.format(directory=directory) for argument in arguments])


_PROGRAMS = {
    "serve": lambda directory: _SERVE,
    "score": _command("score", "{directory}"),
    "outcome": _command("outcome", "{directory}/result.json"),
    "explain": _command("explain", "reward-file/json-wins"),
    "run": _command("run", "{directory}", "--agent", "nop"),
}


@pytest.mark.parametrize("program", _PROGRAMS.values(), ids=_PROGRAMS)
def test_commands_need_neither_harbor_nor_pytest(program: Callable[[Path], str], tmp_path: Path) -> None:
    """The commands import neither Harbor nor pytest."""
    (tmp_path / "reward.txt").write_text("1")

    assert _loaded(program(tmp_path), _HEAVY) == "[]"


def _loaded(program: str, names: tuple[str, ...]) -> str:
    """Run a program, and return those of the packages that it has imported when it ends."""
    shown = f"import sys\n{program}\nprint([name for name in {names!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", shown], input="", capture_output=True, encoding="utf-8", check=True)
    return ran.stdout.splitlines()[-1]
