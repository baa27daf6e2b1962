"""The content of every file in a job's trials, without the parts that differ from run to run."""

import hashlib
import json
from pathlib import Path
from typing import Any

_OF_DRIVERS = {"config.json", "lock.json", "trial.log", "job.log"}
"""Documents that contain settings of the driver."""


def contents(job: Path) -> dict[str, dict[str, str]]:
    """Return the content of each file, by task and path in the trial's folder."""
    found = {}
    for result in job.glob("*/result.json"):
        folder = result.parent
        name = json.loads(result.read_text())["task_name"]
        found[name] = {
            path.relative_to(folder).as_posix(): _content(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not (path.parent == folder and path.name in _OF_DRIVERS)
        }
    return found


def _content(path: Path) -> str:
    if path.name == "result.json":
        return json.dumps(_settled(json.loads(path.read_text())), sort_keys=True)
    if path.name == "exception.txt":
        return path.read_text().strip().rpartition("\n")[2].partition(":")[0].rpartition(".")[2]
    content = path.read_bytes()
    return (
        ascii(content) if len(content) <= 200 else f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()[:16]}"
    )


_VARIABLE = {
    "id", "trial_name", "trial_uri", "config", "task_checksum", "exception_message", "exception_traceback",
    "occurred_at", "started_at", "finished_at", "version", "task_id", "source",
}  # fmt: skip


def _settled(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: _settled(value) for key, value in document.items() if key not in _VARIABLE}
    return [_settled(item) for item in document] if isinstance(document, list) else document
