"""Tests that a value of a wrong type in a job's files is reported with its file and field.

`tests/formats` tests the wording of the messages.
"""

from pathlib import Path

import pytest

from parity.scorer.from_disk.files import RESTORE
from tests.score.actions import edit, fault, put, trial_of
from tests.score.conftest import Score

_WITH_HARBOR = "score this job with Harbor"


@pytest.mark.parametrize(
    ("name", "field", "value", "reason"),
    [
        ("TRIAL/result.json", "trial_name", 7, "trial_name must be a string, not 7"),
        ("TRIAL/result.json", "trial_uri", ..., "trial_uri is missing"),
        ("TRIAL/result.json", "id", "alone", "id must be a UUID, not 'alone'"),
        ("TRIAL/result.json", "config.task", 3, "config.task must be an object, not 3"),
        ("TRIAL/result.json", "agent_info.model_info", {}, "agent_info.model_info.name is missing"),
        (
            "TRIAL/result.json", "verifier_result.rewards.reward", "high",
            "verifier_result.rewards.reward must be a number, not 'high'",
        ),
        ("TRIAL/result.json", "started_at", "noon", "started_at must be a time, not 'noon'"),
        ("TRIAL/result.json", "step_results", [{}], "step_results[0].step_name is missing"),
        ("config.json", "metrics", {}, "metrics must be an array, not an object"),
        (
            "config.json", "metrics", [{"type": "uv-script"}],
            "metrics[0] is a uv-script, a program that only Harbor runs",
        ),
        (
            "config.json", "metrics", [{"kwargs": {"key": "speed"}}],
            "metrics[0].kwargs has key, but mean takes no options",
        ),
        ("config.json", "datasets", [{}], "datasets[0] must have either a path or a name"),
        ("lock.json", "trials.1.agent", ..., "trials[1].agent is missing"),
        ("lock.json", "trials", "all", "trials must be an array, not 'all'"),
        ("result.json", "id", None, "id must be a UUID, not null"),
        ("result.json", "started_at", "2026-13-01", "started_at must be a time, not '2026-13-01'"),
        ("result.json", "stats.n_retries", "x", "stats.n_retries must be an integer, not 'x'"),
    ],
)  # fmt: skip
def test_wrong_type_is_reported(job: Path, score: Score, name: str, field: str, value: object, reason: str) -> None:
    """A value that Harbor's models refuse is reported with its file and field."""
    path = job / name.replace("TRIAL", trial_of(job).name)
    edit(path, put(field, value))

    assert score(job) == (3, "", [fault(path, reason, _WITH_HARBOR if "is a uv-script" in reason else RESTORE)])
