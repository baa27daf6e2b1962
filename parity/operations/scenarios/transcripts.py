"""Transcripts of trials and jobs, which are compared. They contain the calls, the result, and all files."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from parity.operations.scenarios.document_texts import SOMETHING, Masks, is_plain, parsed
from parity.operations.scenarios.places import (
    COMMAND_OUTPUT,
    LOGS_OF_AGENT,
    LOGS_OF_VERIFIER,
    ORACLE_OUTPUT,
    SOLUTION,
    TESTS,
)
from parity.operations.scenarios.scenario import JobScenario
from parity.operations.scenarios.scripted_sandbox import Call, CallLog

type Transcript = dict[str, Any]

_RANDOM = re.compile(r"\.hb-transfer-[0-9a-f-]{36}")
_DOCUMENTS = frozenset({"config.json", "result.json", "lock.json"})
_UNRECORDED = frozenset({"trial.log", "job.log"})
"""Log files for readers. Only the existence of these files is recorded."""

CONFIG = "config.json"
"""A configuration file. In a trial's result, its name replaces `config` if both contents are equal."""


def calls_of_transcript(calls: Iterable[Call]) -> list[Transcript]:
    """Return the transcript of each call, under the call's purpose as the only key."""
    return [{_purpose(call): _call(call)} for call in calls]


def _call(call: Call) -> Transcript:
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


def transcript_of_trial(directory: Path, calls: Iterable[Call], roots: Mapping[str, Path]) -> Transcript:
    """Return the transcript of a trial, which contains its calls, its result and its files.

    Args:
        directory: the directory of the trial.
        calls: the calls that the trial's sandboxes recorded.
        roots: directories on the host, by the names that replace their paths in texts.
    """
    return _of_trial(directory, calls, Masks(_shown_roots(roots), {}))


def _of_trial(directory: Path, calls: Iterable[Call], masks: Masks) -> Transcript:
    files, texts = _contents(directory, sorted(_names(str(directory))), masks)
    result = files.pop("result.json", None)
    if isinstance(result, dict) and "config" in result and _is_same(result["config"], files.get(CONFIG)):
        result["config"] = CONFIG
    return {"calls": calls_of_transcript(calls), "result": result, "files": files, "texts": texts}


def _is_same(left: Any, right: Any) -> bool:
    """Return whether two documents are equal by type, order and bits."""
    return json.dumps(left) == json.dumps(right)


def transcript_of_job(scenario: JobScenario, job: Path, runs: Mapping[str, list[CallLog]]) -> Transcript:
    """Return the transcript of a job, with its own files, and all trials with the calls in each of their runs.

    If an earlier run left a result.json, the transcript also states whether the job kept the earlier id and start.

    Args:
        scenario: the scenario of the job.
        job: the directory of the job, which is beside the dataset.
        runs: the call logs of each trial's runs, by the trial's name.
    """
    ids: dict[str, str] = {}
    roots = {"folder": job.parent}
    names = sorted(path.name for path in job.iterdir() if not path.is_dir())
    files, texts = _contents(job, names, Masks(_shown_roots(roots), ids))
    trials: Transcript = {}
    kept = {path.name for path in job.iterdir() if path.is_dir()}  # created by an earlier run or this run
    for name in sorted(kept | runs.keys()):
        last = job / name
        masks = Masks(_shown_roots({"trial": last, **roots}), ids)
        record = _of_trial(last, (), masks) if last.exists() else {}
        trials[name] = {**record, "calls": [calls_of_transcript(log.calls) for log in runs.get(name, ())]}
    record = {"trials": trials, "files": files, "texts": texts}
    earlier = scenario.earlier.get("result.json")
    return record if earlier is None else {**record, "goes_on": _identity(json.loads(earlier), job, trials)}


def _identity(earlier: Transcript, job: Path, trials: Iterable[str]) -> Transcript:
    """Return whether the job has the id and the start of its earlier run, and whether its trials have the job's id."""
    result = _document(job / "result.json")
    ids = {trial: _document(job / trial / "config.json").get("job_id") for trial in trials}
    return {
        **{name: earlier[name] == result[name] for name in ("id", "started_at")},
        "trials": {trial: job_id == result["id"] for trial, job_id in ids.items()},
    }


def _document(path: Path) -> Transcript:
    """Return the parsed document, or an empty dict if the file does not exist."""
    document: Transcript = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return document


def _shown_roots(roots: Mapping[str, Path]) -> dict[str, str]:
    """Return the name of each directory under each spelling of its path in files: plain, in JSON, and in a URI."""
    return {
        spelling: f"<{name}>"
        for name, root in roots.items()
        for spelling in (str(root), json.dumps(str(root))[1:-1], root.as_uri().removeprefix("file://"))
    }


def _names(directory: str, above: str = "") -> Iterator[str]:
    """Yield the paths of all files and of all empty directories, which end in a slash."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield above + entry.name
            else:
                yield from list(_names(entry.path, f"{above}{entry.name}/")) or [f"{above}{entry.name}/"]


def _contents(directory: Path, names: Iterable[str], masks: Masks) -> tuple[Transcript, dict[str, str]]:
    """Return the parsed files by name, and the texts of documents whose spelling or layout parsing would lose."""
    files: Transcript = {}
    texts: dict[str, str] = {}
    for name in names:
        if name.endswith("/") or name.rpartition("/")[2] in _UNRECORDED:
            files[name] = None
            continue
        with open(f"{directory}/{name}", encoding="utf-8", newline="") as file:
            text = file.read()
        if name in _DOCUMENTS:
            text = masks.document(text)
            files[name] = parsed(text)
            if not is_plain(text):
                texts[name] = text
        else:
            files[name] = text and SOMETHING if name == "exception.txt" else masks.text(text)
    return files, texts
