"""Finds files in a task's image that decide the reward, and that the agent can write before the tests run.

Harbor uploads tests/ after the agent has ended, so the agent's changes there are lost. But a test script may run or
read a file of the image. It is certain that the agent can write this file only if the agent is root and the verifier
runs in the same sandbox. A file that the instruction names is not reported, because it may be the agent's own work.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from parity.formats.task import TaskConfig
from parity.lint.findings import Finding
from parity.lint.scripts import script_text, test_folders

_PATH = re.compile(r"(?<![\w.$}/~-])/(?!(?:tests|logs|dev|proc|tmp|usr|bin|etc/ssl)\b)[\w.-]+(?:/[\w.-]+)+")
_QUOTED_PATH = re.compile(rf"(?<=[\"'])(?:{_PATH.pattern})")
"""A path in a file that is no shell script. It must be quoted there, because other text may be prose."""

_ANSWERS = re.compile(r"(^|[._-])(expected|golden|answers?|hidden|oracle|truth)([._-]|$)", re.IGNORECASE)
_TESTS = re.compile(rf"{_ANSWERS.pattern}|(^|[._-])(tests?|verif(y|ier)|grad(e|er|ing))([._-]|$)", re.IGNORECASE)
"""Names of test files in shell scripts. Other files may read the agent's own work, so for them `_ANSWERS` is used."""

_SOURCES = re.compile(r"^\s*(source|\.)\s")
_ROOT = (None, "root", "0", 0)


def check_reach(task: Path, config: TaskConfig) -> Iterator[Finding]:
    """Yield a finding for each file that decides the reward and that the agent can write.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
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
    """Return the paths of other test files in a file of tests/, each with the first line that has it."""
    lines = script_text(file).splitlines()
    found, of_tests = (_PATH, _TESTS) if file.suffix == ".sh" else (_QUOTED_PATH, _ANSWERS)
    return {
        path: line.strip()
        for line in reversed(lines)
        for path in found.findall(line)
        if (_SOURCES.search(line) or of_tests.search(path.rpartition("/")[2])) and not _is_written(path, lines)
    }


def _is_written(path: str, lines: list[str]) -> bool:
    """Return whether the tests write the file themselves."""
    return any(
        re.search(rf"(\b(cp|mv)\b.*\s\S+\s+|>\s*|\b(tee|mkdir|rm)\b.*\s|-o\s+){re.escape(path)}(?!/\*)", line)
        for line in lines
    )
