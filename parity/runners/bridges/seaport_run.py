"""Seaport, a runner of Harbor tasks in Rust: the rewards that `seaport run` records of a trial.

It is a program, which the variable `SEAPORT` names. For each case it runs a task without an agent, unsandboxed, whose
test script leaves a copy of the case in the verifier's folder. A trial that counts as errored is an error. Its rewards
are doubles, and answered as such, whether or not they are written with a fraction.
"""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from parity.runners.bridges.task_folder import task_folder

_PROGRAM = os.environ.get("SEAPORT", "")
if not _PROGRAM:
    raise ImportError("the variable SEAPORT names no program; build seaport and set it")
_TEST = '#!/bin/sh\nrm -rf "$LOGS_DIR"\nif [ -e "$CASE" ]; then cp -a "$CASE" "$LOGS_DIR"; fi\n'


class TrialError(Exception):
    """A trial that counts as errored, whatever the reason."""


class RunError(Exception):
    """A run that has ended without a record of its trial."""


class SeaportRun:
    """One run of the program for each case."""

    def __init__(self) -> None:
        version = subprocess.run([_PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
        self.name = version.strip()

    def read_reward(self, directory: Path) -> dict[str, float]:
        """The rewards in the trial's result.json."""
        for name in ("reward.json", "reward.txt"):
            if (directory / name).is_fifo():
                raise TimeoutError(f"{name} is a pipe, of which the program would wait for the end")
        with tempfile.TemporaryDirectory(prefix="parity-bridge-") as folder:
            command = [_PROGRAM, "run", "-p", str(_task()), "--backend", "unsafe-local", "-a", "nop", "--quiet"]
            command += ["--ve", f"CASE={directory}", "--jobs-dir", folder]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)  # 1 is not its only reward
            (job,) = Path(folder).iterdir()
            if not (job / "result.json").exists():
                raise RunError(ended.stderr)
            trial = _read(job / "task" / "result.json")
            if _read(job / "result.json")["stats"]["n_errored_trials"]:
                raise TrialError(trial["error"])
            rewards: dict[str, float] = trial["rewards"]
            return rewards


@cache
def _task() -> Path:
    """The task of every case; it goes when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="parity-bridge-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    task = Path(shutil.copytree(task_folder(), folder / "task"))
    (task / "tests" / "test.sh").write_text(_TEST, encoding="utf-8")
    return task


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"), parse_int=float)
