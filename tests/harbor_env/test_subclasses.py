"""Tests for subclasses of the class without verifiers, and for methods that it never calls."""

from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.hooks import State
from tests.harbor_env.rollouts import evaluated
from tests.harbor_env.subclasses import SHAPES
from tests.run.tasks import reward, write_task


@pytest.mark.parametrize("shape", SHAPES)
def test_subclass_gets_the_rewards_that_it_gets_in_verifiers(
    tmp_path: Path, local: Sandboxes, scoring: Scoring, shape: str
) -> None:
    """Subclasses in the manner of released environments get their rewards, as in `tests/harbor_env/verifiers`."""
    example = SHAPES[shape]
    example.write(tmp_path / "data")
    env = example.subclass(HarborEnv)(example.run_command, tmp_path / "data", sandboxes=local, scoring=scoring)

    states = evaluated(env)["state"]

    assert {state["task"]: state["reward"] for state in states} == example.rewards
    assert [state["error"] for state in states] == [None] * len(states)


@pytest.mark.parametrize("name", ["start_mcp_servers", "start_agent", "setup_state", "run_background_job"])
def test_overridden_method_that_is_never_called_is_refused(name: str) -> None:
    """A subclass that overrides a method which only verifiers calls is refused with the class to use instead."""
    with pytest.raises(TypeError) as raised:
        type("Mine", (HarborEnv,), {name: lambda self: None})

    instead = "only verifiers calls it; subclass parity.harbor_env.for_verifiers.HarborEnv instead"
    assert str(raised.value) == f"Mine.{name} would never be called: {instead}"


def test_method_of_a_mixin_that_is_never_called_is_refused() -> None:
    """A method that is never called is refused in another base class of the subclass, too."""

    class Mixin:
        async def start_agent(self, state: State) -> None:
            """Do nothing."""

    with pytest.raises(TypeError, match=r"^Mixin\.start_agent would never be called: "):
        type("Mine", (Mixin, HarborEnv), {})


@pytest.mark.parametrize("mark", ["cleanup", "stop", "teardown"])
def test_method_marked_for_verifiers_is_refused(mark: str) -> None:
    """A method that a decorator of verifiers marks is refused, because only verifiers calls such methods."""

    async def tidy(self: HarborEnv) -> None:
        """Do nothing."""

    setattr(tidy, mark, True)

    with pytest.raises(TypeError, match=rf"^Mine\.tidy would never be called: verifiers\.{mark} marks it"):
        type("Mine", (HarborEnv,), {"tidy": tidy})


def test_dataset_of_a_subclass_is_used(tmp_path: Path, local: Sandboxes) -> None:
    """An environment uses the rows of its `load_harbor_dataset`, whose tasks may be in other directories."""
    pytest.importorskip("datasets", reason="of Hugging Face datasets; pip install datasets")
    write_task(tmp_path / "data" / "task", tests=reward(0.5))
    write_task(tmp_path / "elsewhere" / "other", tests=reward(0.75))

    class Choosing(HarborEnv):
        def load_harbor_dataset(self) -> Any:
            dataset = super().load_harbor_dataset()
            other = {**dataset[0]["info"], "task_dir": str(tmp_path / "elsewhere" / "other"), "task_name": "renamed"}
            return dataset.from_list([dataset[0], {**dataset[0], "task": "renamed", "info": other}])

    env = Choosing("echo $HARBOR_TASK_NAME", tmp_path / "data", docker_image="debian", sandboxes=local)

    states = evaluated(env)["state"]

    assert [(state["agent_stdout"], state["reward"]) for state in states] == [("task\n", 0.5), ("renamed\n", 0.75)]


def test_row_without_a_directory_is_refused(tmp_path: Path, local: Sandboxes) -> None:
    """A row of a subclass without its task's directory is refused with what is missing."""
    datasets = pytest.importorskip("datasets", reason="of Hugging Face datasets; pip install datasets")
    write_task(tmp_path / "data" / "task", tests=reward(0.5))

    class Empty(HarborEnv):
        def load_harbor_dataset(self) -> Any:
            return datasets.Dataset.from_list([{"prompt": "Do it.", "info": {"task_name": "task"}}])

    with pytest.raises(ValueError, match=r"^load_harbor_dataset returned a row without info\['task_dir'\]: add the"):
        Empty("true", tmp_path / "data", sandboxes=local)
