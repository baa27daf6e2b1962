"""Tasks for `parity lint`, and the findings about them."""

import json
from pathlib import Path

import pytest

from parity.command import main

CLEAN = """
rm -rf /logs/verifier/reward.json /logs/verifier/reward.txt
if [ -e /tmp/solved ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""
"""A test script without faults."""


def write_task(folder: Path, tests: str, toml: str, solution: str = "touch /tmp/solved") -> Path:
    """Write a task with a test script, more of task.toml, and a solution; return its folder."""
    for name, text in {
        "task.toml": f"version = '1.0'\n{toml}",
        "instruction.md": "Create /tmp/solved.",
        "solution/solve.sh": f"#!/bin/bash\n{solution}\n",
        "tests/test.sh": f"#!/bin/bash\n{tests}\n",
        "environment/Dockerfile": "FROM scratch\n",
        "environment/checks.sh": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def lint(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, set[str]]]:
    """Return the exit code, and the rules of the findings about each task."""
    code = main(["lint", "--json", *map(str, arguments)])
    found: dict[str, set[str]] = {}
    for each in json.loads(capfd.readouterr().out):
        found.setdefault(Path(each["task"]).name, set()).add(each["rule"])
    return code, found
