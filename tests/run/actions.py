"""How tests run jobs, and what they look at."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parity.command import main


@dataclass(frozen=True)
class Ran:
    """What a run gave."""

    code: int | str | None
    out: str
    err: list[str]


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Exit code, standard output, and lines of standard error."""
    try:
        code: int | str | None = main(["run", *map(str, arguments)])
    except SystemExit as end:
        code = end.code
    printed = capfd.readouterr()
    return Ran(code, printed.out, printed.err.splitlines())


def document(path: Path | str) -> Any:
    """What a JSON file says."""
    return json.loads(Path(path).read_text())
