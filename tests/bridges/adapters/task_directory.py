"""The task that all cases use. The third parties need a task on disk before they score."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

_FILES = {
    "instruction.md": "Nothing to do.\n",
    "task.toml": 'version = "1.0"\n',
    "environment/Dockerfile": "FROM scratch\n",
    "tests/test.sh": "#!/bin/sh\n",
}


@cache
def dataset_directory() -> Path:
    """Return a directory with a single task, `task`; it is removed when the process ends."""
    dataset = Path(tempfile.mkdtemp(prefix="parity-bridge-"))
    atexit.register(shutil.rmtree, dataset, ignore_errors=True)
    for name, content in _FILES.items():
        path = dataset / "task" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return dataset


def task_directory() -> Path:
    """Return the directory of the task."""
    return dataset_directory() / "task"
