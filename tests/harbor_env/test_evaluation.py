"""`env.evaluate`: its rollouts, their order and average, and the progress."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.rollout import State
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import reward, write_task


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset of three tasks in the order of names, with the rewards 1, none, and 0.5."""
    write_task(tmp_path / "data" / "a", tests=reward(1))
    write_task(tmp_path / "data" / "b", tests="true")
    write_task(tmp_path / "data" / "c", tests=reward(0.5))
    return tmp_path / "data"


def test_results_are_in_the_order_of_the_dataset(dataset: Path, sandboxes: Sandboxes) -> None:
    """Results are in the order of the dataset, whichever rollout ends first, grouped by example."""
    env = environment(dataset, "[ $HARBOR_TASK_NAME != a ] || sleep 0.5", sandboxes)

    results = evaluated(env, model="m", rollouts_per_example=2, max_concurrent=6)

    none = (0.0, "RewardFileNotFoundError")
    assert results["reward"] == [1.0, 1.0, 0.0, 0.0, 0.5, 0.5]
    assert [outcome(state) for state in results["state"]] == [(1.0, None)] * 2 + [none] * 2 + [(0.5, None)] * 2
    assert [(state["example_id"], state["task"]) for state in results["state"][::2]] == [(0, "a"), (1, "b"), (2, "c")]
    assert results["metadata"] == {
        "model": "m",
        "num_examples": 3,
        "rollouts_per_example": 2,
        "avg_reward": 0.5,
        "errors": 0,
        "faults": 2,
    }


@pytest.mark.parametrize(("num_examples", "tasks"), [(1, ["a"]), (2, ["a", "b"]), (10, ["a", "b", "c"])])
def test_the_first_examples_are_taken(dataset: Path, local: Sandboxes, num_examples: int, tasks: list[str]) -> None:
    """The first examples are evaluated, or all if there are fewer."""
    results = evaluated(_Unscored("true", dataset, sandboxes=local), num_examples=num_examples)

    assert [state["task"] for state in results["state"]] == tasks
    assert results["metadata"]["num_examples"] == len(tasks)


@pytest.mark.parametrize(
    "options",
    [
        {"num_examples": -2},
        {"num_examples": "3"},
        {"rollouts_per_example": 0},
        {"rollouts_per_example": 1.5},
        {"max_concurrent": 0},
        {"max_concurrent": math.nan},
    ],
)
def test_number_below_one_is_refused(dataset: Path, local: Sandboxes, options: dict[str, Any]) -> None:
    """Numbers below 1 and other types are refused by name, before anything runs."""
    env = environment(dataset, "true", local)

    ((name, number),) = options.items()
    with pytest.raises(ValueError, match=f"^{name} is {number!r}: give at least 1"):
        evaluated(env, **options)


def test_client_is_refused_with_the_class_that_takes_one(dataset: Path, local: Sandboxes) -> None:
    """A client is refused with the name of the class that takes one."""
    env = environment(dataset, "true", local)

    with pytest.raises(TypeError) as raised:
        evaluated(env, client=object(), model="gpt-4", num_examples=10)

    assert str(raised.value) == (
        "evaluate takes no client here: agents call a model by base_url and model; with verifiers installed, use"
        " parity.harbor_env.for_verifiers.HarborEnv, which passes their calls on to a client"
    )


def test_state_has_the_documented_keys(dataset: Path, local: Sandboxes, scoring: Scoring) -> None:
    """A state has the row, the documented keys, all rewards, the fault, and the end of the agent."""
    (state,) = evaluated(environment(dataset, "true", local, scoring=scoring), num_examples=1)["state"]

    assert set(state) == {
        *("example_id", "task", "prompt", "info"),
        *("harbor_config", "harbor_task_dir", "reward", "error", "rewards", "fault"),
        *("model", "sandbox_id", "agent_exit_code", "agent_stdout", "agent_stderr", "timed_out", "is_completed"),
    }


def test_row_of_another_dataset_is_refused(dataset: Path, local: Sandboxes, tmp_path: Path) -> None:
    """Rows of another dataset are refused, because their tasks are unknown."""
    other = write_task(tmp_path / "other" / "task", tests="true")
    env = environment(dataset, "true", local)

    state = asyncio.run(env.rollout({"example_id": 0, "info": {"task_dir": str(other)}}))

    assert str(state["error"]).endswith(f"{other} is no task of this environment: take rows from load_harbor_dataset")


def test_no_more_rollouts_run_at_once_than_allowed(dataset: Path, local: Sandboxes) -> None:
    """No more rollouts run at once than allowed."""
    env = _Counting("true", dataset, sandboxes=local)

    evaluated(env, rollouts_per_example=3, max_concurrent=2)

    assert env.most == 2


def test_reward_of_a_subclass_counts(dataset: Path, local: Sandboxes) -> None:
    """A subclass with its own `compute_reward` gets its average, without `rewards`."""
    results = evaluated(_Unscored("true", dataset, sandboxes=local))

    assert (results["reward"], results["metadata"]["avg_reward"]) == ([0.25] * 3, 0.25)


def test_rollouts_share_nothing(dataset: Path, local: Sandboxes) -> None:
    """A change of the prompt or the task's table in one rollout does not affect others."""

    class Changing(_Unscored):
        async def post_sandbox_setup(self, state: State) -> None:
            state["prompt"].append({"role": "user", "content": "More."})
            state["info"]["config"].clear()

    env = Changing("true", dataset, sandboxes=local)

    states = evaluated(env, num_examples=1, rollouts_per_example=2)["state"]

    assert [len(state["prompt"]) for state in states] == [2, 2]
    assert len(env.rows[0]["prompt"]) == 1
    assert env.rows[0]["info"]["config"]["verifier"] == {"timeout_sec": 60}


@pytest.mark.parametrize("progress", [None, False])
def test_progress_is_hidden_without_a_terminal(
    dataset: Path, local: Sandboxes, capfd: pytest.CaptureFixture[str], progress: bool | None
) -> None:
    """Without a terminal on standard error, no progress is shown."""
    evaluated(_Unscored("true", dataset, sandboxes=local), progress=progress, num_examples=1)

    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_on_request(
    dataset: Path, local: Sandboxes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On request, progress is shown on standard error: finished rollouts, errors, faults and the last task."""
    monkeypatch.setenv("COLUMNS", "150")

    evaluated(environment(dataset, "true", local, tasks=["b"]), progress=True)

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rollouts")
    assert "1/1" in err
    assert "0 with errors, 1 with faults; last b: 0.0" in err


def test_progress_is_shown_on_a_terminal(
    dataset: Path, local: Sandboxes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, progress is shown until all is done."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.setenv("TERM", "xterm")

    evaluated(_Unscored("true", dataset, sandboxes=local), num_examples=1)

    err = capsys.readouterr().err
    assert "0/1" in err
    assert err.endswith("\x1b[2K")


@pytest.mark.parametrize(
    "name", ["[bold]b", "a\nb", pytest.param("ünï", marks=pytest.mark.needs("utf-8")), "\udcff", "\x1b[31m"]
)
def test_name_is_shown_literally(
    tmp_path: Path, local: Sandboxes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Names are shown literally: they are neither markup nor control characters."""
    monkeypatch.setenv("COLUMNS", "150")
    write_task(tmp_path / name, tests=reward(1))

    evaluated(_Unscored("true", tmp_path, sandboxes=local), progress=True)

    shown = name if name.isprintable() else ascii(name)[1:-1]
    assert f"last {shown}: 0.25" in capsys.readouterr().err


class _Unscored(HarborEnv):
    """An environment that gives every agent the same reward."""

    async def compute_reward(self, state: State) -> float:
        return 0.25


class _Counting(_Unscored):
    """An environment that counts the most sandboxes at the same time."""

    most = 0

    async def post_sandbox_setup(self, state: State) -> None:
        await super().post_sandbox_setup(state)
        self.most = max(self.most, len(self.sandbox_client.active))
