"""The two examples of HarborEnv's documentation, with only the names adapted."""

import asyncio
from pathlib import Path
from typing import Any

from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.rollouts import OPTIONS, State, client, closing, foreign_warnings, states_of

pytestmark = foreign_warnings

_LOCAL = {**OPTIONS, "sandboxes": "local"}
_AGENT = """
import os, pathlib
from lib.greeter import greet
pathlib.Path("/app/greeting.txt").write_text(greet(os.environ["HARBOR_TASK_NAME"]))
"""


def test_example_of_the_constructor_works(tmp_path: Path) -> None:
    """The constructor's example evaluates two of three tasks, and returns their average."""
    for name, reward in (("task_1", "1.0"), ("task_2", "0.5"), ("task_3", "0.25")):
        write_task(tmp_path / "harbor_tasks", f"echo {reward} > /logs/verifier/reward.txt", name)

    def load_environment() -> HarborEnv:
        return HarborEnv(
            run_command="python3 --version",
            dataset_path=tmp_path / "harbor_tasks",
            tasks=["task_1", "task_2"],
            agent_workdir="/app",
            docker_image="python:3.11",
            max_turns=20,
            **{**_LOCAL, "timeout_seconds": 300},
        )

    async def run() -> Any:
        environment = load_environment()
        async with closing(environment):
            return await environment.evaluate(client=client(), model="gpt-4", num_examples=10)

    results = asyncio.run(run())

    assert results["metadata"]["avg_reward"] == 0.75


class CustomHarborEnv(HarborEnv):
    """The documentation's own example: uploads the agent's code, and installs its requirements."""

    agent_folder: Path

    async def post_sandbox_setup(self, state: State) -> None:
        """Upload custom agent code after sandbox creation."""
        await super().post_sandbox_setup(state)

        sandbox_id = state["sandbox_id"]

        await self.sandbox_client.upload_file(sandbox_id, "/app/agent.py", str(self.agent_folder / "agent.py"))
        await self.sandbox_client.upload_file(sandbox_id, "/app/greeter.py", str(self.agent_folder / "greeter.py"))

        await self.sandbox_client.execute_command(sandbox_id, "mkdir -p lib && mv greeter.py lib/", working_dir="/app")


def test_example_of_a_subclass_works(tmp_path: Path, scoring: Scoring) -> None:
    """The subclass's example runs an agent that was uploaded and installed."""
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "agent.py").write_text(_AGENT)
    (tmp_path / "agent" / "greeter.py").write_text("greet = 'hello {}'.format\n")
    script = "grep -qx 'hello task' /app/greeting.txt && echo 1 > /logs/verifier/reward.txt"
    dataset = write_task(tmp_path / "tasks", script)
    environment = CustomHarborEnv("python3 /app/agent.py", dataset, scoring=scoring, **_LOCAL)
    environment.agent_folder = tmp_path / "agent"

    (state,) = states_of(environment)

    assert state["error"] is None
    assert state["reward"] == 1.0
