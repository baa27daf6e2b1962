"""What is compared of a trial or job that was played: the calls, the files, and the results without ids and times."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parity.driver.places import COMMAND_OUTPUT, LOGS_OF_AGENT, LOGS_OF_VERIFIER, ORACLE_OUTPUT, SOLUTION, TESTS
from parity.driver.sandboxes.recording import Call, Recording

type Record = dict[str, Any]

_RANDOM = re.compile(r"\.hb-transfer-[0-9a-f-]{36}")
_UNTOLD = frozenset({"trial.log", "exception.txt", "job.log"})
"""Files whose text is for people: only that they are there is recorded."""


def told_calls(calls: Iterable[Call]) -> list[Record]:
    """Each call under the name of what it is for."""
    return [{_purpose(call): _told(call)} for call in calls]


def _told(call: Call) -> Record:
    return {key: _RANDOM.sub(".hb-transfer", value) if isinstance(value, str) else value for key, value in call.items()}


def _purpose(call: Call) -> str:
    match call:
        case {"call": "exec", "command": str(command)}:
            return _purpose_of_command(command)
        case {"call": "upload", "target": str(target)}:
            return f"upload-{_PLACES.get(target, 'files')}"
        case {"call": "download", "source": str(source)}:
            return f"download-{_PLACES.get(source, 'artifact')}"
    return str(call["call"])


_PLACES = {
    TESTS: "tests",
    SOLUTION: "solution",
    LOGS_OF_AGENT: "agent-logs",
    LOGS_OF_VERIFIER: "verifier-logs",
    ORACLE_OUTPUT: "oracle-output",
}
_COMMANDS = (
    (r"chmod \+x /tests/", "allow-tests"),
    (r"chmod \+x /solution/", "allow-solution"),
    (r"mkdir -p /logs/", "make-log-folders"),
    (r"if \[ -L ", "empty-folder"),
    (r"test -d ", "look-for-folder"),
    (r"pwd$", "ask-working-directory"),
    (r"bash .*setup\.sh", "set-up"),
    (r"\(/tests/test\.sh\)", "run-tests"),
    (r"\(/solution/solve\.sh\)", "run-solution"),
    (rf"\(.*\) > {COMMAND_OUTPUT} ", "run-command"),
    (r"tar czf ", "pack-artifact"),
    (r"rm -f /tmp/", "remove-archive"),
)


def _purpose_of_command(command: str) -> str:
    return next((name for pattern, name in _COMMANDS if re.match(pattern, command, re.DOTALL)), "check-health")


def record_of_trial(folder: Path, calls: Iterable[Call], roots: Mapping[str, Path]) -> Record:
    """A trial: its calls, its result, and its files.

    Args:
        folder: the trial's.
        calls: what its sandboxes recorded.
        roots: names for folders of the host, which stand for them in texts.
    """
    told = _told_roots(roots)
    files = {name: _content(f"{folder}/{name}", told) for name in sorted(_names(str(folder)))}
    return {"calls": told_calls(calls), "result": _result(files.pop("result.json", None)), "files": files}


def record_of_job(folder: Path, runs: Mapping[str, list[Recording]], roots: Mapping[str, Path]) -> Record:
    """A job: each trial with the calls of all its runs, and the job's own files.

    Args:
        folder: the job's.
        runs: from a trial's name to what its runs recorded.
        roots: names for folders of the host, which stand for them in texts.
    """
    told = _told_roots(roots)
    trials: Record = {}
    for name in sorted(runs):
        last = folder / name
        record = record_of_trial(last, (), {"trial": last, **roots}) if last.exists() else {}
        trials[name] = {**record, "calls": [told_calls(recording.calls) for recording in runs[name]]}
    names = sorted(path.name for path in folder.iterdir() if not path.is_dir())
    return {"trials": trials, "files": {name: _content(f"{folder}/{name}", told) for name in names}}


def _told_roots(roots: Mapping[str, Path]) -> dict[str, str]:
    """What stands for each folder, by all spellings that files have of it: plain, in JSON and in a URI."""
    return {
        spelling: f"<{name}>"
        for name, root in roots.items()
        for spelling in (str(root), json.dumps(str(root))[1:-1], root.as_uri().removeprefix("file://"))
    }


def _names(folder: str, above: str = "") -> Iterator[str]:
    """All files and empty folders, the latter with a slash."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield above + entry.name
            else:
                yield from list(_names(entry.path, f"{above}{entry.name}/")) or [f"{above}{entry.name}/"]


def _content(path: str, told: Mapping[str, str]) -> Any:
    name = path.rpartition("/")[2]
    if not name or name in _UNTOLD:
        return None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for root, short in told.items():
        text = text.replace(root, short)
    if name in ("config.json", "result.json", "lock.json"):
        return _without_identity(json.loads(text))
    return text


_IDS = frozenset({"id", "job_id"})
_LEFT_OUT = frozenset({"exception_message", "exception_traceback", "invocation", "harbor"})
"""Texts for people, and who ran it."""


def _without_identity(value: Any) -> Any:
    """A document without what differs from run to run: ids and times are only told to be there."""
    if isinstance(value, list):
        return [_without_identity(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _untold(key, item) for key, item in value.items() if key not in _LEFT_OUT}


def _untold(key: str, value: Any) -> Any:
    if value is not None and (key in _IDS or key.endswith("_at")):
        return "…"
    if key in ("include_exceptions", "exclude_exceptions") and value is not None:
        return sorted(value)  # a set of Harbor's
    return _without_identity(value)


def _result(document: Any) -> Any:
    """A trial's result; its configuration is that of config.json."""
    return document and {key: value for key, value in document.items() if key != "config"}
