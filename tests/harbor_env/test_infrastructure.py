"""Tests for sandboxes and hooks that fail before or during the scoring of a rollout."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Executed, Sandbox, Sandboxes, SandboxSpec
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.client import SandboxClient, SandboxRequest
from parity.harbor_env.hooks import State
from tests.fake_sandbox import FakeSandboxes
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.harbor_env.watched import WatchedSandboxes, failing
from tests.run.tasks import reward, write_task


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a dataset with one task whose tests give several rewards."""
    tests = 'echo \'{"reward": 0.5, "speed": 2}\' > /logs/verifier/reward.json'
    write_task(tmp_path / "data" / "task", tests=f"{reward(0.25)}; {tests}")
    return tmp_path / "data"


@pytest.mark.parametrize("call", ["start 0", "upload 0", "exec 0", "exec 1", "exec 2"])
@pytest.mark.parametrize("error", [RuntimeError("no\nwire"), TimeoutError()], ids=["error", "timeout"])
def test_rollout_without_a_sandbox_is_not_scored(
    dataset: Path, local: Sandboxes, temporary: Path, call: str, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """If the sandbox fails in its start, an upload or the agent, the rollout has an error and is not scored."""
    env = environment(dataset, "true", WatchedSandboxes(local, failing(call, error)))

    results = evaluated(env)

    (state,) = results["state"]
    assert (*outcome(state), state["rewards"]) == (0.0, "SandboxError", None)
    assert (state["is_completed"], state["agent_exit_code"], state["agent_stdout"]) == (True, None, None)
    assert results["metadata"]["errors"] == 1
    assert list(temporary.iterdir()) == []
    assert [record.getMessage() for record in caplog.records if not record.getMessage().isprintable()] == []


@pytest.mark.parametrize(
    ("call", "harbor", "documented"),
    [
        ("exec 3", (0.0, "SandboxError", "AddTestsDirError"), (0.0, "SandboxError", "BrokenPipeError")),
        ("upload 1", (0.0, "SandboxError", "AddTestsDirError"), (0.0, "SandboxError", "BrokenPipeError")),
        ("exec 4", (0.0, "SandboxError", "AddTestsDirError"), (0.0, "SandboxError", "BrokenPipeError")),
        ("exec 5", (0.0, "SandboxError", "BrokenPipeError"), (0.0, "SandboxError", "BrokenPipeError")),
        ("exec 6", (0.0, "SandboxError", "BrokenPipeError"), (0.0, "SandboxError", "BrokenPipeError")),
        ("download 0", (0.0, "SandboxError", "DownloadVerifierDirError"), (0.25, None, None)),
        ("stop 0", (0.5, "SandboxError", "BrokenPipeError"), (0.25, "SandboxError", "BrokenPipeError")),
        ("none", (0.5, None, None), (0.25, None, None)),
    ],
)
def test_failed_call_is_an_error_of_the_infrastructure(
    dataset: Path,
    local: Sandboxes,
    temporary: Path,
    call: str,
    harbor: tuple[float, str | None, str | None],
    documented: tuple[float, str | None, str | None],
) -> None:
    """A failure during scoring is the infrastructure's, with Harbor's kind of error as its cause, and never a fault."""
    kind = WatchedSandboxes(local, failing(call, BrokenPipeError("broken")))

    states = {
        scoring: evaluated(environment(dataset, "true", kind, scoring=scoring))["state"][0]
        for scoring in ("harbor", "documented")
    }

    assert {scoring: (*outcome(state), _cause(state)) for scoring, state in states.items()} == {
        "harbor": harbor,
        "documented": documented,
    }
    assert [state["fault"] for state in states.values()] == [None, None]
    assert list(temporary.iterdir()) == []


def _cause(state: State) -> str | None:
    return None if state["error"] is None else type(state["error"].__cause__).__name__


def _losing(sandboxes: Sandboxes, word: str) -> Sandboxes:
    """Change a kind of sandbox: a sandbox is lost at the first command that contains a word.

    The command ends like one of `docker exec` whose container is gone.
    """
    make = sandboxes.make

    def make_losing(spec: SandboxSpec) -> Sandbox:
        sandbox = make(spec)
        run = sandbox.exec

        async def lose(command: str, **options: Any) -> Executed:
            if word not in command:
                return await run(command, **options)
            await sandbox.stop()
            return Executed(1, "", "Error response from daemon: No such container\n")

        sandbox.exec = lose  # type: ignore[method-assign]
        return sandbox

    sandboxes.make = make_losing  # type: ignore[method-assign]
    return sandboxes


@pytest.mark.parametrize(
    ("scoring", "word"),
    [
        *(
            (scoring, word)
            for scoring in ("harbor", "documented")
            for word in ("chmod u+rwx", "parity-tests.tar.gz -C", "test.sh")
        ),
        ("documented", "reward.json"),
    ],
)
def test_sandbox_lost_in_scoring_is_no_fault(dataset: Path, sandboxes: Sandboxes, scoring: Scoring, word: str) -> None:
    """If a command fails because its sandbox is lost, this is an error of the infrastructure and no fault."""
    env = environment(dataset, "true", _losing(sandboxes, word), scoring=scoring)

    state = evaluated(env)["state"][0]

    assert (*outcome(state), state["fault"]) == (0.0, "SandboxError", None)


def test_full_disk_is_a_fault(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """An agent that fills the disk, so that the tests cannot be uploaded, gets a fault and no error."""
    task = write_task(tmp_path / "data" / "task", tests=reward(1))
    (task / "tests" / "large").write_bytes(os.urandom(4 << 20))
    agent = "head -c 30M /dev/zero > /app/zeros"

    state = evaluated(environment(tmp_path / "data", agent, local, scoring=scoring, disk_size_gb=1 / 32))["state"][0]

    assert (state["reward"], state["error"]) == (0.0, None)
    assert state["fault"].startswith("AddTestsDirError: " if scoring == "harbor" else "TransferError: disk full")


@pytest.mark.parametrize("missing", ["sandbox_id", "info"])
def test_compute_reward_without_a_sandbox_is_an_error(dataset: Path, local: Sandboxes, missing: str) -> None:
    """`compute_reward` never raises: without a sandbox or a task it returns 0.0 and records an error."""
    env = environment(dataset, "true", local)
    state = {key: value for key, value in {**env.rows[0], "sandbox_id": "s"}.items() if key != missing}

    reward = asyncio.run(env.compute_reward(state))

    assert reward == 0.0
    assert (
        str(state["error"])
        == {
            "sandbox_id": "the work was not scored: the state has no sandbox_id",
            "info": "None is not a task of this environment: use rows from its dataset",
        }[missing]
    )


def test_error_before_scoring_is_kept(dataset: Path, local: Sandboxes) -> None:
    """An error that was set before scoring is kept, and the rollout is still scored."""

    class Failed(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            state["error"] = ValueError("of a subclass")

    state = evaluated(Failed("true", dataset, sandboxes=local))["state"][0]

    assert (*outcome(state), state["rewards"]) == (0.5, "ValueError", {"reward": 0.5, "speed": 2})


def test_missing_task_directory_is_an_error(dataset: Path, local: Sandboxes) -> None:
    """If a task's directory has been removed, its rollout has an error."""
    env = environment(dataset, "true", local)
    (dataset / "task").rename(dataset / "moved")

    state = evaluated(env)["state"][0]

    assert outcome(state) == (0.0, "SandboxError")
    assert str(state["error"]).endswith(f"No such file or directory: '{dataset}/task'")


def test_refused_sandbox_leaves_nothing(dataset: Path, temporary: Path) -> None:
    """A sandbox that is refused, or cannot be created, leaves nothing behind."""
    (dataset / "task" / "task.toml").write_text("")

    class Unmakable(FakeSandboxes):
        def make(self, spec: object) -> Any:
            raise RuntimeError("not made")

    envs = [
        HarborEnv("true", dataset, docker_image="refused", sandboxes=FakeSandboxes()),
        HarborEnv("true", dataset, sandboxes=Unmakable()),
    ]

    errors = [str(evaluated(env)["state"][0]["error"]) for env in envs]

    assert errors == [
        "the sandbox was not set up: SandboxUnavailable: rollout-0: needs another image",
        "the sandbox was not set up: RuntimeError: not made",
    ]
    assert list(temporary.iterdir()) == []


def test_other_sandboxes_are_deleted_if_one_does_not_stop(local: Sandboxes, temporary: Path) -> None:
    """A sandbox that does not stop does not prevent the deletion of other sandboxes."""
    client = SandboxClient(WatchedSandboxes(local, failing("stop 0", RuntimeError("stuck"))))

    async def run() -> None:
        for number in range(3):
            await client.create(SandboxRequest(f"s{number}", "debian"))
        await client.delete_all()

    with pytest.raises(RuntimeError, match="stuck"):
        asyncio.run(run())

    assert client.active == frozenset()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("agent", ["touch /app/begun; sleep 60", "true"], ids=["agent", "tests"])
def test_closed_environment_fails_its_rollouts(tmp_path: Path, local: Sandboxes, scoring: Scoring, agent: str) -> None:
    """If an environment is closed while agent or tests run, its rollouts end with an error and without a fault."""
    write_task(tmp_path / "data" / "task", tests=f"{reward(0.5)}; touch /app/begun; sleep 60")
    env = environment(tmp_path / "data", agent, local, scoring=scoring)

    async def has_begun() -> bool:
        for sandbox in env.sandbox_client.active:
            with suppress(RuntimeError):  # the sandbox does not answer commands yet
                listed = await env.sandbox_client.execute_command(sandbox, "ls /app")
                return "begun" in listed.stdout.split()
        return False

    async def run() -> State:
        evaluation = asyncio.ensure_future(env.evaluate())
        while not await has_begun():
            assert not evaluation.done()
            await asyncio.sleep(0.05)
        await env.close()
        return (await evaluation)["state"][0]

    state = asyncio.run(run())

    assert (state["reward"], state["rewards"], state["fault"]) == (0.0, None, None)
    assert state["error"] is not None


def test_failing_hook_affects_only_its_own_rollout(tmp_path: Path, local: Sandboxes) -> None:
    """If a hook raises, or returns a reward that is not a number, only its own rollout is affected."""
    for name in ("after", "before", "fine", "list", "none"):
        write_task(tmp_path / "data" / name, tests=reward(0.5))

    class Failing(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            await super().post_sandbox_setup(state)
            if state["task"] == "before":
                raise KeyError("mine")

        async def compute_reward(self, state: State) -> float:
            returned: dict[str, Any] = {"list": [0.5], "none": None}
            return returned[state["task"]] if state["task"] in returned else await super().compute_reward(state)

        async def post_rollout(self, state: State) -> None:
            await super().post_rollout(state)
            if state["task"] == "after":
                raise KeyError("mine")

    results = evaluated(Failing("true", tmp_path / "data", sandboxes=local))

    assert [outcome(state) for state in results["state"]] == [
        (0.0, "KeyError"),
        (0.0, "KeyError"),
        (0.5, None),
        (0.0, "TypeError"),
        (0.0, "TypeError"),
    ]
    assert results["metadata"]["avg_reward"] == 0.1


def test_error_that_is_its_own_cause_ends_its_rollout(dataset: Path, local: Sandboxes) -> None:
    """An exception that is its own cause is recorded like any other."""

    class Failing(HarborEnv):
        async def pre_mcp_setup(self, state: State) -> None:
            error = KeyError("mine")
            raise error from error

    results = evaluated(Failing("true", dataset, sandboxes=local))

    assert results["outputs"][0]["error"]["error_chain_str"] == "KeyError"


class _Hooks(HarborEnv):
    """An environment with a mistake, or a failing call, in the hook that has the name of the task."""

    async def build_env_vars(self, state: State) -> dict[str, str]:
        if state["task"] == "build_env_vars":
            raise KeyError("unset")
        return await super().build_env_vars(state)

    async def post_sandbox_setup(self, state: State) -> None:
        await super().post_sandbox_setup(state)
        if state["task"] == "post_sandbox_setup":
            json.loads("{")
        if state["task"] == "failing-call":
            try:
                await self.sandbox_client.execute_command("lost", "true")
            except RuntimeError as error:
                raise ValueError("no agent") from error
        if state["task"] == "failing-calls":
            async with asyncio.TaskGroup() as group:
                group.create_task(self.sandbox_client.execute_command("lost", "true"))

    async def upload_test_assets(self, sandbox_id: str, task_dir: Path) -> None:
        if task_dir.name == "upload_test_assets":
            raise ValueError("lost") from LookupError("lost")
        await super().upload_test_assets(sandbox_id, task_dir)


def test_error_of_a_hook_has_its_class_and_place(
    tmp_path: Path, local: Sandboxes, scoring: Scoring, caplog: pytest.LogCaptureFixture
) -> None:
    """What a hook raises is no failure of the infrastructure, and is logged with its class and place."""
    raised = {
        "build_env_vars": ("KeyError", 'raise KeyError("unset")'),
        "post_sandbox_setup": ("JSONDecodeError", 'json.loads("{")'),
        "upload_test_assets": ("ValueError", 'raise ValueError("lost")'),
    }
    for name in raised:
        write_task(tmp_path / "data" / name, tests=reward(0.5))

    results = evaluated(_Hooks("true", tmp_path / "data", sandboxes=local, scoring=scoring))

    lines = Path(__file__).read_text().splitlines()
    assert [outcome(state) for state in results["state"]] == [(0.0, name) for name, _ in raised.values()]
    for (hook, (name, code)), record, output in zip(raised.items(), caplog.records, results["outputs"], strict=True):
        number = next(number for number, line in enumerate(lines, 1) if code in line)
        place = f"(in _Hooks.{hook}, {__file__}:{number})"
        assert record.getMessage().startswith(f"task {hook}: {name}: ")
        assert record.getMessage().endswith(place)
        assert output["error"]["message"].endswith(place)


@pytest.mark.parametrize("name", ["failing-call", "failing-calls"])
def test_failed_call_in_a_hook_is_an_error_of_the_infrastructure(tmp_path: Path, local: Sandboxes, name: str) -> None:
    """If a call of the client fails in a hook, this is a failure of the infrastructure, whatever the hook raises."""
    write_task(tmp_path / "data" / name, tests=reward(0.5))

    state = evaluated(_Hooks("true", tmp_path / "data", sandboxes=local))["state"][0]

    assert outcome(state) == (0.0, "SandboxError")
