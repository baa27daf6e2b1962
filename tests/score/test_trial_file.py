"""A trial's result.json is accepted and refused as by the wheel."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from harbor.models.trial.result import TrialResult

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan
from parity.reference.real_jobs import run_real_job
from parity.scorer.from_disk.files import FileError
from parity.scorer.from_disk.trial_file import read_trial


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return results that the wheel wrote: plain, with steps, with an error."""
    tasks = PlannedTask("plain"), PlannedTask("steps", "data", steps=2)
    plan = RealJobPlan(
        tasks,
        lambda spot: PlannedRun({"reward": 1}, agent="OSError" if spot.attempt else None, steps=(PlannedRun(),) * 2),
        attempts=2,
    )
    folder = tmp_path_factory.mktemp("job")
    job = run_real_job(folder, plan)
    found = [path.read_text() for path in job.glob("*/result.json")]
    shutil.rmtree(folder)
    return found


_FIELDS = (
    "task_name", "trial_name", "trial_uri", "source", "task_checksum", "agent_info", "agent_info.name",
    "agent_info.version", "id",
    "agent_info.model_info", "agent_info.model_info.name", "agent_result", "agent_result.n_input_tokens",
    "agent_result.n_cache_tokens", "agent_result.n_output_tokens", "agent_result.cost_usd", "verifier_result",
    "verifier_result.rewards", "verifier_result.rewards.reward", "exception_info", "exception_info.exception_type",
    "exception_info.exception_message", "exception_info.exception_traceback", "step_results", "step_results.0",
    "step_results.0.step_name", "step_results.0.agent_result", "step_results.0.agent_result.n_input_tokens",
    "step_results.0.verifier_result", "step_results.0.verifier_result.rewards", "step_results.0.exception_info",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 7, -3, 2**70, 1.5, 2.0, 1e18, -1e19, 1e300, "", "x",
    "7", "7.0", "1.5", " 7", "-0", "1_0", "1e3", "007", "inf", "true",
    [], {}, [1], {"a": 1}, {"reward": "2"}, ...,
)  # fmt: skip


@pytest.mark.parametrize("field", _FIELDS)
def test_what_the_wheel_reads(texts: list[str], tmp_path: Path, field: str) -> None:
    """For any value of a field, the scorer reads the same as the wheel, or both refuse it."""
    for value in _VALUES:
        if (field, value) == ("verifier_result.rewards.reward", None):
            continue  # Harbor writes it for nan and cannot read it again; the verifier's files are read instead
        document = _full(texts)
        place: Any = document
        *way, last = field.split(".")
        for part in way:
            place = place[int(part) if isinstance(place, list) else part]
        key = int(last) if isinstance(place, list) else last
        if value is ...:
            del place[key]
        else:
            place[key] = value

        (tmp_path / "result.json").write_text(json.dumps(document))

        assert _by_us(tmp_path) == _by_the_wheel(document), value


def _full(texts: list[str]) -> dict[str, Any]:
    """Return a result with a value in every field."""
    document: dict[str, Any] = next(json.loads(text) for text in texts if '"step_results": null' not in text)
    usage = {"n_input_tokens": 1, "n_cache_tokens": 2, "n_output_tokens": 3, "cost_usd": 0.5}
    document["agent_info"]["model_info"] = {"name": "model", "provider": None}
    document["agent_result"] = dict(usage)
    document["step_results"][0]["agent_result"] = dict(usage)
    document["verifier_result"] = {"rewards": {"reward": 1}}
    document["exception_info"] = {
        "exception_type": "OSError",
        "exception_message": "",
        "exception_traceback": "",
        "occurred_at": "2026-01-01T00:00:00",
    }
    return document


def _by_us(folder: Path) -> object:
    try:
        trial = read_trial(folder).trial
    except FileError:
        return None
    rewards = trial.rewards and [(key, type(value), value) for key, value in trial.rewards.items()]
    used = [(u.input_tokens, u.cache_tokens, u.output_tokens, u.cost) for u in trial.usage]
    return trial.name, trial.task, trial.source, trial.agent, trial.model, trial.exception, rewards, used


def _by_the_wheel(document: dict[str, Any]) -> object:
    try:
        result = TrialResult.model_validate_json(json.dumps(document))
    except ValueError:
        return None
    info = result.agent_info
    rewards = result.verifier_result and result.verifier_result.rewards
    rewards = rewards and [(key, type(value), value) for key, value in rewards.items()]
    steps = [step.agent_result for step in result.step_results or [] if step.agent_result is not None]
    contexts = [result.agent_result] if result.agent_result is not None else steps
    used = [(c.n_input_tokens, c.n_cache_tokens, c.n_output_tokens, c.cost_usd) for c in contexts]
    error = result.exception_info and result.exception_info.exception_type
    model = info.model_info and info.model_info.name
    return result.trial_name, result.task_name, result.source, info.name, model, error, rewards, used
