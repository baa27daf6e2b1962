"""Tests that `parity run` survives being killed at random moments, often while it resumes a killed job."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.needs import need
from tests.run.kills import Killing, empty_groups, left_over
from tests.run.tasks import reward, write_task

_KILLS = 5
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
_IMPORTS = 1.0
"""Approximate seconds that the program needs to import modules and plan the job."""

_MEGABYTES = 16
"""Size of the transferred files in megabytes, so that the transfer takes a while."""

_DEAF = "for i in {1..20}; do setsid bash -c \"trap '' HUP INT TERM; while :; do sleep 1; done\" & done"
_TASKS = {
    "fails": ("exit 3", "exit 1"),
    "outlived": ("setsid sleep 3600 & echo hello > greeting.txt", f"{reward('$(wc -l < greeting.txt)')}; sleep 3600 &"),
    "deaf": (_DEAF, f"{_DEAF}; {reward(0.5)}"),
    "carried": (
        f"head -c {_MEGABYTES}M /dev/urandom > /logs/agent/noise; mkdir /logs/artifacts/{{1..500}}",
        f"cd /logs/verifier; cp /tests/large copy; ln -s /etc/passwd link; mkfifo pipe; {reward(1)}",
    ),
}
"""Solution and test script of each task, by its name."""


def _write_tasks(killing: Killing) -> None:
    for name, (solution, tests) in _TASKS.items():
        write_task(killing.directory / "tasks" / f"{killing.mark}-{name}", solution=solution, tests=tests)
    (killing.directory / "tasks" / f"{killing.mark}-carried" / "tests" / "large").write_bytes(
        os.urandom(_MEGABYTES << 20)
    )
    (killing.directory / "tmp").mkdir()


def _start(killing: Killing, job: str) -> "subprocess.Popen[bytes]":
    """Start or resume a job in its own process group, as a terminal would."""
    options = ("-n", "2", "-q", "--sandbox", killing.kind, "-o", killing.directory / "jobs", "--job-name", job)
    return subprocess.Popen(
        [sys.executable, "-m", "parity", "run", killing.directory / "tasks", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "MARK": killing.mark, "TMPDIR": str(killing.directory / "tmp")},
        start_new_session=True,
    )


def _complete(killing: Killing, job: str) -> dict[str, Any]:
    """Run a job to its end, and return its result without names and times."""
    process = _start(killing, job)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1, err.decode()
    return _outcome(killing.directory / "jobs" / job)


def _kill(killing: Killing, job: str, seconds: float, number: signal.Signals) -> bool:
    """Start or resume a job and kill it after some seconds; return False if it ended before that."""
    process = _start(killing, job)
    time.sleep(seconds)
    # Ctrl-C reaches all processes that are still in the terminal's process group.
    (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
    _, err = process.communicate(timeout=120)
    if number is signal.SIGINT and b"KeyboardInterrupt" in err and b"/parity/" not in err:
        return True  # the interpreter was still starting
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    assert code in (0, 1, 128 + number), err.decode()
    return code == 128 + number


def _outcome(job: Path) -> dict[str, Any]:
    results = [json.loads(path.read_text()) for path in job.glob("*/result.json")]
    stats = json.loads((job / "result.json").read_text())["stats"]
    for group in stats["evals"].values():
        for names in (*group["reward_stats"].values(), group["exception_stats"]):
            names |= {key: len(trials) for key, trials in names.items()}
    trials = [
        [
            each["task_name"].partition("-")[2],
            each["verifier_result"],
            (each["exception_info"] or {}).get("exception_type"),
        ]
        for each in results
    ]
    files = sorted(path.name.partition("__")[0].partition("-")[2] or path.name for path in job.iterdir())
    return {"stats": stats, "trials": sorted(trials, key=str), "files": files}


@pytest.mark.parametrize(("kind", "seed"), [("local", 0), ("local", 1), ("docker", 2)])
def test_killed_job_ends_with_the_same_result_when_resumed(tmp_path: Path, kind: str, seed: int) -> None:
    """No kill leaves anything on the host, and the resumed job ends with the same result as a job without kills."""
    need(kind)
    draw, groups = Random(seed), empty_groups()
    killing = Killing(kind, tmp_path, f"k{uuid.uuid4().hex[:10]}")
    _write_tasks(killing)
    began = time.monotonic()
    expected = _complete(killing, "job")
    takes, kills, jobs = time.monotonic() - began, 0, 0

    while kills < _KILLS:
        seconds, number = draw.uniform(0, draw.choice([_IMPORTS, takes, takes, takes])), draw.choice(_SIGNALS)
        was_killed = _kill(killing, f"job-{jobs}", seconds, number)
        assert left_over(killing, groups) == [], f"{number.name} after {seconds:.3f} s"
        if was_killed:
            kills += 1
        else:
            assert _outcome(tmp_path / "jobs" / f"job-{jobs}") == expected
            jobs += 1

    assert _complete(killing, f"job-{jobs}") == expected
    assert left_over(killing, groups) == []
