"""Tests that hostile agents gain nothing under any scoring.

They plant rewards and tests, keep processes running, or stop their timer. Attacks on the sandbox, and through the files
that tests leave, are in `tests/run/attacks.py`.
"""

from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.hooks import State
from parity.harbor_env.rollout import TESTS_ARCHIVE
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE

_TESTS = """
is_directory() { [ -d $1 ] && [ ! -L $1 ]; }
listed() { ls -A $1 | grep -vx test-stdout.txt | xargs; }
if ! is_directory /tests || ! is_directory /oracle || ! is_directory /logs/verifier; then
    echo 0.125
elif [ "$(listed /tests)" != test.sh ] || [ "$(listed /oracle)" != solve.sh ] || [ "$(listed /logs/verifier)" ]; then
    echo 0.25
else
    cat /app/work
fi > /tmp/reward
cp /tmp/reward /logs/verifier/reward.txt
"""
"""Tests that give the agent's number as the reward, unless the agent has left other files in their directories."""

_PLANTS = {
    "rewards": "echo 1 > /logs/verifier/reward.txt; echo '{\"reward\": 1}' > /logs/verifier/reward.json",
    "rewards in directories": "mkdir -p /logs/verifier/reward.txt/reward.json /logs/verifier/.hidden",
    "tests": "mkdir /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh; touch /tests/conftest.py",
    "tests as a link": "mkdir /own; touch /own/conftest.py; ln -s /own /tests",
    "tests as a pipe": "mkfifo /tests",
    "test.sh as a directory": "mkdir -p /tests/test.sh/test.sh",
    "tests without a right": "mkdir -p /tests/a/b; chmod 0 /tests/a/b /tests/a /tests",
    "oracle as a link to the tests": "ln -s /tests /oracle",
    "verifier as a link": "rm -rf /logs/verifier; mkdir /own; echo 1 > /own/reward.json; ln -s /own /logs/verifier",
    "no logs": "rm -rf /logs",
    "no right to logs": "chmod 0 /logs",
    "no right to change the root": "chmod 555 /",
    "archive of tests as a link": f"ln -s /app/work {TESTS_ARCHIVE}",
    "archive of tests as a directory without a right": f"mkdir -p {TESTS_ARCHIVE}/a; chmod 0 {TESTS_ARCHIVE}",
    "no right to temporary files": "chmod 0 /tmp",
    "temporary files as a file": "rm -rf /tmp; echo 1 > /tmp",
    "temporary files as a link to the tests": "rm -rf /tmp; ln -s /tests /tmp",
}


def test_planted_files_change_nothing(tmp_path: Path, sandboxes: Sandboxes, scoring: Scoring) -> None:
    """Planted rewards, tests and archives do not change the reward for the agent's work."""
    for name, plant in _PLANTS.items():
        task = write_task(tmp_path / name, solution="true", tests=_TESTS)
        (task / "instruction.md").write_text(plant)
    agent = "echo 0.75 > /app/work; [ ! -e /tests ] && [ ! -e /oracle ] && bash /task/instruction.md; true"
    env = environment(tmp_path, agent, sandboxes, scoring=scoring)

    states = evaluated(env, max_concurrent=4)["state"]

    planted = {state["task"]: (*outcome(state), state["rewards"]) for state in states}
    assert planted == dict.fromkeys(_PLANTS, (0.75, None, {"reward": 0.75}))


_OVERWRITES = """setsid bash -c '
until [ -s /logs/verifier/reward.txt ]; do sleep 0.05; done
echo 1 > /logs/verifier/reward.txt
' > /dev/null 2>&1 &"""
_UNTIL_OVERWRITTEN = "until grep -q 1 /logs/verifier/reward.txt; do sleep 0.05; done"


@pytest.mark.parametrize(
    ("agent", "wait", "options", "expected"),
    [
        (_OVERWRITES, _UNTIL_OVERWRITTEN, {}, (1.0, None)),
        (_OVERWRITES, "sleep 0.5", {"end_processes": True}, (0.25, None)),
        (f"{_OVERWRITES} sleep 60", "sleep 0.5", {"timeout_seconds": 1}, (0.25, "AgentTimeoutError")),
    ],
    ids=["kept", "ended on request", "ended at the timeout"],
)
def test_agent_process_is_ended_on_request_or_timeout(
    tmp_path: Path,
    sandboxes: Sandboxes,
    scoring: Scoring,
    agent: str,
    wait: str,
    options: dict[str, Any],
    expected: tuple[float, str | None],
) -> None:
    """With `end_processes`, and after a timeout, no process of the agent can overwrite the reward."""
    write_task(tmp_path / "data" / "task", tests=f"echo 0.25 > /logs/verifier/reward.txt; {wait}")
    env = environment(tmp_path / "data", agent, sandboxes, scoring=scoring, **options)

    state = evaluated(env)["state"][0]

    assert outcome(state) == expected


@pytest.mark.parametrize("calls_super", [True, False])
def test_process_that_a_subclass_starts_is_not_ended(tmp_path: Path, local: Sandboxes, calls_super: bool) -> None:
    """A process that a subclass's method starts is not killed, whether or not the method calls `super()`."""
    write_task(tmp_path / "data" / "task", tests=f"kill -0 $(cat /app/server) && {reward(0.75)}")

    class Serving(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            if calls_super:
                await super().post_sandbox_setup(state)
            serve = "mkdir -p /app; sleep 3600 > /dev/null 2>&1 & echo $! > /app/server"
            await self.sandbox_client.execute_command(state["sandbox_id"], serve)

    env = Serving("true", tmp_path / "data", docker_image=IMAGE, sandboxes=local, end_processes=True)

    assert evaluated(env)["reward"] == [0.75]


def test_agent_that_stops_its_timer_is_not_scored(
    tmp_path: Path, local: Sandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that cannot be killed is not scored, because it might see the tests."""
    monkeypatch.setattr("parity.harbor_env.env._GRACE_SECONDS", 1)
    write_task(tmp_path / "data" / "task", tests=reward(1))
    env = environment(tmp_path / "data", "kill -STOP $PPID; sleep 60", local, timeout_seconds=1)

    state = evaluated(env)["state"][0]

    assert (*outcome(state), state["rewards"]) == (0.0, "SandboxError", None)
    assert str(state["error"]) == "the agent could not be killed after 1 seconds"


def test_agent_that_removes_its_own_directory_is_scored(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """Without the agent's directory, tests cannot run under Harbor's scoring, but can under the documented one."""
    write_task(tmp_path / "data" / "task", tests=reward(0.75))

    state = evaluated(environment(tmp_path / "data", "rm -rf /app", local, scoring=scoring))["state"][0]

    assert outcome(state) == ((0.0, "RewardFileNotFoundError") if scoring == "harbor" else (0.75, None))
