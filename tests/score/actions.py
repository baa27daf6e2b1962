"""Functions that change a job's directory, or build the expected error lines about its files."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parity.scorer.job_directory.files import RESTORE


def trial_of(job: Path, task: str = "alone") -> Path:
    """Return the directory of the first trial of the task."""
    return next(iter(sorted(job.glob(f"{task}__*"))))


def edit(path: Path, change: Callable[[dict[str, Any]], object], indent: int | None = 4) -> None:
    """Change a JSON document in place, but keep its modification time, which shows when the job ran."""
    time = path.stat().st_mtime
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=False))
    os.utime(path, (time, time))


def put(field: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Return a change that sets the field to the value, or removes the field if the value is `...`."""

    def change(document: Any) -> None:
        *way, last = field.split(".")
        for part in way:
            document = document[int(part) if isinstance(document, list) else part]
        if value is ...:
            del document[last]
        else:
            document[last] = value

    return change


def fault(path: object, problem: str, remedy: str = RESTORE) -> str:
    """Return the expected error line about input that cannot be read."""
    return f"parity score: {path}: {problem}; {remedy}"


def make_huge(path: Path) -> None:
    """Turn the file into a sparse file of two gigabytes."""
    os.truncate(path, 2 << 30)
