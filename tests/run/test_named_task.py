"""Tests that a task that is named directly runs without the directory `environment`, as in Harbor."""

import shutil
from pathlib import Path

import pytest

from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Script
from parity.reference import recorded
from parity.runners.clean_room import scenarios
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan
from tests.jobs.runs import run_real_job
from tests.run.actions import document
from tests.run.conftest import ParityRun

pytestmark = pytest.mark.usefixtures("scripts")


def test_task_that_is_named_directly_needs_no_environment(dataset: Path, parity_run: ParityRun) -> None:
    """Like Harbor, this driver runs a task without `environment` if it is named directly, but not in a dataset."""
    (dataset / "two" / "environment").rmdir()
    harbor = {name: _harbor_trials(name) for name in ("set", None)}

    ran = parity_run(dataset / "two", "-q", "--job-name", "j")

    assert harbor == {"set": 1, None: 2}
    assert (ran.code, ran.err, document("jobs/j/result.json")["n_total_trials"]) == (0, [], 1)


def _harbor_trials(dataset: str | None) -> int:
    """Run both tasks in a job of the wheel, in a dataset or named directly, and return the number of trials."""
    directory = Path(f"harbor-{dataset}").absolute()
    shutil.copytree("data", directory / ("tasks" if dataset is None else f"datasets/{dataset}"))
    for toml in directory.rglob("task.toml"):
        toml.write_text("")  # in-memory sandboxes cannot forbid the network
    tasks = tuple(PlannedTask(name, dataset) for name in ("one", "two"))
    job = run_real_job(directory, RealJobPlan(tasks, lambda trial_run: PlannedRun({"reward": 1})))
    return int(document(job / "result.json")["n_total_trials"])


@pytest.mark.parametrize("toml", ["", 'environment.docker_image = "made:1"\n'], ids=["no image", "image"])
def test_trial_without_environment_equals_that_of_the_wheel(tmp_path: Path, toml: str) -> None:
    """A trial without the directory makes the same calls and records as in the wheel, with and without an image."""
    files = {"instruction.md": "Do it.\n", "solution/solve.sh": "true\n", "tests/test.sh": "true\n"}
    script = Script(tests=[{"/logs/verifier/reward.txt": "1"}])
    scenario = TrialScenario(TaskFiles(toml, files), ScenarioSettings(), script)
    directories = [tmp_path / name for name in ("wheel", "ours")]
    for directory in directories:
        directory.mkdir()

    expected = recorded.run_trial_scenario(scenario, directories[0])
    actual = scenarios.run_trial_scenario(scenario, directories[1])

    assert expected == actual
    assert actual["result"]["verifier_result"] == {"rewards": {"reward": 1.0}}
