"""Requirements of tests besides Python; each is checked before a test that needs it.

A test says `@pytest.mark.needs("node")`, a fixture calls `need("local")`. If the machine lacks it, the test is skipped,
and the last lines of the run count the skipped tests by reason.
"""

import locale
import shlex
import subprocess
from collections.abc import Callable
from functools import cache, partial

import pytest
from uv import find_uv_bin

from parity.operations.files.file_modes import modes_count
from tests.running import ROOT
from tests.sandboxes.kinds import unavailable

_RESOLVE = ("pip", "compile", "-q", "--no-deps", "--refresh")


def _try_programs(remedy: str, *commands: str) -> str | None:
    """Return the remedy if one of the commands cannot be run or fails, else None."""
    for command in commands:
        try:
            subprocess.run(shlex.split(command), check=True, stdin=subprocess.DEVNULL, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return remedy
    return None


def _try_utf8() -> str | None:
    """Return how to get UTF-8 as the encoding of names and texts; None if it is."""
    return None if locale.getencoding().lower() in ("utf-8", "utf8") else "set LC_ALL=C.UTF-8, and no PYTHONUTF8=0"


def _try_modes() -> str | None:
    """Return how to have file modes count; None if they do."""
    return None if modes_count() else "run them as an ordinary user, because root ignores file modes"


NEEDS: dict[str, tuple[str, Callable[[], str | None]]] = {
    "utf-8": ("of names and texts beyond the encoding", _try_utf8),
    "local": ("in local sandboxes", partial(unavailable, "local")),
    "docker": ("on Docker", partial(unavailable, "docker")),
    "node": ("with Node", partial(_try_programs, "apt install nodejs", "node --version")),
    "npm": ("with npm", partial(_try_programs, "apt install npm", "npm --version")),
    "tsc": ("with TypeScript", partial(_try_programs, "npm install -g typescript @types/node", "tsc --version")),
    "go": ("with Go", partial(_try_programs, "apt install golang-go", "go version")),
    "python": ("with the system's Python", partial(_try_programs, "apt install python3", "/usr/bin/python3 --version")),
    "index": (
        "with a package index",
        partial(_try_programs, "connect to one", shlex.join([find_uv_bin(), *_RESOLVE, str(ROOT / "pyproject.toml")])),
    ),
    "c": ("with a C compiler", partial(_try_programs, "apt install gcc", "gcc --version")),
    "awk": ("of the GitHub action", partial(_try_programs, "apt install mawk", "awk BEGIN{}")),
    "modes": ("of file modes", _try_modes),
}
"""For each name: the tests that need it, in words, and a function that returns the remedy, or None if it is there."""


@cache
def lack(name: str) -> str | None:
    """Return the reason to skip tests with a requirement; None if the machine fulfils it."""
    what, missing = NEEDS[name]
    return f"{what}; {remedy}" if (remedy := missing()) is not None else None


def need(name: str) -> None:
    """Skip the running test if the machine does not fulfil a requirement."""
    if (reason := lack(name)) is not None:
        pytest.skip(reason)
