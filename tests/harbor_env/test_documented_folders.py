"""Task folders as documented, in each class of this kit under either scoring, and in a release's own class."""

import asyncio
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
    """Write the documented files: task.toml, instruction.md, solution/ and tests/test.sh."""
    (folder / "solution").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "task.toml").write_text(toml)
    (folder / "instruction.md").write_text("Make a file.\n")
    (folder / "tests" / "test.sh").write_text("#!/bin/bash\ntest -e /app/made && echo 1 > /logs/verifier/reward.txt\n")


def test_no_folder_environment(tmp_path: Path, subject: Subject, options: dict[str, Any]) -> None:
    """A task without the folder `environment`, which the documentation does not name, runs."""
    _write_task(tmp_path / "task")

    state = subject.rolled(tmp_path, "touch /app/made", **options)

    assert (state["error"], state["reward"]) == (None, 1.0)


def test_a_missing_dataset(tmp_path: Path, subject: Subject, options: dict[str, Any]) -> None:
    """A missing dataset is a FileNotFoundError, as in the releases; in this kit's classes also a DatasetError."""
    with pytest.raises(FileNotFoundError) as raised:
        subject.make("true", tmp_path / "missing", subject.kind, **options)

    assert isinstance(raised.value, DatasetError) == bool(options)
    assert str(tmp_path / "missing") in str(raised.value)


def test_variables_by_the_name_of_a_task(tmp_path: Path, subject: Subject, options: dict[str, Any]) -> None:
    """Variables need only the task's name in the state; Harbor's scoring adds the task's own variables.

    A release's own class may read the name elsewhere in the state.
    """
    _write_task(tmp_path / "task", 'environment.env = {OWN = "1"}\n')
    env = subject.make("true", tmp_path, subject.kind, **options)
    state: dict[str, Any] = {"info": {"task_name": "task"}, "interception_base_url": "http://model:1"}
    if not options:
        state["task"] = "task"

    variables = asyncio.run(env.build_env_vars(state))

    documented = ("HARBOR_TASK_NAME", "HARBOR_TASK_DIR", "HARBOR_INSTRUCTION_PATH", "AGENT_WORKDIR")
    assert [variables[name] for name in documented] == ["task", "/task", "/task/instruction.md", "/app"]
    assert ("OWN" in variables) == (options.get("scoring") == "harbor")
