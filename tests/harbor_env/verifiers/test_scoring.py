"""Tests for the training class: its states, errors and variables, in the form that the release expects."""

from pathlib import Path
from typing import Any

import pytest
import verifiers as vf
from verifiers.envs.experimental.sandbox_mixin import SandboxOOMError

from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from parity.harbor_env import Scoring
from parity.harbor_env.client import SandboxClient
from parity.harbor_env.for_verifiers import HarborEnv, HarborFault
from tests.harbor_env.verifiers.places import BUNDLED, SOLVE, write_task
from tests.harbor_env.verifiers.released import released, released_state, rewards_of
from tests.harbor_env.verifiers.rollouts import (
    NOWHERE,
    State,
    foreign_warnings,
    make,
    state_of,
    states_of,
)
from tests.harbor_env.watched import WatchedSandboxes, failing

pytestmark = foreign_warnings

_DOCUMENTED = {"harbor_config", "harbor_task_dir"}
"""Documented keys that some releases do not have."""

_MCP = {"harbor_mcp_jobs"}
"""Keys that only the release has, for MCP servers, which are refused here."""


def test_fault_is_an_error_that_the_release_knows() -> None:
    """If faults are errors, each is a `HarborFault` whose message begins with its kind, and is not retried."""
    state = state_of(SOLVE, BUNDLED, tasks=["no-reward"], faults="error")

    fault = state["error"]
    assert isinstance(fault, HarborFault)
    assert isinstance(fault, vf.Error)
    assert not isinstance(fault, vf.InfraError)
    assert str(fault).startswith("RewardFileNotFoundError: ")


def test_reward_that_is_not_a_number_is_an_error() -> None:
    """If a subclass returns a reward that is not a number, the rollout has an error that is not retried."""

    class Overridden(HarborEnv):
        async def compute_reward(self, state: State) -> float:
            return None  # type: ignore[return-value]

    (state,) = states_of(make(SOLVE, BUNDLED, Overridden, tasks=["reward-txt"]))

    assert str(state["error"]).startswith("TypeError: float() argument must be")
    assert isinstance(state["error"], HarborFault)
    assert state["reward"] == 0.0


def test_state_has_the_releases_own_keys_and_two_more(tmp_path: Path, scoring: Scoring) -> None:
    """The state has the keys of the release, and in addition only `fault` and `rewards`."""
    dataset = write_task(tmp_path, "echo 0.5 > /logs/verifier/reward.txt")

    own = state_of("true", dataset, scoring=scoring)
    theirs = released_state(released("true", dataset))

    assert (own["task"], own["harbor_task_dir"], own["rewards"]) == ("task", str(dataset / "task"), {"reward": 0.5})

    assert own.keys() - theirs.keys() - _DOCUMENTED == {"fault", "rewards"}
    assert theirs.keys() - _MCP <= own.keys()


def test_dataset_has_the_documented_columns() -> None:
    """The dataset has the documented columns, but the release gets it without `task`, where it accepts no name."""
    environment = make(SOLVE, BUNDLED, tasks=["reward-txt"])

    (row,) = environment.load_harbor_dataset().to_list()
    (row_of_verifiers,) = environment.get_dataset().to_list()

    assert set(row) == {"example_id", "task", "prompt", "info"}
    assert row["task"] == row["info"]["task_name"] == "reward-txt"
    assert row_of_verifiers == {name: row[name] for name in row if name != "task"}


def test_agent_has_the_documented_variables(tmp_path: Path) -> None:
    """The agent has the variables of the task, the model and the environment; the environment's override the others."""
    expected = f"""\
AGENT_WORKDIR=/work
HARBOR_INSTRUCTION_PATH=/own
HARBOR_TASK_DIR=/task
HARBOR_TASK_NAME=task
OPENAI_BASE_URL={NOWHERE}/rollout/
OPENAI_MODEL=a-model
"""
    show = "env | grep -E '^(AGENT|HARBOR|OPENAI_(BASE|MODEL))' | sed 's=/rollout/.*=/rollout/=' | sort > /app/told"
    compare = f"diff /app/told - <<'END' && echo 1 > /logs/verifier/reward.txt\n{expected}END"
    own = {"HARBOR_INSTRUCTION_PATH": "/own"}

    state = state_of(show, write_task(tmp_path, compare), agent_workdir="/work", environment_vars=own)

    assert state["reward"] == 1.0


@pytest.mark.parametrize("fails", ["start 0", "upload 0", "upload 1"])
def test_failed_infrastructure_is_an_error_that_the_release_knows(tmp_path: Path, scoring: Scoring, fails: str) -> None:
    """If the sandbox does not start, or an upload to it fails, the rollout has an error and leaves no sandbox."""
    sandboxes = WatchedSandboxes(LocalSandboxes(), failing(fails, OSError("the line is cut")))

    state = state_of("true", write_task(tmp_path, "true"), scoring=scoring, sandboxes=sandboxes)

    assert isinstance(state["error"], vf.SandboxError)
    assert "the line is cut" in str(state["error"])
    assert (state["reward"], state["rewards"], state["fault"]) == (0.0, None, None)
    assert sandboxes.running == set()


@pytest.mark.parametrize("hook", ["build_env_vars", "post_sandbox_setup", "upload_test_assets"])
def test_error_of_a_hook_is_not_retried(tmp_path: Path, hook: str) -> None:
    """What a hook raises is no error of the infrastructure; it has its class and place, and there is no reward."""
    calls = []

    def fail(*arguments: Any) -> None:
        raise KeyError("mine")

    async def wrong(self: HarborEnv, *arguments: Any) -> Any:
        calls.append(hook)
        fail()

    subclass = type("Wrong", (HarborEnv,), {hook: wrong, "__module__": __name__})
    dataset = write_task(tmp_path, "echo 1 > /logs/verifier/reward.txt")

    (state,) = states_of(make("true", dataset, subclass))
    rewards = rewards_of(make("true", dataset, subclass), max_retries=2)

    assert isinstance(state["error"], HarborFault)
    assert not isinstance(state["error"], vf.InfraError)
    place = f"{wrong.__qualname__}, {__file__}:{wrong.__code__.co_firstlineno + 2}"
    assert str(state["error"]) == f"KeyError: 'mine' (in {place})"
    assert (state["reward"], state["rewards"]) == (0.0, None)
    assert (rewards, calls) == ({"task": 0.0}, [hook, hook])


@pytest.mark.parametrize("call", ["exec 3", "upload 1", "exec 5", "download 0"])
def test_rollout_whose_sandbox_is_lost_is_retried(tmp_path: Path, scoring: Scoring, call: str) -> None:
    """If a call to a sandbox fails in scoring, the release rolls out again, and the second reward counts."""
    dataset = write_task(tmp_path, "echo 1 > /logs/verifier/reward.txt")
    failed = list[str]()

    async def lose_once(begun: str) -> None:
        if begun == call and not failed:
            failed.append(begun)
            raise RuntimeError("the sandbox is not running")

    sandboxes = WatchedSandboxes(LocalSandboxes(), lose_once)

    rewards = rewards_of(make("true", dataset, sandboxes=sandboxes, scoring=scoring), max_retries=2)

    assert rewards == {"task": 1.0}
    assert failed == ([] if (scoring, call) == ("documented", "download 0") else [call])


def test_sandbox_without_memory_is_named_as_in_the_release(tmp_path: Path, scoring: Scoring) -> None:
    """If the release's client says that a sandbox has run out of memory, the state says so, and the error is its."""
    dataset = write_task(tmp_path, "echo 1 > /logs/verifier/reward.txt")

    class Full(SandboxClient):
        async def run_background_job(self, sandbox_id: str, *arguments: Any, **options: Any) -> Any:
            raise SandboxOOMError(sandbox_id, message="no memory left")

    environment = released("true", dataset, HarborEnv, scoring=scoring)
    environment.sandbox_client = Full(LocalSandboxes())

    state = released_state(environment)

    assert (state["reward"], state["fault"], state["sandbox_oom"]) == (0.0, None, True)
    assert isinstance(state["error"], vf.SandboxError)
    assert str(state["error"]) == "the work was not scored: SandboxOOMError: no memory left"
