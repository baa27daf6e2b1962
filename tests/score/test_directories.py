"""Tests that `parity score` recognises the directory of a job or of a verifier, and refuses any other path."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.score.actions import edit, fault, put
from tests.score.conftest import Score

_GIVE = "give the directory of a job or a verifier"


@pytest.mark.parametrize(
    ("name", "reason", "remedy"),
    [
        ("nowhere", "No such file or directory", _GIVE),
        ("file", "Not a directory", _GIVE),
        ("empty", "neither a job's (config.json, lock.json, result.json) nor a verifier's "
                  "(reward.json, reward.txt)", _GIVE),
        ("trial", "a trial's directory", "score its verifier directory, or the job's directory above it"),
    ],
)  # fmt: skip
def test_directory_without_a_job_or_rewards_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: Score, name: str, reason: str,
    remedy: str,
) -> None:  # fmt: skip
    """A path to neither a job's nor a verifier's directory is refused in one line with exit code 3."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("empty").mkdir()
    Path("trial/verifier").mkdir(parents=True)

    assert score(name) == (3, "", [fault(name, reason, remedy)])


def _as_it_is(job: Path) -> Path:
    return job


def _named_verifier(job: Path) -> Path:
    return job.rename("verifier")


def _with_a_reward(job: Path) -> Path:
    (job / "reward.txt").write_text("1")
    return job


def _with_a_verifier_directory(job: Path) -> Path:
    (job / "verifier").mkdir()
    return job


@pytest.mark.parametrize("change", [_as_it_is, _named_verifier, _with_a_reward, _with_a_verifier_directory])
def test_jobs_directory_is_recognised_beside_other_files(
    job: Path, score: Score, change: Callable[[Path], Path]
) -> None:
    """A directory with config.json and lock.json is treated as a job's, whatever else it contains."""
    job = change(job)
    assert score(job, "-q", "--check") == (0, "", [])

    edit(job / "result.json", put("stats.n_errored_trials", 3))
    assert score(job, "-q", "--check") == (1, "", [])
