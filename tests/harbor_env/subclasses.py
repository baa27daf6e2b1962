"""Subclasses in the manner of released environments, as functions of the `HarborEnv` from which they inherit.

Each agent, and each task's tests, need what the subclass adds: without it, a task gets another reward or none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.run.tasks import reward, write_task

type Environment = Any
"""A class of environments: the kit's without verifiers, the kit's for verifiers, or the one in verifiers."""

_OWN_AGENT = """\
echo "$(cat $AGENT_WORKDIR/config) in $HARBOR_TASK_NAME of $CHOSEN" > /tmp/answer
"""


def uploading_agent(base: Environment) -> Environment:
    """Return a class that uploads an agent, and a file beside the tasks, into the agent's directory."""

    class UploadingAgent(base):  # type: ignore[misc]
        def __init__(self, run_command: str, dataset_path: Path, **options: Any) -> None:
            super().__init__(run_command, dataset_path, ["easy", "hard"], "/work", **options)

        async def post_sandbox_setup(self, state: dict[str, Any]) -> None:
            await super().post_sandbox_setup(state)
            sandbox_id, workdir = state["sandbox_id"], self.agent_workdir
            agent, config = self.dataset_path / "run_agent.sh", self.dataset_path / "config"
            await self.sandbox_client.upload_file(sandbox_id, f"{workdir}/run_agent.sh", str(agent))
            await self.sandbox_client.upload_file(sandbox_id, f"{workdir}/config", str(config))
            await self.sandbox_client.execute_command(sandbox_id, "chmod +x run_agent.sh", working_dir=workdir)

        async def build_env_vars(self, state: dict[str, Any]) -> dict[str, str]:
            return {**await super().build_env_vars(state), "CHOSEN": "+".join(self.task_names)}

    return UploadingAgent


def choosing_images(base: Environment) -> Environment:
    """Return a class that chooses images and variables by what task.toml says, and replaces its own command."""

    class ChoosingImages(base):  # type: ignore[misc]
        def __init__(self, run_command: str, dataset_path: Path, **options: Any) -> None:
            super().__init__(run_command, dataset_path, **options)
            self.docker_image = "general:1"
            self.run_command = f"{run_command} > /tmp/answer"

        async def get_docker_image(self, state: dict[str, Any]) -> str:
            metadata = state["info"]["config"]["metadata"]
            state["image"] = f"{metadata['level']}-{await super().get_docker_image(state)}"
            return str(state["image"])

        async def build_env_vars(self, state: dict[str, Any]) -> dict[str, str]:
            image = await self.get_docker_image(state)
            return {**await super().build_env_vars(state), "IMAGE": image}

    return ChoosingImages


def bringing_tests(base: Environment) -> Environment:
    """Return a class that brings tests and expected values that are not in the tasks, and weighs the reward."""

    class BringingTests(base):  # type: ignore[misc]
        async def prepare_harbor_task(self, sandbox_id: str, task_dir: Path) -> None:
            await super().prepare_harbor_task(sandbox_id, task_dir)
            await self.sandbox_client.execute_command(sandbox_id, "echo hint > /task/hint", working_dir="/")

        async def pre_mcp_setup(self, state: dict[str, Any]) -> None:
            await self.sandbox_client.execute_command(state["sandbox_id"], "echo more >> /task/hint", working_dir="/")

        async def upload_test_assets(self, sandbox_id: str, task_dir: Path) -> None:
            await super().upload_test_assets(sandbox_id, self.dataset_path.parent / "hidden")
            expected = self.dataset_path.parent / f"{task_dir.name}.expected"
            await self.sandbox_client.upload_file(sandbox_id, "/tests/expected", str(expected))

        async def harbor_reward(self, state: dict[str, Any], **arguments: Any) -> float:
            return 0.5 * float(await super().harbor_reward(state, **arguments))

    return BringingTests


@dataclass(frozen=True)
class Shape:
    """A kind of subclass, with an agent and the rewards of the tasks that `write` adds to a directory."""

    subclass: Callable[[Environment], Environment]
    run_command: str
    write: Callable[[Path], None]
    rewards: Mapping[str, float]


def _compare(expected: str) -> str:
    return f"[ \"$(cat /tmp/answer)\" = '{expected}' ] && {reward(1)} || {reward(0.25)}"


def _write_for_agent(dataset: Path) -> None:
    write_task(dataset / "easy", tests=_compare("fast in easy of easy+hard"))
    write_task(dataset / "hard", tests=_compare("slow in hard of easy+hard"))
    write_task(dataset / "left-out", tests="true")
    (dataset / "run_agent.sh").write_text(f"#!/bin/bash\n{_OWN_AGENT}")
    (dataset / "config").write_text("fast\n")


def _write_for_images(dataset: Path) -> None:
    for name, toml, expected in (
        ("general", "metadata.level = 'low'\n", "low-general:1"),
        ("own", "metadata.level = 'high'\nenvironment.docker_image = 'own:2'\n", "high-own:2"),
    ):
        (write_task(dataset / name, tests=_compare(expected)) / "task.toml").write_text(toml)


def _write_for_tests(dataset: Path) -> None:
    for name in ("one", "two"):
        (write_task(dataset / name, tests="true") / "tests" / "test.sh").unlink()
        (dataset.parent / f"{name}.expected").write_text(f"hint more {name}\n")
    compare = f'[ "$(cat /tmp/answer)" = "$(cat /tests/expected)" ] && {reward(1)}'
    write_task(dataset.parent / "hidden", tests=compare)


SHAPES = {
    "own agent": Shape(uploading_agent, "/work/run_agent.sh", _write_for_agent, {"easy": 1.0, "hard": 0.25}),
    "own images": Shape(choosing_images, "echo $IMAGE", _write_for_images, {"general": 1.0, "own": 1.0}),
    "own tests": Shape(
        bringing_tests,
        "echo $(cat /task/hint) $HARBOR_TASK_NAME > /tmp/answer",
        _write_for_tests,
        {"one": 0.5, "two": 0.5},
    ),
}
"""The kinds of subclasses, by what they bring."""
