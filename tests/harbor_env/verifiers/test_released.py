"""Tests for the class with the release's client, and for differences from the release's own HarborEnv."""

from pathlib import Path

import pytest

from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.released import released, released_rewards, released_state
from tests.harbor_env.verifiers.rollouts import State, foreign_warnings, state_of

pytestmark = foreign_warnings

_TXT = "/logs/verifier/reward.txt"


def test_client_of_the_release_works(tmp_path: Path, scoring: Scoring) -> None:
    """The class also works with the release's own client and its retries."""
    dataset = write_task(tmp_path, f"test -e /task/instruction.md && echo 0.5 > {_TXT}")

    assert released_rewards("true", dataset, HarborEnv, scoring=scoring) == {"task": 0.5}


def test_released_client_kills_the_agent_at_the_agents_timeout(tmp_path: Path, scoring: Scoring) -> None:
    """The agent's processes are also killed on the release's sandboxes, but not processes that ran before it."""
    plant = f"while true; do echo 1 > {_TXT}; sleep 0.05; done"
    agent = f"setsid bash -c '{plant}' > /dev/null 2>&1 & sleep 600"
    dataset = write_task(tmp_path, f"kill -0 $(cat /app/server) && sleep 1 && echo 0.25 > {_TXT}")

    class Serving(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            serve = "sleep 600 > /dev/null 2>&1 & echo $! > /app/server"
            await self.sandbox_client.execute_command(state["sandbox_id"], serve)

    state = released_state(released(agent, dataset, Serving, scoring=scoring, timeout_seconds=8))

    assert (state["reward"], state["fault"]) == (0.25, "AgentTimeoutError: the agent ran into its timeout of 8 seconds")


def test_released_client_kills_the_tests_at_the_verifiers_timeout(tmp_path: Path) -> None:
    """The tests are killed in the sandbox at their timeout, because the release's client polls too rarely."""
    dataset = write_task(tmp_path, f"echo 1 > {_TXT}; sleep 600")
    (dataset / "task" / "task.toml").write_text("verifier.timeout_sec = 1\n")

    state = released_state(released("true", dataset, HarborEnv))

    assert (state["reward"], state["fault"]) == (
        0.0,
        "VerifierTimeoutError: the tests ran into their timeout of 1.0 seconds",
    )


@pytest.mark.parametrize(
    ("agent", "tests", "release", "ours"),
    [
        ("exit 3", f"echo 0.5 > {_TXT}", 0.0, 0.5),
        (f"echo 1 > {_TXT}", "true", 1.0, 0.0),
        (f"while true; do echo 1 > {_TXT}; sleep 0.05; done", "sleep 1", 1.0, 0.0),
    ],
    ids=["agent that fails", "planted reward", "agent at its timeout"],
)
def test_reward_differs_from_that_of_the_release(
    tmp_path: Path, agent: str, tests: str, release: float, ours: float
) -> None:
    """Unlike in the release, an agent that fails is scored, and a planted reward is not used."""
    dataset = write_task(tmp_path, tests)

    own = state_of(agent, dataset, scoring="documented", timeout_seconds=5)

    assert own["reward"] == ours
    assert released_rewards(agent, dataset, timeout_seconds=5) == {"task": release}
