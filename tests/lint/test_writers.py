"""`parity lint` on reward files that packages write for authors of tasks; `writers/` has files of their releases."""

import shutil
from pathlib import Path

import pytest

from tests.lint.tasks import lint, write_task

_WRITERS = Path(__file__).parent / "writers"
_COPIED = """
rm -rf /logs/verifier/*
[ -e /tmp/solved ] && cp /tests/solved/* /logs/verifier || cp /tests/idle/* /logs/verifier
"""


@pytest.mark.needs("local")
@pytest.mark.parametrize("shape", sorted(_WRITERS.glob("*/*")), ids=lambda shape: f"{shape.parent.name}-{shape.name}")
def test_files_of_writers_have_no_fault(shape: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task whose tests leave what a writer of reward files leaves has no finding."""
    task = write_task(tmp_path / "task", _COPIED, "")
    for agent in ("solved", "idle"):
        shutil.copytree(shape / agent, task / "tests" / agent)

    found = lint(capfd, task)

    assert found == (0, {})
