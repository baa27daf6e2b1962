"""`parity lint` names the keys and values of task.toml that only later releases of Harbor read."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.lint.task_files import LATER, check_files
from parity.reference.separate.making import python_of
from tests.lint.tasks import CLEAN, write_task

pytestmark = pytest.mark.releases

_SCHEMA = """
import json
from harbor.models.task.config import TaskConfig
print(json.dumps(TaskConfig.model_json_schema()))
"""
_READS = """
import sys
from harbor.models.task.config import TaskConfig
TaskConfig.model_validate_toml(sys.stdin.read())
"""


def _run(release: str, code: str, given: str = "") -> subprocess.CompletedProcess[str]:
    python = str(python_of(release, print))
    return subprocess.run(
        [python, "-W", "ignore", "-c", code], input=given, capture_output=True, check=False, text=True
    )


def _keys(release: str) -> set[str]:
    """Return all keys of task.toml; keys of a step have the names of the task's keys."""
    schema = json.loads(_run(release, _SCHEMA).stdout.splitlines()[-1])

    def keys(part: dict[str, Any], within: str) -> Iterator[str]:
        for nested in filter(None, (part.get("items"), *part.get("anyOf", ()))):
            yield from keys(nested, within)
        if "$ref" in part:
            yield from keys(schema["$defs"][part["$ref"].rpartition("/")[2]], within)
        for name, field in part.get("properties", {}).items():
            yield within + name
            yield from keys(field, f"{within}{name}.")

    return {re.sub(r"^(steps\.)?(verifier\.(?=environment\.))?", "", key) for key in keys(schema, "")}


def _added(later: set[str], first: set[str]) -> set[str]:
    """Return the added keys, without those inside other added keys."""
    added = later - first
    return {key for key in added if not any(key.startswith(f"{other}.") for other in added)}


def test_later_keys() -> None:
    """`parity lint` names exactly the keys that releases added, with the right release."""
    releases = ["0.13.1", "0.20.0", "0.24.0", "0.26.0"]
    first, *later = map(_keys, releases)

    found = [_added(keys, first) for keys in later]

    assert found == [
        {key for key, since in LATER.items() if float(since) <= float(release[:4])} for release in releases[1:]
    ]


@pytest.mark.parametrize(
    ("setting", "since", "refusing", "taking"),
    [
        ("network_mode = 'allowlist'\nallowed_hosts = ['*.example.com']", "0.14", "0.13.1", "0.16.1"),
        ("network_mode = 'allowlist'\nallowed_hosts = ['10.0.0.0/8']", "0.18", "0.17.1", "0.18.0"),
        ("cpus = 0.5", "0.25", "0.24.0", "0.25.0"),
    ],
)
def test_later_values(setting: str, since: str, refusing: str, taking: str, tmp_path: Path) -> None:
    """`parity lint` names the first release that takes a value."""
    task = write_task(tmp_path / "task", CLEAN, f"[environment]\n{setting}\n")
    toml = (task / "task.toml").read_text()

    (found,) = check_files(task)

    assert f", which Harbor takes from {since} on; " in found.line()
    assert [_run(release, _READS, toml).returncode for release in (refusing, taking)] == [1, 0]
