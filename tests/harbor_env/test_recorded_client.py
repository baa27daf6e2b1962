"""The sandbox of recorded rollouts carries out the environment's own commands in any spelling."""

import asyncio
from pathlib import Path

import pytest

from parity.harbor_env import places
from parity.harbor_env.rollout import clear_places
from parity.operations.harbor_env.recorded.client import RecordedClient
from parity.operations.harbor_env.recorded.scenario import TaskScenario


@pytest.mark.parametrize("folder", [places.ORACLE, places.TESTS, places.VERIFIER])
def test_planted_file_is_removed_before_the_tests(tmp_path: Path, folder: str) -> None:
    """A planted file is removed before the tests, as in a real sandbox."""
    planted = tmp_path / folder.lstrip("/") / "planted"
    planted.parent.mkdir(parents=True)
    planted.touch()

    asyncio.run(RecordedClient(TaskScenario("task"), tmp_path).execute_command("played", clear_places()))

    assert not planted.exists()
    assert planted.parent.is_dir()
