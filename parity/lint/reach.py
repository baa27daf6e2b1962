"""Finds files of the task's image that decide the reward, and that the agent can write before the tests run.

Harbor uploads tests/ after the agent has ended, so the agent's changes there are lost. But a test script may run or
read a file of the image. The agent can certainly write this file only if it is root and the verifier runs in the same
sandbox. A file that the instruction names is not reported, because it may be the agent's own work.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from parity.formats.task import TaskConfig
from parity.lint.findings import Finding
from parity.lint.image import Image, read_image
from parity.lint.scripts import LONGEST, commands, content, script_text, test_folders

_PATH = re.compile(r"(?<![\w.$}/~-])/(?!(?:tests|logs|dev|proc|tmp|usr|bin|etc/ssl)\b)[\w.-]+(?:/[\w.-]+)+")
_QUOTED_PATH = re.compile(rf"(?<=[\"'])(?:{_PATH.pattern})")
"""A path in a file that is not a shell script. It must be quoted there, because other text may be prose."""

_ANSWERS = re.compile(r"(^|[._-])(expected|golden|answers?|hidden|oracle|truth)([._-]|$)", re.IGNORECASE)
_TESTS = re.compile(rf"{_ANSWERS.pattern}|(^|[._-])(tests?|verif(y|ier)|grad(e|er|ing))([._-]|$)", re.IGNORECASE)
"""Names of test files in shell scripts. Other files may read the agent's own work, so `_ANSWERS` is used for them."""

_SOURCES = re.compile(r"^\s*(source|\.)\s")
_ROOT = (None, "root", "0", 0)


def check_reach(task: Path, config: TaskConfig) -> Iterator[Finding]:
    """Yield a finding for each file that decides the reward and that the agent can write.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
    """
    dockerfile = script_text(task / "environment" / "Dockerfile")
    image = read_image(task / "environment", dockerfile, config.environment.workdir)
    if image.user not in _ROOT:
        return
    names = {file.name for file in (task / "environment").rglob("*") if file.is_file()} - {"Dockerfile"}
    asked = "".join(map(script_text, [task / "instruction.md", *task.glob("steps/*/instruction.md")]))
    for step, folder in test_folders(task, config):
        user = config.agent.user if step is None or step.agent.user is None else step.agent.user
        if user not in _ROOT or config.is_separate(step):
            continue
        tests = _tests_in(image, [folder, task / "tests"], asked)
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            found = _run_by(file, tests, image.workdir)
            for path, line in _named(file).items():
                name = path.rpartition("/")[2]
                # A file that is sourced and not copied may be of a tool that the Dockerfile installs.
                is_there = name in names or (path in dockerfile and _TESTS.search(name))
                if is_there and name not in asked:
                    found[path] = line
            for path, line in found.items():
                what = f"{file.relative_to(task)} has {line!r}, and an agent that is root can write {path}"
                yield Finding(task, "tests-in-reach", what)


_IN_TESTS = re.compile(r"(?:^|/)(tests?|__tests__)/")


def _tests_in(image: Image, uploaded: list[Path], asked: str) -> list[str]:
    """Return the paths of test files in an image that the instruction does not name, sorted.

    A test file is in a folder named tests, or has the same content as a file of tests/. Files that are replaced when
    tests/ is uploaded are left out.
    """
    own = {f"/tests/{file.relative_to(folder)}": file for folder in uploaded for file in folder.rglob("*")}
    sizes = {file.stat().st_size for file in image.files.values()}
    texts = {content(file) for file in own.values() if file.is_file() and file.stat().st_size in sizes}
    lengths = {length for length in map(len, texts) if 0 < length < LONGEST}
    found = []
    for path, file in sorted(image.files.items()):
        within = _IN_TESTS.search(path)
        is_same = file.stat().st_size in lengths and content(file) in texts
        is_asked = file.name in asked or (within and within[1] + "/" in asked)
        if (within or is_same) and path not in own and not is_asked:
            found.append(path)
    return found


_BRINGS = re.compile(r"cat\b.*>|(cmp|cp|diff|git|install|ln|md5sum|mv|patch|rsync|sed -i|sha256sum|tar|tee|unzip)\b")
"""Commands of a script that may bring its own tests, or compare those of the image."""

_BEFORE = re.compile(r"^\s*((if|elif|while|until|then|else|do|!|\{|sudo|time)\s+)*")
_RUNS = re.compile(
    r"\b(bash|bats|bun|cargo|ctest|deno|go|gradlew?|java|jest|mocha|mvn|node|npm|npx|php|pnpm|pytest|python[\d.]*|ruby|sh|"
    r"vitest|yarn)\b"
)
_DISCOVERS = re.compile(
    r"\b(pytest|cargo (nextest|test)|(mvn|gradlew?)\b.*\b(test|verify)|jest|mocha|vitest|(npm|pnpm|yarn) (run )?test)\b"
)
"""Commands that run the tests in their working directory if they name none."""


def _run_by(script: Path, tests: list[str], workdir: str) -> dict[str, str]:
    """Return the test files of an image that a shell script runs, the first of each line, with the line."""
    found: dict[str, str] = {}
    folder = workdir
    for line in commands(script_text(script)) if script.suffix == ".sh" else ():
        for part in re.split(r"&&|[;|(]", line):
            command = _BEFORE.sub("", part)
            words = re.findall(r"[^\s\"'`=<>(){}]+", command)
            if words[:1] == ["cd"] and len(words) > 1:
                folder = posixpath.join(folder, words[1])
            elif _BRINGS.match(command) and "/logs" not in command:
                return {}
            elif _RUNS.search(command) and words[0] not in ("echo", "printf") and "install" not in words:
                found.update(dict.fromkeys(_tests_of(command, words, folder, tests)[:1], line))
    return found


def _tests_of(command: str, words: list[str], folder: str, tests: list[str]) -> list[str]:
    """Return the test files that a command runs in a folder: those that it names, else those that it discovers."""
    given = [word for word in words if not word.startswith(("-", "/logs", "/dev"))]
    paths = [posixpath.normpath(posixpath.join(folder, word.partition("::")[0])) for word in given]
    folders = [path for path in paths if _IN_TESTS.search(f"{path}/")]
    if not any("/" in word for word in given[1:]) and _DISCOVERS.search(command):
        folders.append(posixpath.normpath(folder))
    return [
        test
        for test in tests
        if test in paths or (_IN_TESTS.search(test) and any(test.startswith(f"{each}/") for each in folders))
    ]


def _named(file: Path) -> dict[str, str]:
    """Return the paths of other test files in a file of tests/, each with the first line that contains it."""
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
