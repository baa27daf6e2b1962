"""Tests that the two examples in HarborEnv's documentation work with bundled tasks, and for the state of a rollout."""

import asyncio
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv
from parity.harbor_env.hooks import State
from tests.end_to_end.engine import TASKS
from tests.harbor_env.rollouts import environment, evaluated


def test_first_example_in_the_documentation_works(local: Sandboxes, capsys: pytest.CaptureFixture[str]) -> None:
    """The first example works: a constructor with chosen tasks, and an evaluation whose average is printed."""

    def load_environment() -> HarborEnv:
        return HarborEnv(
            run_command="echo hello > /app/greeting.txt",
            dataset_path=TASKS,
            tasks=["reward-txt", "failing-test-script"],  # Optional: filter specific tasks
            agent_workdir="/app",
            docker_image="python:3.11",
            max_turns=20,
            timeout_seconds=300,
        )

    class Client:  # in the place of `vf.ClientConfig`, because verifiers may be missing
        api_base_url = "http://model.test/v1"

    async def main() -> None:
        env = load_environment()
        results = await env.evaluate(client=Client(), model="gpt-4", num_examples=10)
        print(f"Average reward: {results['metadata']['avg_reward']}")

    asyncio.run(main())

    assert capsys.readouterr() == ("Average reward: 0.625\n", "")


def test_second_example_in_the_documentation_works(
    local: Sandboxes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second example works: a subclass that uploads an agent."""
    (tmp_path / "my_agent.sh").write_text("cat /app/requirements/word > greeting.txt\n")
    monkeypatch.chdir(tmp_path)

    class CustomHarborEnv(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            """Upload custom agent code after sandbox creation."""
            await super().post_sandbox_setup(state)  # Upload Harbor assets

            sandbox_id = state["sandbox_id"]

            # Upload agent code
            await self.sandbox_client.upload_file(sandbox_id, "/app/agent.sh", "./my_agent.sh")

            # Install dependencies
            await self.sandbox_client.execute_command(
                sandbox_id, "mkdir requirements && echo hello > requirements/word", working_dir="/app"
            )

    def load_environment() -> HarborEnv:
        return CustomHarborEnv(run_command="bash /app/agent.sh", dataset_path=TASKS, tasks=["reward-txt"])

    results = evaluated(load_environment())

    assert results["reward"] == [1.0]
    assert results["state"][0]["error"] is None


def test_state_has_the_documented_values(local: Sandboxes) -> None:
    """A state has the row's keys and the documented ones, and the agent has the documented variables."""
    agent = 'echo $HARBOR_TASK_NAME $AGENT_WORKDIR "$OWN" $(ls $HARBOR_TASK_DIR); echo err >&2; exit 3'
    env = environment(TASKS, agent, local, tasks=["textual-reward"], environment_vars={"OWN": "a  b"})

    state = evaluated(env, model="m")["state"][0]

    assert state["harbor_config"]["task"]["name"] == "parity/textual-reward"
    assert state["harbor_task_dir"] == str(TASKS / "textual-reward")
    assert (state["reward"], state["rewards"]) == (0.5, {"reward": 0.5})
    assert (state["agent_exit_code"], state["agent_stdout"], state["agent_stderr"]) == (
        *(3, "textual-reward /app a  b instruction.md task.toml\n", "err\n"),
    )
    assert (state["model"], state["timed_out"], state["is_completed"]) == ("m", False, True)
    assert {key: state[key] for key in env.rows[0]} == env.rows[0]
    assert set(state) == {
        *("example_id", "task", "prompt", "info"),
        *("harbor_config", "harbor_task_dir", "reward", "error", "rewards", "fault"),
        *(
            "model",
            "base_url",
            "timing",
            "sandbox_id",
            "agent_exit_code",
            "agent_stdout",
            "agent_stderr",
            "timed_out",
            "is_completed",
        ),
    }
