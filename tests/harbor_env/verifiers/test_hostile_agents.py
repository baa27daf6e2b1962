"""Files that an agent plants, searches for or leaves running do not change the score."""

from pathlib import Path

import pytest

from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.places import BUNDLED, write_task
from tests.harbor_env.verifiers.released import released, released_state
from tests.harbor_env.verifiers.rollouts import State, foreign_warnings, make, state_of, states_of

pytestmark = foreign_warnings

_SCORINGS: list[Scoring] = ["harbor", "documented"]

_PLANT = """
mkdir -p /tests /oracle /logs/verifier
echo 1 > /logs/verifier/reward.txt
echo '{"reward": 1}' > /logs/verifier/reward.json
echo 'echo 1 > /logs/verifier/reward.txt' > /tests/helper.sh
echo planted > /oracle/planted
"""


@pytest.mark.parametrize("scoring", _SCORINGS)
def test_planted_reward_does_not_count(scoring: Scoring) -> None:
    """A planted reward does not count in a task whose test script writes none."""
    state = state_of(_PLANT, BUNDLED, tasks=["planted-reward-txt"], scoring=scoring)

    assert state["reward"] == 0.0
    assert not state["rewards"]


@pytest.mark.parametrize("scoring", _SCORINGS)
def test_planted_file_is_not_among_the_tests(tmp_path: Path, scoring: Scoring) -> None:
    """A planted file is neither among the tests nor among the solution's files."""
    script = "ls /tests /oracle | grep -qE 'helper|planted' && echo 1 > /logs/verifier/reward.txt"
    dataset = write_task(tmp_path, f"{script} || echo 0.5 > /logs/verifier/reward.txt")

    state = state_of(_PLANT, dataset, scoring=scoring)

    assert state["reward"] == 0.5


@pytest.mark.parametrize("scoring", _SCORINGS)
def test_agent_finds_neither_tests_nor_solution(tmp_path: Path, scoring: Scoring) -> None:
    """While an agent runs, tests and solution are absent; the tests find both."""
    look = "cat /tests/* /oracle/* /solution/* > /app/found 2>/dev/null; ls /task > /app/given; echo end >> /app/given"
    script = """
    test -s /app/found && reward=0 || reward=0.25
    test "$(tr '\\n' ' ' < /app/given)" = "instruction.md task.toml end " || reward=0
    grep -q secret /oracle/solve.sh || reward=0
    echo $reward > /logs/verifier/reward.txt
    """
    dataset = write_task(tmp_path, script)

    state = state_of(look, dataset, scoring=scoring)

    assert state["reward"] == 0.25


@pytest.mark.parametrize("scoring", _SCORINGS)
def test_agent_at_its_timeout_is_killed(tmp_path: Path, scoring: Scoring) -> None:
    """An agent that runs into its timeout is killed before the tests, so it cannot plant a reward during them."""
    dataset = write_task(tmp_path, "sleep 1")
    plant = "while true; do mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; sleep 0.05; done"

    state = state_of(plant, dataset, scoring=scoring, timeout_seconds=4)

    assert state["reward"] == 0.0
    assert not state["rewards"]


@pytest.mark.parametrize("scoring", _SCORINGS)
def test_agent_at_its_timeout_is_killed_on_the_releases_sandboxes(tmp_path: Path, scoring: Scoring) -> None:
    """On the release's sandboxes, the agent's processes are killed, too, but not those that ran before it."""
    plant = "while true; do echo 1 > /logs/verifier/reward.txt; sleep 0.05; done"
    agent = f"setsid bash -c '{plant}' > /dev/null 2>&1 & sleep 600"
    dataset = write_task(tmp_path, "kill -0 $(cat /app/server) && sleep 1 && echo 0.25 > /logs/verifier/reward.txt")

    class Serving(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            serve = "sleep 600 > /dev/null 2>&1 & echo $! > /app/server"
            await self.sandbox_client.execute_command(state["sandbox_id"], serve)

    state = released_state(released(agent, dataset, Serving, scoring=scoring, timeout_seconds=8))

    assert (state["reward"], state["fault"]) == (0.25, "AgentTimeoutError: the agent ran into its timeout of 8 seconds")


@pytest.mark.parametrize("calls_super", [True, False])
def test_process_of_a_subclass_is_not_ended(tmp_path: Path, calls_super: bool) -> None:
    """A process that a subclass starts is not killed, unlike the agent's processes."""
    agent = "mkdir -p /app; sleep 60 > /dev/null 2>&1 & echo $! > /app/left"
    script = "kill -0 $(cat /app/left) || { kill -0 $(cat /app/server) && echo 0.5 > /logs/verifier/reward.txt; }"

    class Serving(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            if calls_super:
                await super().post_sandbox_setup(state)
            serve = "mkdir -p /app; sleep 60 > /dev/null 2>&1 & echo $! > /app/server"
            await self.sandbox_client.execute_command(state["sandbox_id"], serve)

    (state,) = states_of(make(agent, write_task(tmp_path, script), Serving, end_processes=True))

    assert state["reward"] == 0.5
