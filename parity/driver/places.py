"""Paths in a sandbox and in a trial's directory, and shell commands for these paths, spelled as in Harbor."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shlex import quote

LOGS_OF_AGENT = "/logs/agent"
LOGS_OF_VERIFIER = "/logs/verifier"
LOGS_OF_ARTIFACTS = "/logs/artifacts"
TESTS = "/tests"
SOLUTION = "/solution"
TEST_SCRIPT = f"{TESTS}/test.sh"
REWARDS = ("reward.json", "reward.txt")
"""Names of the reward files in the verifier's directory."""

TEST_OUTPUT = f"{LOGS_OF_VERIFIER}/test-stdout.txt"
SOLVE_SCRIPT = f"{SOLUTION}/solve.sh"
ORACLE_OUTPUT = f"{LOGS_OF_AGENT}/oracle.txt"
COMMAND_OUTPUT = f"{LOGS_OF_AGENT}/command.txt"
EXIT_CODE = "exit-code.txt"
"""Name of the file in the agent's directory that contains the exit code of a solution script that failed."""


@dataclass(frozen=True)
class TrialDirectory:
    """A trial's directory on the host. A multi-step trial also has a directory for each step."""

    path: Path

    @cached_property
    def agent(self) -> Path:
        return self.path / "agent"

    @cached_property
    def verifier(self) -> Path:
        return self.path / "verifier"

    @cached_property
    def artifacts(self) -> Path:
        return self.path / "artifacts"

    @cached_property
    def parts(self) -> tuple[Path, Path, Path]:
        """The directories that every trial has when it starts."""
        return self.agent, self.verifier, self.artifacts

    def step(self, name: str) -> "TrialDirectory":
        """Return the directory for a step, which has the same structure as a trial's directory."""
        return TrialDirectory(self.path / "steps" / name)


def ensure_directories(paths: Iterable[str]) -> str:
    """Return a command that makes directories to which every user may write."""
    names = " ".join(map(quote, paths))
    return f"mkdir -p {names} && chmod 777 {names}"


def empty_directories(*paths: str, open_to_all: bool = False) -> str:
    """Return a command that empties directories, makes missing ones, and replaces files or symlinks in their place."""
    quoted = [quote(path) for path in paths]
    names = " ".join(quoted)
    steps = (
        *(f"if [ -L {name} ] || {{ [ -e {name} ] && [ ! -d {name} ]; }}; then rm -rf {name}; fi" for name in quoted),
        f"mkdir -p {names}",
        f"find {names} -mindepth 1 -maxdepth 1 -exec rm -rf -- {{}} +",
        *([f"chmod 777 {names}"] if open_to_all else []),
    )
    return " && ".join(steps)


def make_executable(script: str) -> str:
    """Return a command that lets every user run a script."""
    return f"chmod +x {quote(script)}"


def run_script(script: str, output: str) -> str:
    """Return a command that runs a script, and writes all its output to a file."""
    # Rule: run-trial/output-redirected
    return f"({quote(script)}) > {quote(output)} 2>&1"


def run_command(command: str, output: str) -> str:
    """Return a command that runs a shell command, and writes all its output to a file."""
    return f"({command}\n) > {quote(output)} 2>&1"
