"""Files of a task's image that decide the reward, and that the agent can write before the tests run.

Harbor uploads tests/ when the agent has ended, so that what the agent does to it is lost. What counts is a file in the
image that a test script runs or reads. Whether the agent can write it is certain only where the agent is root and the
verifier works in the same sandbox, and whether it is the agent's to write is known from the instruction.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from parity.driver.task_config import TaskConfig
from parity.lint.findings import Finding
from parity.lint.scripts import script_text, test_folders

_PATH = re.compile(r"(?<![\w.$}/~-])/(?!(?:tests|logs|dev|proc|tmp|usr|bin|etc/ssl)\b)[\w.-]+(?:/[\w.-]+)+")
_QUOTED_PATH = re.compile(rf"(?<=[\"'])(?:{_PATH.pattern})")
"""Elsewhere than in a shell script, a path without quotes is prose."""

_ANSWERS = re.compile(r"(^|[._-])(expected|golden|answers?|hidden|oracle|truth)([._-]|$)", re.IGNORECASE)
_TESTS = re.compile(rf"{_ANSWERS.pattern}|(^|[._-])(tests?|verif(y|ier)|grad(e|er|ing))([._-]|$)", re.IGNORECASE)
"""What else than a shell script names a test for may be the agent's own work, which it looks at."""

_SOURCES = re.compile(r"^\s*(source|\.)\s")
_ROOT = (None, "root", "0", 0)


def check_reach(task: Path, config: TaskConfig) -> Iterator[Finding]:
    """What the tests of a task take from the agent's reach.

    Args:
        task: its folder.
        config: what its task.toml says.
    """
    dockerfile = script_text(task / "environment" / "Dockerfile")
    users = re.findall(r"^\s*USER\s+(\S+)", dockerfile, re.MULTILINE | re.IGNORECASE)
    if users[-1:] not in ([], ["root"], ["0"]):
        return
    names = {file.name for file in (task / "environment").rglob("*") if file.is_file()} - {"Dockerfile"}
    asked = "".join(map(script_text, [task / "instruction.md", *task.glob("steps/*/instruction.md")]))
    for step, folder in test_folders(task, config):
        user = config.agent.user if step is None or step.agent.user is None else step.agent.user
        if user not in _ROOT or config.is_separate(step):
            continue
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            for path, line in _named(file).items():
                name = path.rpartition("/")[2]
                if (path in dockerfile or name in names) and name not in asked:
                    what = f"{file.relative_to(task)} has {line!r}, and an agent that is root can write {path}"
                    yield Finding(task, "tests-in-reach", what)


def _named(file: Path) -> dict[str, str]:
    """Paths by which a file of tests/ takes in other files of the tests; each with its first line."""
    lines = script_text(file).splitlines()
    found, of_tests = (_PATH, _TESTS) if file.suffix == ".sh" else (_QUOTED_PATH, _ANSWERS)
    return {
        path: line.strip()
        for line in reversed(lines)
        for path in found.findall(line)
        if (_SOURCES.search(line) or of_tests.search(path.rpartition("/")[2])) and not _is_written(path, lines)
    }


def _is_written(path: str, lines: list[str]) -> bool:
    """Whether the tests bring the file themselves."""
    return any(
        re.search(rf"(\b(cp|mv)\b.*\s\S+\s+|>\s*|\b(tee|mkdir|rm)\b.*\s|-o\s+){re.escape(path)}(?!/\*)", line)
        for line in lines
    )
