"""`parity run` is killed at random moments, as often as not while it goes on after it was killed before.

Whenever that is, nothing of it goes on running, and the same command ends the job as if nothing had happened.
"""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parity.driver.sandbox import SandboxUnavailable
from parity.driver.sandboxes.local import LocalSandboxes
from tests.end_to_end.engine import IMAGE, missing_engine
from tests.run.processes import left_running
from tests.run.tasks import reward, write_task

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
_KILLS = 10


def _missing(kind: str) -> str | None:
    """Why nothing can be run in such sandboxes here; None if it can."""
    if kind == "docker":
        return missing_engine()
    try:
        LocalSandboxes().preflight()
    except SandboxUnavailable as error:
        return f"NOT KILLED IN LOCAL SANDBOXES: {error}"
    return None


@dataclass
class Killing:
    """A job that is run again and again."""

    kind: str
    folder: Path
    mark: str

    def write_tasks(self) -> None:
        """Each has the mark in its name, and so in that of its sandbox."""
        tasks = self.folder / "tasks"
        for name, solution, tests in (
            ("fails", "exit 3", "exit 1"),
            ("outlived", "setsid sleep 3600 & echo hello > greeting.txt", reward("$(wc -l < greeting.txt)")),
            ("outlived-by-test", "true", f"{reward(0.25)}; setsid sleep 3600 &"),
        ):
            write_task(tasks / f"{self.mark}-{name}", solution=solution, tests=tests, image=IMAGE)

    def start(self, job: str) -> "subprocess.Popen[bytes]":
        """As from a terminal, in a process group of its own."""
        options = ("-n", "3", "-q", "--sandbox", self.kind, "-o", self.folder / "jobs", "--job-name", job)
        scratch = self.folder / "tmp"
        scratch.mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-m", "parity", "run", self.folder / "tasks", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "MARK": self.mark, "TMPDIR": str(scratch)},
            start_new_session=True,
        )

    def complete(self, job: str) -> dict[str, Any]:
        """Run it to its end; what it gave."""
        process = self.start(job)
        _, said = process.communicate(timeout=300)
        assert process.returncode == 1, said.decode()
        return _outcome(self.folder / "jobs" / job)

    def kill(self, job: str, seconds: float, number: signal.Signals) -> bool:
        """Run it, and kill it; whether it was not faster than that."""
        process = self.start(job)
        time.sleep(seconds)
        # Ctrl-C reaches all processes that were started from the terminal, and did not leave its group.
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        _, said = process.communicate(timeout=120)
        ended = process.returncode in (0, 1)
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        assert ended or code == 128 + number, said.decode()
        return not ended


def _outcome(job: Path) -> dict[str, Any]:
    """What a job gave, without names and times; and the names of its files, in folders called after their tasks."""
    trials = sorted(path.parent for path in job.glob("*/result.json"))
    results = [json.loads((path / "result.json").read_text()) for path in trials]
    return {
        "stats": _without_names(json.loads((job / "result.json").read_text())["stats"]),
        "trials": sorted(
            (each["task_name"].partition("-")[2], (each["verifier_result"] or {}).get("rewards"), _error(each))
            for each in results
        ),
        "files": sorted(path.name.partition("__")[0].partition("-")[2] or path.name for path in job.iterdir()),
    }


def _error(result: dict[str, Any]) -> str:
    return str((result["exception_info"] or {}).get("exception_type"))


def _without_names(stats: dict[str, Any]) -> dict[str, Any]:
    for group in stats["evals"].values():
        for names in (*group["reward_stats"].values(), group["exception_stats"]):
            names |= {key: len(trials) for key, trials in names.items()}
    return stats


@pytest.fixture
def killing(kind: str, tmp_path: Path) -> Iterator[Killing]:
    """A job of quick tasks, some of which leave processes behind."""
    if reason := _missing(kind):
        pytest.skip(reason)
    killing = Killing(kind, tmp_path, f"k{uuid.uuid4().hex[:10]}")
    killing.write_tasks()
    yield killing
    assert left_running(killing.mark, docker=kind == "docker") == []


@pytest.mark.parametrize(
    ("kind", "seed", "kills"), [*(("local", seed, _KILLS) for seed in range(5)), ("docker", 5, 6)], ids=str
)
def test_killed_at_random_moments(killing: Killing, kind: str, seed: int, kills: int) -> None:
    """No process, no container, no trial is left behind, and the job ends with the same result."""
    random = Random(seed)
    began = time.monotonic()
    expected = killing.complete("whole")
    takes = time.monotonic() - began
    job = 0

    while kills:
        number = random.choice(_SIGNALS)
        was_killed = killing.kill(f"job-{job}", random.uniform(0, takes), number)
        kills -= was_killed
        assert left_running(killing.mark, docker=kind == "docker") == []
        if not was_killed or not kills or random.random() < 0.3:
            assert killing.complete(f"job-{job}") == expected
            job += 1
