"""Tests for `env.evaluate`: its rollouts, their order and average, and the progress."""

import asyncio
import json
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, SandboxError
from parity.harbor_env.hooks import State
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset with three tasks whose rewards, in the order of their names, are 1, none, and 0.5."""
    write_task(tmp_path / "data" / "a", tests=reward(1))
    write_task(tmp_path / "data" / "b", tests="true")
    write_task(tmp_path / "data" / "c", tests=reward(0.5))
    return tmp_path / "data"


class _Unscored(HarborEnv):
    """An environment that gives every agent the same reward."""

    async def compute_reward(self, state: State) -> float:
        return 0.25


def test_results_are_in_the_order_of_the_dataset(dataset: Path, sandboxes: Sandboxes) -> None:
    """Results are grouped by example, in the order of the dataset, whichever rollout ends first."""
    env = environment(dataset, "[ $HARBOR_TASK_NAME != a ] || sleep 0.5", sandboxes)

    results = evaluated(env, model="m", rollouts_per_example=2, max_concurrent=6)

    none = (0.0, "RewardFileNotFoundError")
    assert results["reward"] == [1.0, 1.0, 0.0, 0.0, 0.5, 0.5]
    assert [outcome(state) for state in results["state"]] == [(1.0, None)] * 2 + [none] * 2 + [(0.5, None)] * 2
    assert [(state["example_id"], state["task"]) for state in results["state"][::2]] == [(0, "a"), (1, "b"), (2, "c")]
    assert results["metadata"] == {
        "env_id": "HarborEnv",
        "model": "m",
        "base_url": None,
        "num_examples": 3,
        "rollouts_per_example": 2,
        "avg_reward": 0.5,
        "avg_error": 0.0,
        "errors": 0,
        "faults": 2,
    }


def test_number_of_examples_limits_the_evaluation(dataset: Path, local: Sandboxes) -> None:
    """On request, only the first examples are evaluated."""
    results = evaluated(_Unscored("true", dataset, sandboxes=local), num_examples=1)

    assert [state["task"] for state in results["state"]] == ["a"]
    assert results["metadata"]["num_examples"] == 1


@pytest.mark.parametrize(
    "options",
    [
        {"num_examples": -2},
        {"num_examples": 0},
        {"num_examples": 1.5},
        {"num_examples": True},
        {"rollouts_per_example": 0},
        {"max_concurrent": math.nan},
    ],
)
def test_number_of_no_rollouts_is_refused(dataset: Path, local: Sandboxes, options: dict[str, Any]) -> None:
    """A number that is not whole, or below 1, is refused with the name of its argument before anything runs."""
    env = environment(dataset, "true", local)

    ((name, number),) = options.items()
    with pytest.raises(ValueError, match=f"^{name} is {number!r}: give a whole number of at least 1$"):
        evaluated(env, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": 5}, "model is 5: give the model's name"),
        ({"client": "m"}, "client is 'm': give a client from openai or verifiers, which has a base_url"),
    ],
)
def test_wrong_model_is_refused(dataset: Path, local: Sandboxes, options: dict[str, Any], message: str) -> None:
    """A model that is no name, and a client without a URL, are refused before anything runs."""
    env = environment(dataset, "true", local)

    with pytest.raises(ValueError, match=r"^(model|client) is") as raised:
        evaluated(env, **options)

    assert str(raised.value) == message


class _OpenAI:
    """A client like that of openai."""

    base_url = "http://model.test/v1/"
    api_key = "secret-of-the-client"


class _Wrapped:
    """A client like those of verifiers, which have another client."""

    client = _OpenAI()


class _Config:
    """A configuration like that of verifiers."""

    api_base_url = "http://model.test/v1"


@pytest.mark.parametrize("client", [_OpenAI(), _Wrapped(), _Config()])
def test_agent_gets_the_url_of_the_client(
    dataset: Path, local: Sandboxes, client: object, caplog: pytest.LogCaptureFixture
) -> None:
    """The client's URL reaches the agent in place of the environment's; its key does not, and a line says so."""
    env = environment(dataset, "env", local, tasks=["a"], base_url="http://other.test")

    results = evaluated(env, client=client, model="m")

    (state,) = results["state"]
    assert "OPENAI_BASE_URL=http://model.test/v1\n" in state["agent_stdout"]
    assert "secret-of-the-client" not in state["agent_stdout"]
    assert results["metadata"]["base_url"] == "http://model.test/v1"
    assert [record.getMessage() for record in caplog.records] == [
        "agents get the client's URL and not its key; to let tasks have one, give the environment"
        " environment_vars={'OPENAI_API_KEY': ...}"
    ]


def test_agent_gets_a_key_on_purpose(dataset: Path, local: Sandboxes, caplog: pytest.LogCaptureFixture) -> None:
    """A key in `environment_vars` reaches the agent, and then no line says how to pass one."""
    env = environment(dataset, "env", local, tasks=["a"], environment_vars={"OPENAI_API_KEY": "mine"})

    (state,) = evaluated(env, client=_OpenAI())["state"]

    assert "OPENAI_API_KEY=mine\n" in state["agent_stdout"]
    assert caplog.records == []


def test_results_have_the_keys_of_verifiers(dataset: Path, local: Sandboxes) -> None:
    """Each output has the keys of an output in verifiers, with values that JSON can store, and rewards and fault."""

    class Failing(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            if state["task"] == "c":
                raise SandboxError("the agent was not uploaded") from OSError("no wire")

    results = evaluated(Failing("true", dataset, docker_image=IMAGE, sandboxes=local))

    outputs = json.loads(json.dumps(results["outputs"]))
    assert [output.keys() for output in outputs] == [
        {
            *("example_id", "task", "prompt", "completion", "answer", "info", "reward", "error", "timing"),
            *("is_completed", "is_truncated", "stop_condition", "metrics", "tool_defs", "rewards", "fault"),
        }
    ] * 3
    assert [(output["task"], output["reward"], output["rewards"]) for output in outputs] == [
        ("a", 1.0, {"reward": 1}),
        ("b", 0.0, None),
        ("c", 0.0, None),
    ]
    assert [output["error"] and output["error"]["error_chain_str"] for output in outputs] == [
        *(None, None, "SandboxError -> OSError"),
    ]
    assert outputs[2]["error"]["message"] == "the agent was not uploaded"
    assert [output["fault"] and output["fault"].partition(":")[0] for output in outputs] == [
        *(None, "RewardFileNotFoundError", None),
    ]
    assert all(output["timing"]["total"] > 0 for output in outputs)
    assert results["metadata"]["avg_error"] == 1 / 3


@pytest.mark.parametrize("name", ["another", "other"])  # the names sort before and after "data"
def test_row_from_another_dataset_is_refused(dataset: Path, local: Sandboxes, tmp_path: Path, name: str) -> None:
    """A row from another dataset is refused, even if it has the name of a task in this dataset."""
    other = write_task(tmp_path / name / "a", tests="true")
    env = environment(dataset, "true", local)

    state = asyncio.run(env.rollout({"example_id": 0, "task": "a", "info": {"task_dir": str(other)}}))

    assert str(state["error"]).endswith(f"{other} is not a task of this environment: use rows from its dataset")


def test_number_of_concurrent_rollouts_is_limited(dataset: Path, local: Sandboxes) -> None:
    """At most the allowed number of rollouts run at once."""
    running = []

    class Counting(_Unscored):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            running.append(len(self.sandbox_client.active))

    evaluated(Counting("true", dataset, sandboxes=local), rollouts_per_example=3, max_concurrent=2)

    assert max(running) == 2


def test_rollouts_do_not_affect_each_other(dataset: Path, local: Sandboxes) -> None:
    """Changing the prompt or the task's table in one rollout does not affect other rollouts."""

    class Changing(_Unscored):
        async def post_sandbox_setup(self, state: State) -> None:
            state["prompt"].append({"role": "user", "content": "More."})
            state["info"]["config"].clear()

    env = Changing("true", dataset, sandboxes=local)

    states = evaluated(env, num_examples=1, rollouts_per_example=2)["state"]

    assert [len(state["prompt"]) for state in states] == [2, 2]
    assert len(env.rows[0]["prompt"]) == 1
    assert env.rows[0]["info"]["config"]["verifier"] == {"timeout_sec": 60}
