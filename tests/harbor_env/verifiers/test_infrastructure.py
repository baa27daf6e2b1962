"""If the infrastructure fails, the state says so, and nothing is scored."""

import pytest
import verifiers as vf

from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.harbor_env import Scoring, places
from tests.harbor_env.verifiers.places import BUNDLED, SOLVE
from tests.harbor_env.verifiers.rollouts import foreign_warnings, state_of
from tests.harbor_env.watched import WatchedSandboxes, failing

pytestmark = foreign_warnings

_SCORINGS: list[Scoring] = ["harbor", "documented"]


def _failing(call: str) -> WatchedSandboxes:
    return WatchedSandboxes(LocalSandboxes(), failing(call, OSError("the line is cut")))


@pytest.mark.parametrize("scoring", _SCORINGS)
@pytest.mark.parametrize("fails", ["start 0", "upload 0"])
def test_sandbox_that_is_not_set_up_is_not_scored(scoring: Scoring, fails: str) -> None:
    """If the sandbox does not start, or does not accept the instruction, nothing is scored, and no sandbox is left."""
    sandboxes = _failing(fails)

    state = state_of(SOLVE, BUNDLED, tasks=["reward-txt"], scoring=scoring, sandboxes=sandboxes)

    assert isinstance(state["error"], vf.SandboxError)
    assert "the line is cut" in str(state["error"])
    assert (state["reward"], state["rewards"]) == (0.0, None)
    assert places.TESTS_ARCHIVE not in sandboxes.asked
    assert sandboxes.running == set()


def test_failed_upload_of_tests_is_harbors_error() -> None:
    """Under Harbor's scoring, tests that cannot be uploaded give Harbor's error."""
    sandboxes = _failing("upload 1")

    state = state_of(SOLVE, BUNDLED, tasks=["reward-txt"], sandboxes=sandboxes)

    assert str(state["error"]) == "AddTestsDirError: the tests were not uploaded"
    assert (state["reward"], state["rewards"]) == (0.0, None)
    assert sandboxes.running == set()


def test_failed_upload_of_tests_is_a_sandbox_error_as_documented() -> None:
    """Under documented scoring, tests that cannot be uploaded give a SandboxError."""
    sandboxes = _failing("upload 1")

    state = state_of(SOLVE, BUNDLED, tasks=["reward-txt"], scoring="documented", sandboxes=sandboxes)

    assert isinstance(state["error"], vf.SandboxError)
    assert (state["reward"], state["rewards"]) == (0.0, None)
    assert sandboxes.running == set()


@pytest.mark.parametrize(
    ("scoring", "task", "reward"), [("harbor", "reward-json", 0.75), ("documented", "failing-test-script", 0.25)]
)
@pytest.mark.parametrize("faults", ["zero", "error"])
def test_work_of_a_crashed_agent_is_scored(scoring: str, task: str, reward: float, faults: str) -> None:
    """The work of an agent that fails is scored, and its exit code is a fault, as on a bare machine."""
    state = state_of(f"{SOLVE}; exit 3", BUNDLED, tasks=[task], scoring=scoring, faults=faults)

    expected = "NonZeroAgentExitCodeError: the command exited with code 3"
    assert (state["reward"], state["fault"]) == (reward, expected)
    assert state["error"] is None if faults == "zero" else str(state["error"]) == expected
    assert not isinstance(state["error"], vf.InfraError)
