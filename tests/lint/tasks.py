"""Tasks to look at, and what `parity lint` finds in them."""

import json
from pathlib import Path

import pytest

from parity.command import main

CLEAN = """
rm -rf /logs/verifier/reward.json /logs/verifier/reward.txt
if [ -e /tmp/solved ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""
"""A test script with nothing wrong."""


def write_task(folder: Path, tests: str, toml: str, solution: str = "touch /tmp/solved") -> Path:
    """Write a task with a test script, what else its task.toml says, and a solution; its folder."""
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
    """The exit code, and the rules that were found by the name of each task."""
    code = main(["lint", "--json", *map(str, arguments)])
    found: dict[str, set[str]] = {}
    for each in json.loads(capfd.readouterr().out):
        found.setdefault(Path(each["task"]).name, set()).add(each["rule"])
    return code, found
