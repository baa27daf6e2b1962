"""Tests for options of a job that Harbor does not have."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from parity.driver.documents.resume import EarlierRuns
from parity.driver.job import run_plan
from parity.operations.goldens import read_vectors
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings
from parity.runners.clean_room import scenarios

_HUGE = Script({}, (), ({"/logs/verifier/reward.json": f'{{"reward": 1{"0" * 400}}}'},))
_SLOW = Script({0: Effect("wait", "", 5)})
_TWO = JobScenario((PLAIN_TASK, PLAIN_TASK), ScenarioSettings(AgentSettings("nop")), scripts=((_HUGE,), (_SLOW,)))
_RESUMED = next(vector.case for vector in read_vectors("run_job") if vector.id == "run-job/resume-kept/one")


@pytest.mark.parametrize("others_first", [False, True])
def test_metric_beyond_a_double_ends_the_job_at_once_by_default(
    others_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A metric beyond a double ends the job at once, as in Harbor, or on request only after all trials."""
    if others_first:
        monkeypatch.setattr(scenarios, "run_plan", partial(run_plan, others_first=True))

    with pytest.raises(ExceptionGroup):
        scenarios.run_job_scenario(_TWO, tmp_path)

    other = (tmp_path / "job" / "task-2__0000001" / "result.json").read_text()
    assert ("CancelledError" in other) != others_first


@pytest.mark.parametrize(("scenario", "times"), [(_RESUMED, 1), (_TWO, 0)])
def test_finished_trials_are_reported_once_when_resuming(
    scenario: JobScenario, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resumed job reports its finished trials once, if there are any."""
    seen: list[EarlierRuns] = []
    monkeypatch.setattr(scenarios, "run_plan", partial(run_plan, on_earlier=seen.append))

    with suppress(ExceptionGroup):
        scenarios.run_job_scenario(scenario, tmp_path)

    assert len(seen) == times
