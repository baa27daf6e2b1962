"""Kills `parity run` at random moments, often while it resumes a job that was killed before.

    python -m tests.run.kills [KILLS [SEED [KIND]]]

runs a job of friendly and hostile tasks in sandboxes of a kind (local or docker), and kills it so often by SIGINT,
SIGTERM or SIGKILL: while it imports, plans, transfers files, runs tasks, or ends. At any moment, nothing of it may be
left, and the same command must end the job as if nothing had happened. The exit code is 0 if all this holds.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.end_to_end.engine import IMAGE
from tests.needs import lack
from tests.run.processes import left_running
from tests.run.tasks import reward, write_task

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
_OUTLIVES = "setsid sleep 3600 &"
_DEAF = "setsid bash -c \"trap '' HUP INT TERM; while :; do sleep 1; done\" &"
_GROUPS_SECONDS = 120
"""Seconds to wait for control groups, whose processes end a while after their run."""

_MEGABYTES = 16
"""Megabytes of transferred files, so that the transfer takes a while."""

_TASKS = {
    "fails": ("exit 3", "exit 1"),
    "outlived": (f"{_OUTLIVES} echo hello > greeting.txt", f"{reward('$(wc -l < greeting.txt)')}; {_OUTLIVES}"),
    "deaf": (_DEAF * 20, f"{_DEAF * 20} {reward(0.5)}"),
    "carried": (
        f"head -c {_MEGABYTES}M /dev/urandom > /logs/agent/noise; mkdir /logs/artifacts/{{1..500}}",
        f"cd /logs/verifier; cp /tests/large copy; ln -s /etc/passwd link; mkfifo pipe; {reward(1)}",
    ),
}
"""Solution and test script of each task."""


@dataclass
class Killing:
    """A job that is run again and again."""

    kind: str
    folder: Path
    mark: str

    def write_tasks(self) -> None:
        """Write tasks whose names contain the mark, so that their sandboxes' names contain it, too."""
        tasks = self.folder / "tasks"
        for name, (solution, tests) in _TASKS.items():
            write_task(tasks / f"{self.mark}-{name}", solution=solution, tests=tests, image=IMAGE)
        (tasks / f"{self.mark}-carried" / "tests" / "large").write_bytes(os.urandom(_MEGABYTES << 20))

    def start(self, job: str) -> "subprocess.Popen[bytes]":
        """Start the job in its own process group, as from a terminal."""
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
        """Run the job to its end, and return its result."""
        process = self.start(job)
        _, said = process.communicate(timeout=300)
        assert process.returncode == 1, said.decode()
        return self.outcome(job)

    def outcome(self, job: str) -> dict[str, Any]:
        """Return the result of a job that has been run to its end."""
        return _outcome(self.folder / "jobs" / job)

    def kill(self, job: str, seconds: float, number: signal.Signals) -> bool:
        """Start the job and kill it after some seconds; return False if it ended before."""
        process = self.start(job)
        time.sleep(seconds)
        # Ctrl-C reaches all processes that were started from the terminal, and did not leave its group.
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        _, said = process.communicate(timeout=120)
        if number is signal.SIGINT and b"KeyboardInterrupt" in said and b"/parity/" not in said:
            return True  # Python itself was still starting, and says so in its own way
        ended = process.returncode in (0, 1)
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        assert ended or code == 128 + number, said.decode()
        return not ended


def _outcome(job: Path) -> dict[str, Any]:
    """Return the result of a job, without names and times, and the names of its files, by task."""
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


def killing_of(kind: str, folder: Path) -> Killing:
    """Return a job of quick tasks. Some leave processes behind."""
    killing = Killing(kind, folder, f"k{uuid.uuid4().hex[:10]}")
    killing.write_tasks()
    return killing


def left_over(killing: Killing, groups: frozenset[str]) -> list[str]:
    """Return everything that a finished run has left: processes, containers, mounts, control groups, keys, scratch
    files.

    Args:
        killing: the job.
        groups: the empty control groups that existed before.
    """
    left = left_running(killing.mark, docker=killing.kind == "docker")
    places = (killing.mark, str(killing.folder))
    for table in (Path("/proc/self/mountinfo"), Path("/proc/keys")):
        lines = table.read_text().splitlines() if table.exists() else []
        left += [line for line in lines if any(place in line for place in places)]
    left += [str(path) for path in (killing.folder / "tmp").iterdir()]
    return left + _stale_groups(groups)


def _stale_groups(before: frozenset[str]) -> list[str]:
    """Return the kit's control groups that stay without processes and without the process that made them."""
    stale, end = empty_groups() - before, time.monotonic() + _GROUPS_SECONDS
    while stale and time.monotonic() < end:
        time.sleep(0.1)
        stale &= empty_groups()
    return sorted(stale)


def empty_groups() -> frozenset[str]:
    """Return the control groups of finished runs, without processes."""
    folders = (folder for folder, _, _ in os.walk("/sys/fs/cgroup") if "parity-" in os.path.basename(folder))
    return frozenset(folder for folder in folders if _is_left(Path(folder)))


def _is_left(group: Path) -> bool:
    """Return whether a control group has no processes, and its run, whose number is in its name, has ended."""
    run = group.name.split("-")[1]
    return _is_empty(group / "cgroup.procs") and not Path("/proc", run).exists()


def _is_empty(processes: Path) -> bool:
    try:
        return not processes.read_text()
    except OSError:  # gone meanwhile, or none of one's own
        return False


@dataclass
class Kills:
    """Kills of a job at different moments."""

    killing: Killing
    expected: dict[str, Any]
    takes: float
    """Seconds that the job takes if it is not killed."""

    random: Random
    done: Counter[str] = field(default_factory=Counter)
    """The number of kills by signal."""

    jobs: int = 1
    _groups: frozenset[str] = field(default_factory=empty_groups)

    def once(self) -> None:
        """Start or resume the job, and kill it; if it ends before, begin another one."""
        latest = 1.0 if self.random.random() < 0.25 else self.takes  # as long as it imports and plans
        seconds, number = self.random.uniform(0, latest), self.random.choice(SIGNALS)
        was_killed = self.killing.kill(self.job, seconds, number)
        self.check_leftovers(f"{number.name} after {seconds:.3f} s of {self.job}")
        if was_killed:
            self.done[number.name] += 1
        else:
            assert self.killing.outcome(self.job) == self.expected
            self.jobs += 1

    def end(self) -> None:
        """Run the last job to its end."""
        assert self.killing.complete(self.job) == self.expected
        self.check_leftovers(f"the end of {self.job}")

    @property
    def job(self) -> str:
        """Return the name of the job that is killed."""
        return f"job-{self.jobs}"

    def check_leftovers(self, moment: str) -> None:
        """Check that nothing is left of a run."""
        left = left_over(self.killing, self._groups)
        assert left == [], f"{moment}: {left}"


def main(kills: int, seed: int, kind: str) -> None:
    """Kill the job so often, and print the counts."""
    if reason := lack(kind):
        sys.exit(reason)
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        killing = killing_of(kind, Path(folder))
        began = time.monotonic()
        run = Kills(killing, killing.complete("job-0"), time.monotonic() - began, Random(seed))
        print(f"{kind}: nobody kills the job, and it takes {run.takes:.1f} s", flush=True)
        while run.done.total() < kills:
            run.once()
            print(f"{run.done.total()} of {kills}: {run.job}", end="\r", flush=True)
        run.end()
        by = ", ".join(f"{times} {name}" for name, times in sorted(run.done.items()))
    print(f"{run.done.total()} kills ({by}) of {run.jobs} jobs: the same results, and nothing left")


if __name__ == "__main__":
    _, kills, seed, kind = [*sys.argv, *["100", "1", "local"][len(sys.argv) - 1 :]]
    main(int(kills), int(seed), kind)
