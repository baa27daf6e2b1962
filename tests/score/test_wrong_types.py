"""Values of a wrong type in a job's files are named by file and field; lax values of Harbor's models are accepted."""

from pathlib import Path

import pytest

from parity.scorer.from_disk.files import RESTORE
from tests.score.actions import edit, fault, put, score, trial_of

_ERROR = {"exception_type": "E", "exception_message": "", "exception_traceback": "", "occurred_at": "noon"}
_WRONG = [
    ("trial_name", 7, "trial_name must be a string, not 7"),
    ("trial_name", ..., "trial_name is missing"),
    ("task_name", None, "task_name must be a string, not null"),
    ("source", [], "source must be a string, not an array"),
    ("trial_uri", ..., "trial_uri is missing"),
    ("task_checksum", ..., "task_checksum is missing"),
    ("task_id", "x", "task_id must be an object, not 'x'"),
    ("config", None, "config must be an object, not null"),
    ("config", "alone", "config must be an object, not 'alone'"),
    ("config.agent", 3, "config.agent must be an object, not 3"),
    ("id", "alone", "id must be a UUID, not 'alone'"),
    ("agent_info.version", None, "agent_info.version must be a string, not null"),
    ("exception_info", _ERROR, "exception_info.occurred_at must be a time, not 'noon'"),
    ("config.task", 3, "config.task must be an object, not 3"),
    ("agent_info", None, "agent_info must be an object, not null"),
    ("agent_info.name", True, "agent_info.name must be a string, not a boolean"),
    ("agent_info.model_info", "m", "agent_info.model_info must be an object, not 'm'"),
    ("agent_info.model_info", {}, "agent_info.model_info.name is missing"),
    ("verifier_result", 1, "verifier_result must be an object, not 1"),
    ("verifier_result.rewards", [1], "verifier_result.rewards must be an object, not an array"),
    ("verifier_result.rewards.reward", "high", "verifier_result.rewards.reward must be a number, not 'high'"),
    ("verifier_result.rewards.reward", [], "verifier_result.rewards.reward must be a number, not an array"),
    ("exception_info", "no", "exception_info must be an object, not 'no'"),
    ("exception_info", {}, "exception_info.exception_type is missing"),
    ("agent_result", 5, "agent_result must be an object, not 5"),
    ("agent_result.n_input_tokens", 1.5, "agent_result.n_input_tokens must be an integer, not 1.5"),
    ("agent_result.n_cache_tokens", "x", "agent_result.n_cache_tokens must be an integer, not 'x'"),
    ("agent_result.n_output_tokens", {}, "agent_result.n_output_tokens must be an integer, not an object"),
    ("agent_result.cost_usd", "x", "agent_result.cost_usd must be a number, not 'x'"),
    ("started_at", "noon", "started_at must be a time, not 'noon'"),
    ("finished_at", [], "finished_at must be a time, not an array"),
    ("step_results", {}, "step_results must be an array, not an object"),
    ("step_results", [1], "step_results[0] must be an object, not 1"),
    ("step_results", [{}], "step_results[0].step_name is missing"),
]


@pytest.mark.parametrize(("field", "value", "reason"), _WRONG)
@pytest.mark.parametrize("indent", [4, None])
def test_wrong_types(
    job: Path, capfd: pytest.CaptureFixture[str], field: str, value: object, reason: str, indent: int | None
) -> None:
    """A value that Harbor's models refuse is named by file and field, whatever the layout."""
    trial = trial_of(job)
    edit(trial / "result.json", put(field, value), indent)

    assert score(capfd, job) == (3, "", [fault(trial / "result.json", reason)])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("agent_result.n_input_tokens", "10"),
        ("agent_result.n_input_tokens", 10.0),
        ("agent_result.cost_usd", "0.1"),
        ("source", None),
        ("agent_info.model_info", None),
        ("exception_info", None),
        ("step_results", []),
    ],
)
def test_lax_types(job: Path, capfd: pytest.CaptureFixture[str], field: str, value: object) -> None:
    """A value that Harbor's models convert to a number is accepted."""
    edit(trial_of(job) / "result.json", put(field, value))

    assert score(capfd, job, "-q")[0] == 0


_WRONG_JOB = [
    ("config.json", "metrics", [{"type": "uv-script"}], "metrics[0] is a uv-script, a program that only Harbor runs"),
    (
        "config.json",
        "metrics",
        [{"type": "median"}],
        "metrics[0].type must be 'sum', 'min', 'max', 'mean' or 'uv-script', not 'median'",
    ),
    ("config.json", "metrics", [{"kwargs": {"key": "speed"}}], "metrics[0].kwargs has key, but mean takes no options"),
    ("config.json", "metrics", [{"kwargs": 1}], "metrics[0].kwargs must be an object, not 1"),
    ("config.json", "metrics", {}, "metrics must be an array, not an object"),
    ("config.json", "datasets", [1], "datasets[0] must be an object, not 1"),
    ("config.json", "datasets", [{}], "datasets[0] must have either a path or a name"),
    ("lock.json", "trials", [{}], "trials[0].task is missing"),
    ("lock.json", "trials", [{"task": 1}], "trials[0].task must be an object, not 1"),
    ("lock.json", "trials", [5], "trials[0] must be an object, not 5"),
    ("lock.json", "trials.1.agent", ..., "trials[1].agent is missing"),
    ("lock.json", "trials.1.agent", "oracle", "trials[1].agent must be an object, not 'oracle'"),
    ("lock.json", "trials", "all", "trials must be an array, not 'all'"),
    ("result.json", "id", None, "id must be a UUID, not null"),
    ("result.json", "updated_at", "soon", "updated_at must be a time, not 'soon'"),
    ("result.json", "id", "job", "id must be a UUID, not 'job'"),
    ("result.json", "started_at", None, "started_at must be a time, not null"),
    ("result.json", "started_at", "2026-13-01", "started_at must be a time, not '2026-13-01'"),
    ("result.json", "finished_at", "", "finished_at must be a time, not ''"),
    ("result.json", "finished_at", {}, "finished_at must be a time, not an object"),
    ("result.json", "stats", [], "stats must be an object, not an array"),
    ("result.json", "stats.n_retries", "x", "stats.n_retries must be an integer, not 'x'"),
]


@pytest.mark.parametrize(("name", "field", "value", "reason"), _WRONG_JOB)
def test_wrong_types_in_the_job(
    job: Path, capfd: pytest.CaptureFixture[str], name: str, field: str, value: object, reason: str
) -> None:
    """Values of a wrong type in config.json, lock.json and result.json are named, too."""
    edit(job / name, put(field, value))

    code, out, err = score(capfd, job)

    assert (code, out) == (3, "")
    assert err == [
        fault(f"job/{name}", reason, "score this job with Harbor" if "is a uv-script" in reason else RESTORE)
    ]
