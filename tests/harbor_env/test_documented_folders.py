"""Task folders as the documentation has them, in each class of ours under either scoring, and in a release's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parity.harbor_env import DatasetError
from tests.harbor_env.subjects import Subject, subjects

_CASES: Mapping[str, tuple[Subject, dict[str, Any]]] = {
    name if scoring is None else f"{name}, {scoring}": (subject, {} if scoring is None else {"scoring": scoring})
    for name, subject in subjects().items()
    for scoring in (("harbor", "documented") if name in ("plain", "for verifiers") else (None,))
}

pytestmark = [
    pytest.mark.usefixtures("local"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # what a release sets off in newer libraries
    pytest.mark.parametrize(("subject", "options"), _CASES.values(), ids=_CASES),
]


def _write_task(folder: Path, toml: str = "") -> None:
    """Write what the documentation names: task.toml, instruction.md, solution/ and tests/test.sh."""
    (folder / "solution").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "task.toml").write_text(toml)
    (folder / "instruction.md").write_text("Make a file.\n")
    (folder / "tests" / "test.sh").write_text("#!/bin/bash\ntest -e /app/made && echo 1 > /logs/verifier/reward.txt\n")


def test_no_folder_environment(tmp_path: Path, subject: Subject, options: dict[str, Any]) -> None:
    """The folder `environment`, which the documentation does not name, may be missing."""
    _write_task(tmp_path / "task")

    state = subject.rolled(tmp_path, "touch /app/made", **options)

    assert (state["error"], state["reward"]) == (None, 1.0)


def test_a_missing_dataset(tmp_path: Path, subject: Subject, options: dict[str, Any]) -> None:
    """It is a FileNotFoundError, as in the releases; in the classes of ours a DatasetError, too."""
    with pytest.raises(FileNotFoundError) as raised:
        subject.make("true", tmp_path / "missing", subject.kind, **options)

    assert isinstance(raised.value, DatasetError) == bool(options)
    assert str(tmp_path / "missing") in str(raised.value)
