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
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
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
_KILLS = 5
_OUTLIVES = "setsid sleep 3600 &"


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
            ("outlived", f"{_OUTLIVES} echo hello > greeting.txt", f"{reward('$(wc -l < greeting.txt)')}; {_OUTLIVES}"),
        ):
            write_task(tasks / f"{self.mark}-{name}", solution=solution, tests=tests, image=IMAGE)

    def start(self, job: str) -> "subprocess.Popen[bytes]":
        """As from a terminal, in a process group of its own."""
        options = ("-n", "2", "-q", "--sandbox", self.kind, "-o", self.folder / "jobs", "--job-name", job)
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
        return self.outcome(job)

    def outcome(self, job: str) -> dict[str, Any]:
        """What a job gave that has been run to its end."""
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


def _killing(kind: str, folder: Path) -> Killing:
    """A job of quick tasks, some of which leave processes behind."""
    killing = Killing(kind, folder, f"k{uuid.uuid4().hex[:10]}")
    killing.write_tasks()
    return killing


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[dict[str, Any], float]]:
    """What the job gives on a kind of sandbox where nobody kills it, and in how many seconds."""

    @cache
    def run(kind: str) -> tuple[dict[str, Any], float]:
        killing = _killing(kind, tmp_path_factory.mktemp("undisturbed"))
        began = time.monotonic()
        outcome = killing.complete("job")
        return outcome, time.monotonic() - began

    return run


@pytest.mark.parametrize(
    ("kind", "seed", "kills"), [*(("local", seed, _KILLS) for seed in range(10)), ("docker", 10, 5)], ids=str
)
def test_killed_at_random_moments(
    tmp_path: Path, undisturbed: Callable[[str], tuple[dict[str, Any], float]], kind: str, seed: int, kills: int
) -> None:
    """No process, no container, no trial is left behind, and the job ends with the same result."""
    if reason := _missing(kind):
        pytest.skip(reason)
    random = Random(seed)
    expected, takes = undisturbed(kind)
    killing = _killing(kind, tmp_path)
    job = 0

    while kills:
        was_killed = killing.kill(f"job-{job}", random.uniform(0, takes), random.choice(_SIGNALS))
        kills -= was_killed
        assert left_running(killing.mark, docker=kind == "docker") == []
        if not was_killed:
            assert killing.outcome(f"job-{job}") == expected
            job += 1
    assert killing.complete(f"job-{job}") == expected
    assert left_running(killing.mark, docker=kind == "docker") == []
