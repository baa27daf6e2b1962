"""Tests that the example in the kit's documentation of HarborEnv for verifiers works."""

import re
import subprocess
import sys
from pathlib import Path

from tests.running import ROOT

_DOCUMENT = (ROOT / "parity" / "harbor_env" / "README.md").read_text("utf-8")


def test_example_prints_the_shown_lines(tmp_path: Path) -> None:
    """The program in the README evaluates bundled tasks, and prints the lines that the README shows."""
    name, program = re.findall(
        r"^```python\n# (evaluate_with_verifiers.py)\n(.*?)^```$", _DOCUMENT, re.DOTALL | re.MULTILINE
    )[0]
    (tmp_path / name).write_text(program)

    ran = subprocess.run(
        [sys.executable, tmp_path / name], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )

    _, _, after = _DOCUMENT.partition("It prints these lines:\n\n")
    shown = re.findall("^    (.*)$", after.partition("\n\n")[0], re.MULTILINE)
    assert re.fullmatch("\n".join(map(re.escape, shown)).replace("…", ".*"), ran.stdout.strip()), (
        ran.stdout + ran.stderr
    )
