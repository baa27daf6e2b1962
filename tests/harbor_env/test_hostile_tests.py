"""Tests that leave invalid reward files: each gives a clear fault, and leaves nothing on the host."""

from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import HarborEnv, Scoring
from parity.harbor_env.env import Results
from parity.harbor_env.tasks import State
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE

type Outcome = tuple[float, str | None]


_LEFT: dict[str, tuple[str, Outcome, Outcome]] = {
    # tests, Harbor's outcome, the documented one
    "huge reward": ("head -c 300M /dev/zero > reward.txt", (0.0, "DownloadVerifierDirError"), (0.0, None)),
    "many files": ("(seq 10001 | xargs touch); echo 0.5 > reward.txt", (0.0, "DownloadVerifierDirError"), (0.5, None)),
    "pipe": ("mkfifo reward.txt", (0.0, "RewardFileNotFoundError"), (0.0, None)),
    "link out": ("ln -s /etc/hosts reward.txt", (0.0, "RewardFileNotFoundError"), (0.0, None)),
    "link to itself": ("ln -s reward.txt reward.txt", (0.0, "RewardFileNotFoundError"), (0.0, None)),
    "link within": ("mkdir x; echo 0.5 > x/y; ln -s x/y reward.txt", (0.5, None), (0.5, None)),
    "folder": ("mkdir reward.txt", (0.0, "IsADirectoryError"), (0.0, None)),
    "long JSON": ('head -c 1000000 /dev/zero | tr "\\0" " " > reward.json; echo 0.5 >> reward.json',
        (0.0, "ValidationError"), (0.5, None)),
    "deep JSON": ('head -c 1000000 /dev/zero | tr "\\0" "[" > reward.json', (0.0, "RecursionError"), (0.0, None)),
    "long number": ('head -c 1000000 /dev/zero | tr "\\0" 9 > reward.json',
        (0.0, "VerifierOutputParseError"), (float("inf"), None)),
    "bytes": ("printf '\\377' > reward.txt", (0.0, "VerifierOutputParseError"), (0.0, None)),
    "name of no UTF-8": ("touch $'\\377' $'a\\nb'; echo 0.5 > reward.txt", (0.5, None), (0.5, None)),
    "no right": ("echo 0.5 > reward.txt; chmod 0 reward.txt", (0.5, None), (0.0, None)),
    "no right to the folder": ("echo 0.5 > reward.txt; chmod 0 . /logs", (0.5, None), (0.0, None)),
    "folder is gone": ("rm -rf /logs", (0.0, "DownloadVerifierDirError"), (0.0, None)),
    "folder is a link": ("mkdir /own; echo 0.5 > /own/reward.txt; rm -rf /logs/verifier; ln -s /own /logs/verifier",
        (0.5, None), (0.5, None)),
    "folder is a file": ("rm -rf /logs/verifier; echo 1 > /logs/verifier",
        (0.0, "DownloadVerifierDirError"), (0.0, None)),
    "processes": ("(while true; do sleep 1; done) & (sleep 60 | cat) & echo 0.5 > reward.txt",
        (0.5, None), (0.5, None)),
    "killed shell": ("echo 0.5 > reward.txt; kill -9 $$", (0.5, None), (0.5, None)),
}  # fmt: skip


_UNREADABLE = ("huge reward", "link out", "deep JSON", "bytes")
_DOCUMENTED = {name: "VerifierOutputParseError" if name in _UNREADABLE else "RewardFileNotFoundError" for name in _LEFT}
"""The documented fault of those that give no reward."""


def _left(folder: Path, sandboxes: Sandboxes, scoring: Scoring) -> Results:
    for name, (tests, _, _) in _LEFT.items():
        task = write_task(folder / name, tests=f"cd /logs/verifier\n{tests}") / "task.toml"
        task.write_text(task.read_text().replace("timeout_sec = 60", "timeout_sec = 3600"))  # on a busy machine, too
    return evaluated(environment(folder, "true", sandboxes, scoring=scoring), max_concurrent=4)


def test_invalid_reward_file_is_a_clear_fault(
    tmp_path: Path, temporary: Path, sandboxes: Sandboxes, scoring: Scoring, caplog: pytest.LogCaptureFixture
) -> None:
    """Each invalid file gives a fault without an exception, and its message has one line."""
    states = _left(tmp_path / "data", sandboxes, scoring)["state"]

    expected = {name: harbor if scoring == "harbor" else documented for name, (_, harbor, documented) in _LEFT.items()}
    if scoring == "documented":
        expected |= {name: (0.0, _DOCUMENTED[name]) for name, (number, _) in expected.items() if number == 0}
    if sandboxes.name == "docker":
        # A container's root needs no right to read.
        expected |= dict.fromkeys(("no right", "no right to the folder"), (0.5, None))
    assert {state["task"]: outcome(state) for state in states} == expected
    assert list(temporary.iterdir()) == []
    assert [record.getMessage() for record in caplog.records if not record.getMessage().isprintable()] == []


@pytest.mark.parametrize("seconds", ["0.3", "0", "-1", "nan"])
def test_tests_at_their_timeout_are_a_fault(tmp_path: Path, local: Sandboxes, seconds: str) -> None:
    """Tests that run into their timeout give a fault, even if they have left a reward."""
    task = write_task(tmp_path / "data" / "task", tests="echo 1 > /logs/verifier/reward.txt; sleep 60")
    (task / "task.toml").write_text(f"verifier.timeout_sec = {seconds}\n")

    state = evaluated(environment(tmp_path / "data", "true", local))["state"][0]

    assert outcome(state) == (0.0, "VerifierTimeoutError")
    assert state["fault"] == f"VerifierTimeoutError: the tests ran into their timeout of {float(seconds)} seconds"


def test_tests_may_have_any_time(tmp_path: Path, local: Sandboxes) -> None:
    """A timeout of `inf` gives tests any time."""
    task = write_task(tmp_path / "data" / "task", tests="echo 1 > /logs/verifier/reward.txt")
    (task / "task.toml").write_text("verifier.timeout_sec = inf\n")

    assert evaluated(environment(tmp_path / "data", "true", local))["reward"] == [1.0]


def test_agent_and_tests_run_in_the_folder_of_the_task(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, agent and tests run in the task's folder, with its variables."""
    task = write_task(tmp_path / "data" / "task", tests='[ "$PWD" = /w ] && cat made > /logs/verifier/reward.txt')
    (task / "task.toml").write_text("environment.workdir = '/w'\nenvironment.env.TOLD = '0.5'\n")
    dataset = tmp_path / "data"

    class WithFolder(HarborEnv):
        async def post_sandbox_setup(self, state: State, *client: Any) -> None:
            await super().post_sandbox_setup(state)
            await self.sandbox_client.execute_command(state["sandbox_id"], "mkdir /w")

    env = WithFolder('echo "$TOLD" > made', dataset, docker_image=IMAGE, sandboxes=local)

    assert evaluated(env)["reward"] == [0.5]


def test_agent_and_tests_run_in_the_folder_of_the_dockerfile(tmp_path: Path, local: Sandboxes) -> None:
    """Under Harbor's scoring, agent and tests run in the Dockerfile's WORKDIR, without building it."""
    task = write_task(
        tmp_path / "data" / "task", tests='[ "$PWD" = "/w x" ] && cat made > /logs/verifier/reward.txt', image=None
    )
    (task / "environment" / "Dockerfile").write_text('FROM debian\nWORKDIR "/w x"\n')

    assert evaluated(environment(tmp_path / "data", "echo 0.5 > made", local))["reward"] == [0.5]


def test_links_among_the_tests_lead_to_the_sandbox(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """Links among the tests are uploaded as links, so no file of the host enters, and links between tests work."""
    (tmp_path / "secret").write_text("of the host")
    script = "[ ! -e /tests/out ] && [ -L /tests/out ] && cat /tests/within > /logs/verifier/reward.txt"
    task = write_task(tmp_path / "data" / "task", tests=script)
    (task / "tests" / "out").symlink_to(tmp_path / "secret")
    (task / "solution" / "folder").symlink_to("../../..")
    (task / "tests" / "value").write_text("0.5")
    (task / "tests" / "within").symlink_to("value")

    assert evaluated(environment(tmp_path / "data", "true", local, scoring=scoring))["reward"] == [0.5]
