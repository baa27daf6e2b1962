"""Blocks of commands in documents. They run in a copy of the checkout, and their output is compared with the shown one.

`tests.readme` describes the form of a block.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from parity.operations.series import running_series
from parity.scorer import OFFICIAL
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun
from tests.jobs.runs import run_real_job

ROOT = Path(__file__).parents[2].resolve()
"""The directory of the checkout."""

_BLOCK = re.compile(r"^(?P<head>```console(?P<words>(?: \w+)*)\n)(?P<shown>.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^```python\n(# (\w+\.py)\n.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (?P<command>.*(?<!\\)(?:\\\n.*(?<!\\))*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_OUTLINE = re.compile(r"^(?:DIVERGENCE in \w+|  [\w/-]+ +✗|\(exit code \d+\)$)", re.MULTILINE)
"""The lines with verdicts that a run of the suite prints in every interpreter series."""

_KIT = re.compile(r"^(?:DIVERGENCE.*?|=+ parity: .*?)(?=^\n|^=|^-+ snapshot|\Z)", re.DOTALL | re.MULTILINE)
"""The lines that the kit adds to the output of pytest."""

_PROGRAMS = {"python": "", "parity": "-m parity", "pytest": "-m pytest"}


@dataclass(frozen=True)
class Block:
    """A block of commands and their output in a document."""

    document: Path
    words: tuple[str, ...]
    """The words after `console`: the requirements of the block."""

    shown: str
    """The commands and the output, as the document shows them."""

    files: tuple[tuple[str, str], ...]
    """The content and the name of each file that the document shows."""

    def run(self) -> str:
        """Run the commands, and return the block with their output.

        Output that matches the shown output is left unchanged. The whole output of a block that runs the suite is
        compared only in the official series, because answers depend on the interpreter. In the other series, only the
        verdicts are compared.
        """
        with TemporaryDirectory() as directory:
            home = Path(directory, "checkout")
            _copy_checkout(home)
            for stage in STAGES.keys() & set(self.words):
                STAGES[stage](home)
            for text, name in self.files:
                (home / name).write_text(text, encoding="utf-8")
            loosely = "$ pytest" in self.shown and running_series() is not OFFICIAL
            commands = _COMMAND.finditer(self.shown)
            return "".join(_renewed(home, match["command"], match["output"], loosely) for match in commands)

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}: {self.shown.partition('\n')[0].removeprefix('$ ')}"


def documents() -> list[Path]:
    """Return every Markdown document in the checkout, except the instructions of tasks."""
    tops = [each for each in ROOT.iterdir() if not each.name.startswith(".")]
    paths = [path for top in tops for path in ([top] if top.suffix == ".md" else top.rglob("*.md"))]
    return sorted(path for path in paths if path.name != "instruction.md")


def blocks(document: Path) -> Iterator[Block]:
    """Yield the blocks of commands in a document, in order."""
    text = document.read_text(encoding="utf-8")
    files = tuple(_FILE.findall(text))
    for match in _BLOCK.finditer(text):
        yield Block(document, tuple(match["words"].split()), match["shown"], files)


def renew(document: Path) -> None:
    """Renew the output of the commands in a document."""
    renewed = iter([block.run() for block in blocks(document)])
    text = document.read_text(encoding="utf-8")
    document.write_text(_BLOCK.sub(lambda match: match["head"] + next(renewed), text), encoding="utf-8")


def _renewed(home: Path, command: str, shown: str, loosely: bool) -> str:
    printed = _run(home, command)
    alike = {*_OUTLINE.findall(shown)} <= {*_OUTLINE.findall(printed)} if loosely else _matches(shown, printed)
    return f"$ {command}\n{shown if alike else printed}"


def _run(home: Path, command: str) -> str:
    programs = home.parent / "bin"
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    printed = done.stdout
    if command.startswith("pytest"):
        printed = "".join(_KIT.findall(printed)) or printed
    lines = [*printed.rstrip().splitlines(), *([f"(exit code {done.returncode})"] if done.returncode else [])]
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    return re.sub(r"(?m)(?<=, in )[0-9.]+ s$", "… s", text)


def _matches(shown: str, printed: str) -> bool:
    """Return whether the printed output matches the shown one.

    A line that is only `…` matches any number of lines. A `…` within a line matches any text.
    """
    lines = ("(?:.*\n)*" if line == "…" else f"{_any(line)}\n" for line in shown.splitlines())
    return re.fullmatch("".join(lines), printed) is not None


def _any(line: str) -> str:
    return ".*".join(map(re.escape, line.split("…")))


def _copy_checkout(home: Path) -> None:
    half_compiled = shutil.ignore_patterns("*.pyc.*")  # another process is about to rename these
    for name in ("parity", "golden", "tests"):
        shutil.copytree(ROOT / name, home / name, symlinks=True, ignore=half_compiled)
    shutil.copy(ROOT / "pyproject.toml", home)
    programs = home.parent / "bin"
    programs.mkdir()
    for name, module in _PROGRAMS.items():
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (programs / name).chmod(0o755)


def _make_job(home: Path) -> None:
    """Run a job with the wheel that has several kinds of trials, and move the verifier's directory of one trial out."""
    tasks = (PlannedTask("hello", "demo"), PlannedTask("steps", "demo", steps=2), PlannedTask("slow"))

    def behave(trial_run: TrialRun) -> PlannedRun:
        reward = {"reward": 1 / 3 if trial_run.agent == "coder" else 1.0}
        error = "TimeoutError" if trial_run.task == "slow" else None
        return PlannedRun(reward, agent=error, steps=(PlannedRun(reward), PlannedRun({"reward": 0.1})))

    run_real_job(home / "jobs", RealJobPlan(tasks, behave, (("oracle", None), ("coder", "provider/model")), attempts=2))
    verifiers = sorted((home / "jobs" / "job").glob("hello__*/verifier"))
    next(path for path in verifiers if "1.0" in (path / "reward.json").read_text()).rename(home / "verifier")


STAGES: dict[str, Callable[[Path], None]] = {"job": _make_job}
"""Functions that prepare the copy of the checkout before the commands run, by their words after `console`."""
