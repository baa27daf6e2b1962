"""The bundled tasks, run in local sandboxes, and loaded with Harbor's models."""

import subprocess
import uuid
from pathlib import Path

import pytest

from parity.command import main
from tests.end_to_end.engine import IMAGE, TASKS
from tests.needs import need
from tests.run.actions import run
from tests.run.loading_results import load_job
from tests.run.tasks import reward, write_task

_QUICK = ("reward-txt", "several-keys", "multi-step-mean", "no-reward", "step-without-reward")


@pytest.mark.needs("local")
def test_harbor_loads_them(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Harbor's models load every document of the job, and `parity score` confirms them."""
    (here / "some").mkdir()
    for name in _QUICK:
        (here / "some" / name).symlink_to(TASKS / name)

    ran = run(capfd, "some", "--job-name", "j", "-k", 2, "-q", "--ve", "API_KEY=hidden-from-all")

    job, trials = load_job(Path("jobs/j"))
    assert ran.code == 1
    assert (job.n_total_trials, job.stats.n_completed_trials, job.stats.n_errored_trials) == (10, 10, 2)
    assert sorted({trial.task_name for trial in trials}) == [f"parity/{name}" for name in sorted(_QUICK)]
    assert main(["score", "--check", "--files", "jobs/j"]) == 0


@pytest.mark.docker
def test_built_images_are_listed(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The summary says how to remove the images that the engine keeps."""
    need("docker")
    name = f"built{uuid.uuid4().hex[:8]}"
    task = write_task(here / name, tests=reward(1), image=None)
    (task / "environment" / "Dockerfile").write_text(f"FROM {IMAGE}\nRUN touch /made\n")

    ran = run(capfd, name, "--sandbox", "docker", "-q")
    removed = subprocess.run(["docker", "image", "rm", f"parity-{name}"], capture_output=True)

    kept = f"built images are kept for the next run; remove them with docker image rm parity-{name}"
    assert ran.code == 0
    assert kept in ran.out.splitlines()
    assert removed.returncode == 0
