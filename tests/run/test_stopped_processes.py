"""`parity run` of a task that repeatedly stops every process that it sees: the job ends, and leaves nothing."""

import json
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.run.processes import left_running
from tests.run.tasks import reward, write_task

_STOPS_ALL = "setsid bash -c 'while :; do kill -STOP -1; done' {mark} >/dev/null 2>&1 &"


@pytest.mark.needs("local")
def test_a_task_that_stops_every_process(tmp_path: Path) -> None:
    """The task's trial runs into its timeouts, and a concurrent trial gets its reward."""
    mark = f"stops{uuid.uuid4().hex[:8]}"
    tasks = tmp_path / "tasks"
    hostile = write_task(tasks / f"{mark}-hostile", solution=_STOPS_ALL.format(mark=mark), tests=reward(1))
    (hostile / "task.toml").write_text((hostile / "task.toml").read_text().replace("_sec = 60", "_sec = 2"))
    write_task(tasks / f"{mark}-friendly", tests=reward(1))

    ran = subprocess.run(
        [sys.executable, "-m", "parity", "run", "tasks", "--job-name", "j"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )

    results = {path.parent.name: json.loads(path.read_text()) for path in tmp_path.glob("jobs/j/*__*/result.json")}
    rewards = {name.partition("__")[0]: result["verifier_result"] for name, result in results.items()}
    assert len(results) == 2, ran.stderr
    assert rewards[f"{mark}-friendly"] == {"rewards": {"reward": 1.0}}
    assert left_running(mark, docker=False) == []
