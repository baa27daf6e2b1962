"""Runs `parity run` in tests, and reads its output."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parity.command import main


@dataclass(frozen=True)
class Ran:
    """The exit code and the output of a run."""

    code: int | str | None
    out: str
    err: list[str]


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run `parity run`, and return the exit code, standard output, and the lines on standard error."""
    try:
        code: int | str | None = main(["run", *map(str, arguments)])
    except SystemExit as end:
        code = end.code
    printed = capfd.readouterr()
    return Ran(code, printed.out, printed.err.splitlines())


def document(path: Path | str) -> Any:
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text())
