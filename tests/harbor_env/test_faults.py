"""Faults of the agent or its tests, in contrast to failures of the infrastructure."""

from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import Faults, Scoring
from tests.harbor_env.rollouts import rolled_out
from tests.harbor_env.watched import WatchedSandboxes, failing
from tests.run.tasks import reward

_EXITED = "NonZeroAgentExitCodeError: the command exited with code 3"
_NO_FILE = "RewardFileNotFoundError: No reward file found at /logs/verifier/reward.txt or /logs/verifier/reward.json"


def _ending(state: dict[str, Any]) -> tuple[float, str | None, str | None]:
    error = state["error"]
    return state["reward"], None if error is None else type(error).__name__, state["fault"]


@pytest.mark.parametrize("command", ["exit 3", "bash -c 'exit 3'"])
def test_a_fault_is_an_error_where_that_is_asked_for(
    tmp_path: Path, local: Sandboxes, scoring: Scoring, faults: Faults, command: str
) -> None:
    """An agent that fails keeps its reward, and its fault is an error only on request, by both scorings."""
    state = rolled_out(tmp_path, command, reward(0.75), local, scoring=scoring, faults=faults)

    assert _ending(state) == (0.75, "NonZeroAgentExitCodeError" if faults == "error" else None, _EXITED)


def test_the_tests_fault_comes_before_the_agents(tmp_path: Path, local: Sandboxes, faults: Faults) -> None:
    """A fault of the tests replaces the agent's fault, as in Harbor's result.json."""
    state = rolled_out(tmp_path, "exit 3", "true", local, faults=faults)

    assert _ending(state) == (0.0, "RewardFileNotFoundError" if faults == "error" else None, _NO_FILE)


def test_a_reward_file_that_is_missing_is_no_fault_by_the_documentation(tmp_path: Path, local: Sandboxes) -> None:
    """Under documented scoring, a missing reward file gives 0.0, and is neither fault nor error."""
    assert _ending(rolled_out(tmp_path, "true", "true", local, scoring="documented")) == (0.0, None, None)


def test_more_files_than_are_carried_out_are_a_fault(tmp_path: Path, local: Sandboxes) -> None:
    """Too many files in the verifier's folder are a fault, because an agent may have left them."""
    flood = "cd /logs/verifier; for n in {1..101}; do touch {1..100}-$n; done; echo 1 > reward.txt"

    ending = _ending(rolled_out(tmp_path, "true", flood, local))

    assert ending == (0.0, None, "DownloadVerifierDirError: the verifier's files were not downloaded")


@pytest.mark.parametrize("call", ["upload 1", "download 0"])
def test_what_the_infrastructure_fails_to_do_is_an_error(
    tmp_path: Path, local: Sandboxes, faults: Faults, call: str
) -> None:
    """A failure of the infrastructure is always an error, and never a fault."""
    kind = WatchedSandboxes(local, failing(call, BrokenPipeError("broken")))

    state = rolled_out(tmp_path, "true", reward(1), kind, faults=faults)

    assert state["fault"] is None
    assert type(state["error"]).__name__ in ("AddTestsDirError", "DownloadVerifierDirError")
