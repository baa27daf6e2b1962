"""Agents that search for the tests or plant their own files find nothing and change nothing, under any scoring."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.rollout import TESTS_ARCHIVE, bounded
from parity.harbor_env.tasks import State
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE

_TESTS = """
# {canary}
is_folder() {{ [ -d $1 ] && [ ! -L $1 ]; }}
listed() {{ ls -A $1 | grep -vx test-stdout.txt | xargs; }}
if [ "$(cat /app/work)" != done ] || ! is_folder /tests || ! is_folder /oracle || ! is_folder /logs/verifier; then
    echo 0.125
elif [ "$(listed /tests)" != "{canary} test.sh" ] || [ "$(listed /oracle)" != solve.sh ]; then
    echo 0.1
elif [ "$(listed /logs/verifier)" != "" ] || [ -e /stolen ] || cat /proc/*/cmdline | grep -qa [w]atching; then
    echo 0.0625
else
    echo 0.75
fi > /tmp/reward
cp /tmp/reward /logs/verifier/reward.txt
"""
"""Tests that give 0.75 if the agent has done its work, and nothing else has happened."""


@pytest.fixture
def canary() -> str:
    """Return a text for the name of a test, and for the content of tests and solution."""
    return f"canary-{uuid.uuid4().hex}"


@pytest.fixture
def dataset(tmp_path: Path, canary: str) -> Path:
    """Return a dataset of one task."""
    _write(tmp_path / "data" / "task", canary, "Do it.")
    return tmp_path / "data"


def _write(folder: Path, canary: str, instruction: str) -> None:
    task = write_task(folder, solution=f": {canary}", tests=_TESTS.format(canary=canary))
    (task / "tests" / canary).write_text(canary)
    (task / "instruction.md").write_text(instruction)


@pytest.mark.parametrize(
    "search",
    [
        "cat /tests/* /oracle/* /solution/*; ls -d /tests /oracle /solution; find /task -name '*.sh'; true",
        "find / \\( -path /proc -o -path /sys \\) -prune"
        " -o \\( -name 'canary-*' -o -name solve.sh -not -path '/usr/*' \\) -print; true",
        # What has not changed since is older than the tests.
        "find / \\( -path /proc -o -path /sys \\) -prune -o -type f -newerct @SINCE -print0"
        " | xargs -0r grep -slE 'canary-[0-9a-f]{32}'; true",
        "cat /proc/*/environ /proc/*/cmdline /proc/*/mountinfo | tr '\\0' '\\n' | grep -E 'canary-[0-9a-f]{32}'; true",
    ],
)
def test_agent_finds_neither_tests_nor_solution(
    dataset: Path, sandboxes: Sandboxes, scoring: Scoring, search: str
) -> None:
    """An agent finds tests and solution neither by name nor by content."""
    written = int((dataset / "task" / "tests" / "test.sh").stat().st_ctime) - 1
    search = search.replace("SINCE", str(written))
    env = environment(dataset, f"echo done > /app/work\n{search}", sandboxes, scoring=scoring)

    state = evaluated(env)["state"][0]

    assert state["agent_stdout"] == ""
    assert outcome(state) == (0.75, None)


_PLANTS = {
    "rewards": "echo 1 > /logs/verifier/reward.txt; echo '{\"reward\": 1}' > /logs/verifier/reward.json",
    "rewards in folders": "mkdir -p /logs/verifier/reward.txt/reward.json /logs/verifier/.hidden",
    "reward as a link": "echo 1 > /tmp/one; ln -s /tmp/one /logs/verifier/reward.json",
    "tests": "mkdir /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh; touch /tests/conftest.py",
    "tests as a link": "mkdir /own; touch /own/conftest.py; ln -s /own /tests",
    "tests as a loop": "ln -s /tests /tests",
    "tests as a file": "echo 1 > /tests",
    "tests as a pipe": "mkfifo /tests",
    "test.sh as a folder": "mkdir -p /tests/test.sh/test.sh",
    "test.sh as a link": "mkdir /tests; ln -s /app/work /tests/test.sh",
    "tests without a right": "mkdir -p /tests/a/b; chmod 0 /tests/a/b /tests/a /tests",
    "oracle": "mkdir -p /oracle/folder; echo 1 > /oracle/answer",
    "oracle as a link to the tests": "ln -s /tests /oracle",
    "verifier as a link": "rm -rf /logs/verifier; mkdir /own; echo 1 > /own/reward.json; ln -s /own /logs/verifier",
    "verifier as a file": "rm -rf /logs/verifier; echo 1 > /logs/verifier",
    "logs as a link": "rm -rf /logs; mkdir -p /own/verifier; echo 1 > /own/verifier/reward.json; ln -s /own /logs",
    "no logs": "rm -rf /logs",
    "no right to logs": "chmod 0 /logs",
    "no right to change the root": "chmod 555 /",
    "names that look like options": "mkdir /tests; touch -- /tests/-rf /tests/--help '/tests/a b' $'/tests/a\\nb'",
    **{
        f"archive of tests as a {kind}": command.format(TESTS_ARCHIVE)
        for kind, command in {
            "file": "echo 1 > {0}; chmod 0 {0}",
            "link": "ln -s /app/work {0}",
            "pipe": "mkfifo {0}",
            "folder": "mkdir -p {0}/a; touch {0}/b",
            "folder without a right": "mkdir -p {0}/a; chmod 0 {0}/a {0}",
        }.items()
    },
    "no right to temporary files": "chmod 0 /tmp",
    "temporary files as a file": "rm -rf /tmp; echo 1 > /tmp",
    "temporary files as a dangling link": "rm -rf /tmp; ln -s /nowhere /tmp",
    "temporary files as a link to no folder of files": "rm -rf /tmp; ln -s /proc /tmp",
    "temporary files as a link to the tests": "rm -rf /tmp; ln -s /tests /tmp",
    "no temporary files": "rm -rf /tmp",
    "options of the archiver": "export TAR_OPTIONS=--exclude=*; echo 'TAR_OPTIONS=--exclude=*' > /etc/environment",
    "scripts of the shell": "for f in ~/.bashrc ~/.bash_profile ~/.profile /etc/bash.bashrc /etc/profile; do"
    " echo 'echo 1 > /logs/verifier/reward.json' > $f; done",
}


def test_planted_files_change_nothing(tmp_path: Path, sandboxes: Sandboxes, scoring: Scoring, canary: str) -> None:
    """Planted files do not change the reward of the agent's work."""
    for name, plant in _PLANTS.items():
        _write(tmp_path / name, canary, plant)
    env = environment(tmp_path, "echo done > /app/work; bash /task/instruction.md; true", sandboxes, scoring=scoring)

    states = evaluated(env, max_concurrent=4)["state"]

    planted = {state["task"]: (*outcome(state), state["rewards"]) for state in states}
    assert planted == dict.fromkeys(_PLANTS, (0.75, None, {"reward": 0.75}))


def test_agent_that_removes_its_own_directory_is_scored(tmp_path: Path, local: Sandboxes) -> None:
    """Without the agent's folder, Harbor's scoring cannot run the tests, but the documentation's can."""
    write_task(tmp_path / "data" / "task", tests=reward(0.75))

    outcomes = {
        scoring: outcome(evaluated(environment(tmp_path / "data", "rm -rf /app", local, scoring=scoring))["state"][0])
        for scoring in ("harbor", "documented")
    }

    assert outcomes == {"harbor": (0.0, "RewardFileNotFoundError"), "documented": (0.75, None)}


_WATCHES = """setsid bash -c '
cd /logs/verifier
while true; do echo "{\\"reward\\": 1}" > /tmp/a; echo 1 > /tmp/b; mv /tmp/a reward.json; mv /tmp/b reward.txt; done
' > /dev/null 2>&1 &"""


def test_process_of_the_agent_is_ended_on_request(tmp_path: Path, sandboxes: Sandboxes, scoring: Scoring) -> None:
    """With `end_processes`, a process of the agent cannot overwrite the reward."""
    write_task(tmp_path / "data" / "task", tests="echo 0.25 > /logs/verifier/reward.txt; sleep 0.5")

    rewards = [
        evaluated(environment(tmp_path / "data", _WATCHES, sandboxes, scoring=scoring, end_processes=ends))["reward"]
        for ends in (False, True)
    ]

    assert rewards == [[1.0], [0.25]]


@pytest.mark.parametrize("calls_super", [True, False])
@pytest.mark.parametrize(("agent", "ends"), [("true", {"end_processes": True}), ("sleep 60", {"timeout_seconds": 1})])
def test_process_of_a_subclass_is_not_ended(
    tmp_path: Path, sandboxes: Sandboxes, calls_super: bool, agent: str, ends: dict[str, Any]
) -> None:
    """A process that a subclass starts is not killed, whether or not the subclass calls the extended method."""
    asks = f"kill -0 $(cat /app/server) && {reward(0.75)}"
    write_task(tmp_path / "data" / "task", tests=asks)

    class Serving(HarborEnv):
        async def post_sandbox_setup(self, state: State) -> None:
            if calls_super:
                await super().post_sandbox_setup(state)
            serve = "mkdir -p /app; sleep 3600 > /dev/null 2>&1 & echo $! > /app/server"
            await self.sandbox_client.execute_command(state["sandbox_id"], serve)

    env = Serving(agent, tmp_path / "data", docker_image=IMAGE, sandboxes=sandboxes, **ends)

    assert evaluated(env)["reward"] == [0.75]


def test_process_of_the_agent_is_ended_at_its_timeout(tmp_path: Path, sandboxes: Sandboxes, scoring: Scoring) -> None:
    """The processes of an agent that runs into its timeout are killed, in any session."""
    write_task(tmp_path / "data" / "task", tests="echo 0.25 > /logs/verifier/reward.txt; sleep 0.5")

    env = environment(tmp_path / "data", f"{_WATCHES} sleep 60", sandboxes, scoring=scoring, timeout_seconds=1)

    assert evaluated(env)["reward"] == [0.25]


def test_agent_at_its_timeout_does_not_see_the_tests(dataset: Path, sandboxes: Sandboxes, scoring: Scoring) -> None:
    """An agent that takes too long is killed before the tests are uploaded, and its work is scored."""
    agent = "echo done > /app/work; while true; do cp -r /tests /stolen 2>/dev/null; done # watching"
    env = environment(dataset, agent, sandboxes, scoring=scoring, timeout_seconds=1)

    state = evaluated(env)["state"][0]

    assert outcome(state) == (0.75, "AgentTimeoutError")
    assert (state["timed_out"], state["agent_exit_code"]) == (True, 137)


def test_fraction_of_a_second_counts(tmp_path: Path, local: Sandboxes) -> None:
    """A fraction of a second is not rounded up, and a whole number is written without a point."""
    write_task(tmp_path / "data" / "task", tests=reward(0.75))
    env = environment(tmp_path / "data", "sleep 3600", local, timeout_seconds=0.2)

    state = evaluated(env)["state"][0]

    assert (*outcome(state), state["timed_out"]) == (0.75, "AgentTimeoutError", True)
    assert [bounded("true", seconds) for seconds in (5, 5.0, 0.25)] == [
        f"timeout -s KILL {seconds} bash -c true" for seconds in ("5", "5", "0.25")
    ]


def test_agent_that_stops_its_timer_is_not_scored(
    dataset: Path, local: Sandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that cannot be killed is not scored, because it might see the tests."""
    monkeypatch.setattr("parity.harbor_env.env._GRACE_SECONDS", 1)
    env = environment(dataset, "echo done > /app/work; kill -STOP $PPID; sleep 60", local, timeout_seconds=1)

    state = evaluated(env)["state"][0]

    assert (*outcome(state), state["rewards"]) == (0.0, "SandboxError", None)
    assert str(state["error"]) == "the agent could not be ended after 1 seconds"
