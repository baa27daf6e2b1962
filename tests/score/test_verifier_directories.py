"""Tests that `parity score` prints the rewards in a verifier's directory, or Harbor's error."""

import os
import resource
from pathlib import Path

import pytest

from tests.score.actions import fault, make_huge
from tests.score.conftest import Score


def test_rewards_are_printed(tmp_path: Path, score: Score) -> None:
    """The rewards are printed as JSON."""
    (tmp_path / "reward.json").write_text('{"speed": true, "reward": 1}')

    assert score(tmp_path) == (0, '{"speed": 1.0, "reward": 1}\n', [])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "RewardFileNotFoundError: "),
        ("{", "VerifierOutputParseError: Failed to parse verifier/reward.json as JSON (Expecting property name"),
        ("[1]", "ValidationError: rewards: should be an object of numbers, is [1]"),
        ("[" * 200_000, "RecursionError: "),
    ],
)
def test_invalid_rewards_give_harbors_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: Score, content: str | None, reason: str
) -> None:
    """Without valid rewards, the exit code is 1, and Harbor's kind of error is printed unless `--quiet` is given."""
    monkeypatch.chdir(tmp_path)
    Path("verifier").mkdir()
    if content is not None:
        Path("verifier/reward.json").write_text(content)

    code, out, err = score("verifier")

    assert (code, out, len(err)) == (1, "", 1)
    assert err[0].startswith(reason)
    assert score("verifier", "-q") == (1, "", [])


def test_pipe_is_read_as_an_empty_file(tmp_path: Path, score: Score) -> None:
    """A pipe in place of a reward file is read as an empty file, as in Harbor."""
    os.mkfifo(tmp_path / "reward.txt")

    code, _, err = score(tmp_path)

    assert (code, err) == (1, [f"RewardFileEmptyError: Reward file is empty at {tmp_path}/reward.txt"])


def test_huge_reward_file_is_refused(tmp_path: Path, score: Score) -> None:
    """A reward file that is too large is refused with its size and the limit."""
    (tmp_path / "reward.txt").touch()
    make_huge(tmp_path / "reward.txt")

    code, _, err = score(tmp_path)

    assert code == 3
    assert err == [fault(tmp_path / "reward.txt", "2,147,483,648 bytes, more than the 67,108,864 that are read")]


@pytest.mark.needs("modes")
def test_reward_file_without_read_permission_is_reported(tmp_path: Path, score: Score) -> None:
    """A reward file without read permission is reported in one line with the remedy."""
    (tmp_path / "reward.txt").write_text("1")
    (tmp_path / "reward.txt").chmod(0)

    code, _, err = score(tmp_path)

    assert (code, err) == (
        3,
        [fault(tmp_path / "reward.txt", "may not be read", "make it readable, with chmod u+r")],
    )


def test_unused_reward_file_may_be_huge(tmp_path: Path, score: Score) -> None:
    """If there is a reward.json, reward.txt is not used and may have any size."""
    (tmp_path / "reward.json").write_text('{"reward": 1}')
    (tmp_path / "reward.txt").touch()
    make_huge(tmp_path / "reward.txt")
    limits = resource.getrlimit(resource.RLIMIT_AS)

    # Less than the file's size is left, so that reading it fails instead of taking the machine's memory.
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), limits[1]))
    try:
        scored = score(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)

    assert scored == (0, '{"reward": 1}\n', [])


@pytest.mark.parametrize(
    ("content", "printed", "verdict"),
    [
        ('{"a": NaN, "b": -Infinity}', '{"a": NaN, "b": -Infinity}\n', "reward.json has valid rewards"),
        ("null", "null\n", "reward.json has null in place of rewards"),
    ],
)
def test_check_prints_no_rewards(tmp_path: Path, score: Score, content: str, printed: str, verdict: str) -> None:
    """`--check` prints only the verdict, and with `--quiet` not even that."""
    (tmp_path / "reward.json").write_text(content)

    assert score(tmp_path) == (0, printed, [])
    assert score(tmp_path, "--check") == (0, "", [verdict])
    assert score(tmp_path, "--check", "-q") == (0, "", [])
