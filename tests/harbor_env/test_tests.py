"""Tests for the directory, the files and the results of a rollout's test script."""

from pathlib import Path

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import Scoring
from parity.harbor_env.rollout import timeout_text
from tests.harbor_env.rollouts import environment, evaluated, outcome
from tests.run.tasks import write_task

_DOCKERFILE = 'FROM debian\nWORKDIR "/w x"\n'


@pytest.mark.parametrize(
    ("toml", "dockerfile", "directory"),
    [("environment.workdir = '/tmp'\nenvironment.env.VALUE = '0.5'\n", "", "/tmp"), ("", _DOCKERFILE, "/w x")],
    ids=["task.toml", "Dockerfile"],
)
def test_agent_and_tests_run_in_the_directory_of_the_task(
    tmp_path: Path, local: Sandboxes, toml: str, dockerfile: str, directory: str
) -> None:
    """Under Harbor's scoring, agent and tests run in the task's directory and with the task's variables."""
    tests = f'[ "$PWD" = "{directory}" ] && cat made > /logs/verifier/reward.txt'
    task = write_task(tmp_path / "data" / "task", tests=tests)
    (task / "task.toml").write_text(toml)
    if dockerfile:
        (task / "environment" / "Dockerfile").write_text(dockerfile)

    assert evaluated(environment(tmp_path / "data", "echo ${VALUE:-0.5} > made", local))["reward"] == [0.5]


def test_symlinks_among_the_tests_are_uploaded_unchanged(tmp_path: Path, local: Sandboxes, scoring: Scoring) -> None:
    """Symlinks are uploaded as symlinks, so no file on the host is read, and symlinks between tests work."""
    (tmp_path / "secret").write_text("of the host")
    script = "[ ! -e /tests/out ] && [ -L /tests/out ] && cat /tests/within > /logs/verifier/reward.txt"
    task = write_task(tmp_path / "data" / "task", tests=script)
    (task / "tests" / "out").symlink_to(tmp_path / "secret")
    (task / "tests" / "value").write_text("0.5")
    (task / "tests" / "within").symlink_to("value")

    assert evaluated(environment(tmp_path / "data", "true", local, scoring=scoring))["reward"] == [0.5]


@pytest.mark.parametrize(
    ("tests", "harbor", "documented"),
    [
        ("head -c 300M /dev/zero > reward.txt", "DownloadVerifierDirError", "VerifierOutputParseError"),
        ("rm -rf /logs", "DownloadVerifierDirError", "RewardFileNotFoundError"),
        ("mkdir reward.txt", "IsADirectoryError", "RewardFileNotFoundError"),
    ],
    ids=["too large", "no directory", "directory"],
)
def test_invalid_reward_file_is_a_clear_fault(
    tmp_path: Path, temporary: Path, sandboxes: Sandboxes, scoring: Scoring, tests: str, harbor: str, documented: str
) -> None:
    """A reward file that cannot be downloaded or read is a fault of one line without any directory on the host."""
    write_task(tmp_path / "data" / "task", tests=f"cd /logs/verifier\n{tests}")

    state = evaluated(environment(tmp_path / "data", "true", sandboxes, scoring=scoring))["state"][0]

    assert (*outcome(state), state["error"]) == (0.0, harbor if scoring == "harbor" else documented, None)
    assert state["fault"].isprintable()
    assert str(tmp_path) not in state["fault"]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(("seconds", "written"), [(5, "5"), (5.0, "5"), (0.25, "0.25"), (0, "0.001"), (-1, "0.001")])
def test_timeout_has_a_form_that_any_timeout_command_accepts(seconds: float, written: str) -> None:
    """A whole number is written without a decimal point, a fraction is not rounded, and 0 does not mean no limit."""
    assert timeout_text(seconds) == written
