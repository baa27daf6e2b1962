"""Finds faults in test scripts without running them.

Only certain faults are reported; a script that is too complicated gives no finding.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from parity.formats.task import TaskConfig, TaskStep
from parity.lint.findings import Finding

LONGEST = 1 << 20
"""The most bytes of a file that are read."""

_ERREXIT = re.compile(r"^set (-\w+ )*-(\w*e|o errexit)", re.MULTILINE)
_ENDS_OTHERWISE = re.compile(r"set \+\w*[eo]|\btrap\b")
_MAY_WRITE = re.compile(r"reward|^(?!\s*mkdir\b).*/logs/verifier(?!/[\w-]+\.\w)", re.IGNORECASE | re.MULTILINE)
"""A command that may write a reward. Commands that write a log beside it, or make its folder, do not match."""

_RUNS_TESTS = re.compile(r"\b(pytest|unittest|npm test|go test|cargo test)\b")
_RUNS_MORE = re.compile(
    r"(^|[;&|(]\s*)(\.?/(?!tests/)|(bash|sh|source|\.|python3?|node|exec)\s+"
    r"(?!/tests/|-m\s+(pytest|unittest|pip)\b|\S+/(env|activate)\b))"
)
"""A call of an unknown program, which may write a reward."""

_READS_CODE = re.compile(r"^(\w+=\$\?|if (\[\[?|test) \"?\$\?)")
_NEVER_ENDS = re.compile(r"^(if|elif|while|until|!|then|else|fi|do|done|case|\}|\w+=)|\|\||&&|\||[;\s](then|do)$")
"""A line that may fail under `set -e` without the end of the script."""


def test_folders(task: Path, config: TaskConfig) -> Iterator[tuple[TaskStep | None, Path]]:
    """Yield each folder that may have a test.sh: the task's, with None as its step, and each step's, with the step."""
    if not config.steps or any(not (task / "steps" / step.name / "tests").exists() for step in config.steps):
        yield None, task / "tests"
    for step in config.steps:
        if step.name not in ("", ".", "..") and "/" not in step.name:
            yield step, task / "steps" / step.name / "tests"


def content(file: Path) -> bytes:
    """Return the first `LONGEST` bytes of a task's file; nothing if it is no file or cannot be read."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as opened:
            return opened.read(LONGEST)
    except OSError:
        return b""


def script_text(file: Path) -> str:
    """Return the text of a task's file without comment lines; empty if the file cannot be read."""
    text = content(file).decode(errors="replace").replace("\r\n", "\n")
    return re.sub(r"^[ \t]*#.*\n?", "", text, flags=re.MULTILINE)


def commands(text: str) -> list[str]:
    """Return the lines of a script; lines that a backslash continues are joined."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    return [line.strip() for line in joined.splitlines() if line.strip()]


def check_script(task: Path, script: Path) -> Iterator[Finding]:
    """Yield the faults of a test script that are certain without running it.

    Args:
        task: the task's folder.
        script: the tests/test.sh of the task or of a step.
    """
    text = script_text(script)
    lines = commands(text)
    name = script.relative_to(task)
    if not lines:
        return
    if _gives_code_alone(task, script, lines):
        yield Finding(
            task, "exit-code-only", f"{name} ends with {lines[-1]!r}, and no file of the task writes a reward"
        )
    elif found := _stops_before_reward(text, lines):
        failing, reading = found
        yield Finding(
            task, "no-reward-on-failure", f"{name}: under set -e it ends where {failing!r} fails, before {reading!r}"
        )


def check_shebangs(task: Path) -> Iterator[Finding]:
    """Yield a finding for each script whose first line names an interpreter that ends in a carriage return."""
    for pattern, rule in (("tests/test.sh", "no-reward"), ("solution/solve.sh", "solution-fails")):
        for script in sorted([*task.glob(pattern), *task.glob(f"steps/*/{pattern}")]):
            if found := re.match(rb"#!(.*\r)\n", content(script)):
                interpreter = found[1].decode(errors="replace")
                what = f"{script.relative_to(task)} does not start: no interpreter is named {interpreter!r}"
                yield Finding(task, rule, what, "end its lines in LF, not in CRLF")


def _gives_code_alone(task: Path, script: Path, lines: list[str]) -> bool:
    """Return whether a script runs tests, but no file of the task can write a reward."""
    if not (lines[-1].startswith("exit") or _RUNS_TESTS.search(lines[-1])):
        return False
    if not any(map(_RUNS_TESTS.search, lines)) or any(map(_RUNS_MORE.search, lines)):
        return False
    folders = {script.parent, task / "tests", task / "environment"}
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    return not any(_MAY_WRITE.search(script_text(file)) for file in files)


def _stops_before_reward(text: str, lines: list[str]) -> tuple[str, str] | None:
    """Return a command and the line that reads its exit code, if `set -e` ends the script before that line."""
    if not _ERREXIT.search(text) or _ENDS_OTHERWISE.search(text):
        return None
    for before, line in pairwise(lines):
        if "reward" in before:
            return None
        if _READS_CODE.search(line) and not _NEVER_ENDS.search(before):
            return before, line
    return None
