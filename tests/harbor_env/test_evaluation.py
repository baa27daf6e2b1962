"""`env.evaluate`: its rollouts, their order and average, and the progress."""

import asyncio
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tomli

from parity.driver import task_file
from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.states import State
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import reward, write_task


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset of three tasks in the order of names, with the rewards 1, none, and 0.5."""
    write_task(tmp_path / "data" / "a", tests=reward(1))
    write_task(tmp_path / "data" / "b", tests="true")
    write_task(tmp_path / "data" / "c", tests=reward(0.5))
    return tmp_path / "data"


def test_results_are_in_order_of_the_dataset(dataset: Path, sandboxes: Sandboxes) -> None:
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
        {"num_examples": 0},
        {"num_examples": -2},
        {"rollouts_per_example": 0},
        {"rollouts_per_example": -1},
        {"max_concurrent": 0},
        {"max_concurrent": -1},
    ],
)
def test_numbers_that_do_not_count_are_refused(dataset: Path, local: Sandboxes, options: dict[str, int]) -> None:
    """Numbers below 1 are refused by name, before anything runs."""
    env = environment(dataset, "true", local)

    with pytest.raises(ValueError, match=f"^{next(iter(options))} is {next(iter(options.values()))}: give at least 1"):
        evaluated(env, **options)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        *(({"num_examples": given}, "at least 1, or -1 for all") for given in ("3", 1.5, None)),
        ({"rollouts_per_example": 1.5}, "at least 1"),
        ({"max_concurrent": math.nan}, "at least 1"),
        ({"model": 5}, "its name, or None"),
    ],
)
def test_what_is_of_another_type_is_refused(
    dataset: Path, local: Sandboxes, options: dict[str, Any], wanted: str
) -> None:
    """Arguments of a wrong type are refused by name, before anything runs."""
    env = environment(dataset, "true", local)

    with pytest.raises(TypeError) as raised:
        evaluated(env, **options)

    ((name, given),) = options.items()
    assert str(raised.value) == f"{name} is {given!r}: give {wanted}"


def test_who_gives_a_client_is_reported_which_class_takes_one(dataset: Path, local: Sandboxes) -> None:
    """A client is refused with the name of the class that takes one."""
    env = environment(dataset, "true", local)

    with pytest.raises(TypeError) as raised:
        evaluated(env, client=object(), model="gpt-4", num_examples=10)

    assert str(raised.value) == (
        "evaluate takes no client here: agents call a model by base_url and model; with verifiers installed, use"
        " parity.harbor_env.for_verifiers.HarborEnv, which passes their calls on to a client"
    )


def test_a_task_is_parsed_once(
    dataset: Path, local: Sandboxes, scoring: Scoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task's file is parsed once, when the dataset is read."""
    parsed: list[str] = []

    def counted(text: str) -> dict[str, Any]:
        parsed.append(text)
        return tomli.loads(text)

    monkeypatch.setattr(task_file, "tomli", SimpleNamespace(loads=counted))

    evaluated(environment(dataset, "true", local, scoring=scoring), rollouts_per_example=2)

    assert len(parsed) == 3


def test_a_state_holds_what_is_documented(dataset: Path, local: Sandboxes, scoring: Scoring) -> None:
    """A state has the row, the documented keys, all rewards, the fault, and the end of the agent."""
    (state,) = evaluated(environment(dataset, "true", local, scoring=scoring), num_examples=1)["state"]

    assert set(state) == {
        *("example_id", "task", "prompt", "info"),
        *("harbor_config", "harbor_task_dir", "reward", "error", "rewards", "fault"),
        *("model", "sandbox_id", "agent_exit_code", "agent_stdout", "agent_stderr", "timed_out", "is_completed"),
    }


def test_rows_of_another_dataset_are_refused(dataset: Path, local: Sandboxes, tmp_path: Path) -> None:
    """Rows of another dataset are refused, because their tasks are unknown."""
    other = write_task(tmp_path / "other" / "task", tests="true")
    env = environment(dataset, "true", local)

    state = asyncio.run(env.rollout({"example_id": 0, "info": {"task_dir": str(other)}}))

    assert str(state["error"]).endswith(f"{other} is no task of this environment: take rows from load_harbor_dataset")


def test_no_more_run_at_once_than_may(dataset: Path, local: Sandboxes) -> None:
    """No more rollouts run at once than allowed."""
    env = _Counting("true", dataset, sandboxes=local)

    evaluated(env, rollouts_per_example=3, max_concurrent=2)

    assert env.most == 2


def test_a_reward_of_ones_own_counts(dataset: Path, local: Sandboxes) -> None:
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
def test_nothing_is_shown_where_nobody_looks(
    dataset: Path, local: Sandboxes, capfd: pytest.CaptureFixture[str], progress: bool | None
) -> None:
    """Without a terminal on standard error, no progress is shown."""
    evaluated(_Unscored("true", dataset, sandboxes=local), progress=progress, num_examples=1)

    assert capfd.readouterr() == ("", "")


def test_progress_is_shown_where_it_is_asked_for(
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
def test_names_are_shown_as_they_are(
    tmp_path: Path, local: Sandboxes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Names are shown literally: they are neither markup nor control characters."""
    monkeypatch.setenv("COLUMNS", "150")
    write_task(tmp_path / name, tests=reward(1))

    evaluated(_Unscored("true", tmp_path, sandboxes=local), progress=True)

    shown = name if name.isprintable() else ascii(name)[1:-1]
    assert f"last {shown}: 0.25" in capsys.readouterr().err


def test_two_evaluations_at_once(dataset: Path, local: Sandboxes, capsys: pytest.CaptureFixture[str]) -> None:
    """Two concurrent evaluations of one environment have separate bars."""
    env = _Unscored("true", dataset, sandboxes=local)

    async def both() -> list[Any]:
        return await asyncio.gather(*(env.evaluate(num_examples=1, progress=True) for _ in range(2)))

    first, second = asyncio.run(both())

    assert first["reward"] == second["reward"] == [0.25]
    assert capsys.readouterr().err.count("1/1") >= 2


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
