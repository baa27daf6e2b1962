"""Tests that Harbor can load a job of the bundled tasks that ran in local sandboxes."""

import subprocess
import uuid
from pathlib import Path

import pytest
from harbor.models.job.config import JobConfig
from harbor.models.job.lock import JobLock
from harbor.models.job.result import JobResult
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult

from parity.command import main
from tests.end_to_end.engine import TASKS
from tests.needs import need
from tests.run.conftest import ParityRun
from tests.run.tasks import reward, write_task
from tests.sandboxes.kinds import IMAGE

_QUICK = ("reward-txt", "several-keys", "multi-step-mean", "no-reward", "step-without-reward")


@pytest.mark.needs("local")
def test_harbor_loads_every_document_of_a_job(here: Path, parity_run: ParityRun) -> None:
    """Harbor's models load every document of the job, and `parity score` judges it right."""
    (here / "some").mkdir()
    for name in _QUICK:
        (here / "some" / name).symlink_to(TASKS / name)

    ran = parity_run("some", "--job-name", "j", "-k", 2, "-q", "--ve", "API_KEY=hidden-from-all")

    job = here / "jobs" / "j"
    JobConfig.model_validate_json((job / "config.json").read_text())
    JobLock.model_validate_json((job / "lock.json").read_text())
    for path in job.glob("*/config.json"):
        TrialConfig.model_validate_json(path.read_text())
    trials = [TrialResult.model_validate_json(path.read_text()) for path in job.glob("*/result.json")]
    whole = JobResult.model_validate_json((job / "result.json").read_text())
    assert ran.code == 1
    assert (whole.n_total_trials, whole.stats.n_completed_trials, whole.stats.n_errored_trials) == (10, 10, 2)
    assert sorted({trial.task_name for trial in trials}) == [f"parity/{name}" for name in sorted(_QUICK)]
    assert main(["score", "--check", "--files", str(job)]) == 0


@pytest.mark.docker
def test_summary_lists_the_images_that_are_kept(here: Path, parity_run: ParityRun) -> None:
    """The summary shows how to remove the images that remain in Docker after the job."""
    need("docker")
    name = f"built{uuid.uuid4().hex[:8]}"
    task = write_task(here / name, tests=reward(1), image=None)
    (task / "environment" / "Dockerfile").write_text(f"FROM {IMAGE}\nRUN touch /made\n")

    ran = parity_run(name, "--sandbox", "docker", "-q")
    removed = subprocess.run(["docker", "image", "rm", f"parity-{name}"], capture_output=True)

    kept = f"built images are kept for the next run; remove them with docker image rm parity-{name}"
    assert ran.code == 0
    assert kept in ran.out.splitlines()
    assert removed.returncode == 0
