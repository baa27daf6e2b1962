"""Tests that a value of a wrong type in a job's files is reported with its file and field.

`tests/formats` tests the wording of the messages.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from parity.reference.lookup import lookup
from parity.scorer.job_directory.directory import read_job
from parity.scorer.job_directory.files import RESTORE, FileError
from parity.scorer.job_directory.trial_file import read_trial
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


def _without_each_key(document: Any, part: Any = None, *place: str | int) -> Iterator[tuple[str, Any]]:
    """Yield the document without each of its keys, at any depth, and the key's path."""
    part = document if part is None else part
    for key in [*part] if isinstance(part, dict) else range(len(part)):
        if isinstance(part, dict):
            changed = deepcopy(document)
            inner = changed
            for step in place:
                inner = inner[step]
            del inner[key]
            yield ".".join(map(str, (*place, key))), changed
        if isinstance(part[key], dict | list):
            yield from _without_each_key(document, part[key], *place, key)


def _accepts(read: Callable[[], object], error: type[Exception]) -> bool:
    try:
        read()
    except error:
        return False
    return True


@pytest.mark.parametrize("task", ["alone", "steps"])
def test_key_may_be_missing_where_harbor_does_not_need_it(job: Path, task: str) -> None:
    """A trial's result.json without any one of its keys is read if and only if the wheel reads it."""
    trial = trial_of(job, task)
    path = trial / "result.json"
    model: type[BaseModel] = lookup("harbor.models.trial.result", "TrialResult")
    verdicts = {}
    for place, changed in _without_each_key(json.loads(path.read_text())):
        text = json.dumps(changed)
        path.write_text(text)
        verdicts[place] = (
            _accepts(lambda text=text: model.model_validate_json(text), ValidationError),  # type: ignore[misc]
            _accepts(lambda: read_trial(trial), FileError),
        )

    assert {place for place, (wheel, scorer) in verdicts.items() if wheel != scorer} == set()
    assert verdicts["config.agent"] == (True, True)
    assert verdicts["config.task"] == (False, False)


@pytest.mark.parametrize("stats", [..., None, 3, "x", []])
def test_result_without_stats_is_judged(job: Path, score: Score, stats: object) -> None:
    """A job's result.json without an object of stats, which Harbor reads, is wrong in one place."""
    edit(job / "result.json", put("stats", stats))

    code, _, err = score(job, "--check")

    assert (code, len(err)) == (1, 2)
    assert err[1].startswith("  stats: should be an object of ")
    assert read_job(job).stored.stats.n_retries == 0
