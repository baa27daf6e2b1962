"""Task folders as documented, under either scoring."""

import asyncio
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import DatasetError, HarborEnv, Scoring
from tests.harbor_env.rollouts import environment, evaluated


def _write_task(folder: Path, toml: str = "") -> None:
    """Write the documented files: task.toml, instruction.md, solution/ and tests/test.sh."""
    (folder / "solution").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "task.toml").write_text(toml)
    (folder / "instruction.md").write_text("Make a file.\n")
    (folder / "tests" / "test.sh").write_text("#!/bin/bash\ntest -e /app/made && echo 1 > /logs/verifier/reward.txt\n")


def test_no_folder_environment(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """A task without the folder `environment`, which the documentation does not name, runs."""
    _write_task(tmp_path / "task")

    (state,) = evaluated(environment(tmp_path, "touch /app/made", local, scoring=scoring))["state"]

    assert (state["error"], state["reward"]) == (None, 1.0)


def test_a_missing_dataset(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """A missing dataset is a FileNotFoundError, and also a DatasetError."""
    with pytest.raises(FileNotFoundError) as raised:
        HarborEnv("true", tmp_path / "missing", sandboxes=local, scoring=scoring)

    assert isinstance(raised.value, DatasetError)
    assert str(tmp_path / "missing") in str(raised.value)


def test_variables_by_the_name_of_a_task(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """Variables need only the task's name in the state; Harbor's scoring adds the task's own variables."""
    _write_task(tmp_path / "task", 'environment.env = {OWN = "1"}\n')
    env = HarborEnv("true", tmp_path, sandboxes=local, scoring=scoring)

    variables = asyncio.run(env.build_env_vars({"info": {"task_name": "task"}}))

    documented = ("HARBOR_TASK_NAME", "HARBOR_TASK_DIR", "HARBOR_INSTRUCTION_PATH", "AGENT_WORKDIR")
    assert [variables[name] for name in documented] == ["task", "/task", "/task/instruction.md", "/app"]
    assert ("OWN" in variables) == (scoring == "harbor")
