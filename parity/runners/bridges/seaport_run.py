"""A bridge to Seaport, a runner for Harbor tasks written in Rust: the rewards that `seaport run` records for a trial.

The environment variable `SEAPORT` is the path of the program. For each case, the bridge runs a task without agent and
sandbox, whose test script copies the case into the verifier's directory. If a trial counts as errored, the bridge
raises a `TrialError`. Rewards and answers are doubles, even if a number in result.json has no fraction.
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

from parity.runners.bridges.task_directory import task_directory

_PROGRAM = os.environ.get("SEAPORT", "")
if not _PROGRAM:
    raise ImportError("SEAPORT is not set; build seaport, and set it to the path of the program")
_TEST = '#!/bin/sh\nrm -rf "$LOGS_DIR"\nif [ -e "$CASE" ]; then cp -a "$CASE" "$LOGS_DIR"; fi\n'


class TrialError(Exception):
    """The trial counts as errored, for any reason."""


class RunError(Exception):
    """The run ended without a record of its trial."""


class SeaportRun:
    """A runner that runs the program once for each case."""

    def __init__(self) -> None:
        version = subprocess.run([_PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
        self.name = version.strip()

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the rewards in the trial's result.json."""
        for name in ("reward.json", "reward.txt"):
            if (directory / name).is_fifo():
                raise TimeoutError(f"{name} is a named pipe; the program would wait for its end")
        with tempfile.TemporaryDirectory(prefix="parity-bridge-") as temporary:
            command = [_PROGRAM, "run", "-p", str(_task()), "--backend", "unsafe-local", "-a", "nop", "--quiet"]
            command += ["--ve", f"CASE={directory}", "--jobs-dir", temporary]
            # The exit code is not checked: a run can record its trial and still fail.
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            (job,) = Path(temporary).iterdir()
            if not (job / "result.json").exists():
                raise RunError(ended.stderr)
            trial = _read(job / "task" / "result.json")
            if _read(job / "result.json")["stats"]["n_errored_trials"]:
                raise TrialError(trial["error"])
            rewards: dict[str, float] = trial["rewards"]
            return rewards


@cache
def _task() -> Path:
    """Return the directory of the task that all cases use; it is removed when the process ends."""
    temporary = Path(tempfile.mkdtemp(prefix="parity-bridge-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    task = Path(shutil.copytree(task_directory(), temporary / "task"))
    (task / "tests" / "test.sh").write_text(_TEST, encoding="utf-8")
    return task


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"), parse_int=float)
