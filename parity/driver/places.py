"""Paths in a sandbox and in a trial's directory, spelled as in Harbor."""

import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from parity.driver.threads import blocking

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

    @blocking
    def move_contents(self, target: "TrialDirectory") -> None:
        """Move the content of each part into the same part of the target. Items with the same name are replaced.

        Raises:
            OSError: an item cannot be moved or replaced.
        """
        for source, place in zip(self.parts, target.parts, strict=True):
            _move_contents(source, place)

    @blocking
    def remove_empty(self) -> None:
        """Remove the parts that are empty."""
        for directory in self.parts:
            if directory.exists() and not any(directory.iterdir()):
                directory.rmdir()


def _move_contents(source: Path, target: Path) -> None:
    items = list(source.iterdir()) if source.exists() else []
    if not items:
        return
    target.mkdir(parents=True, exist_ok=True)
    for item in items:
        moved = target / item.name
        if moved.is_dir() and not moved.is_symlink():
            shutil.rmtree(moved)
        elif moved.exists():
            moved.unlink()
        shutil.move(str(item), moved)
