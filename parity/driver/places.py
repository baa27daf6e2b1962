"""Paths inside a sandbox, and in a trial's folder."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

LOGS_OF_AGENT = "/logs/agent"
LOGS_OF_VERIFIER = "/logs/verifier"
LOGS_OF_ARTIFACTS = "/logs/artifacts"
TESTS = "/tests"
SOLUTION = "/solution"
TEST_SCRIPT = f"{TESTS}/test.sh"
REWARDS = ("reward.json", "reward.txt")
"""Names of the reward files in the verifier's folder."""

TEST_OUTPUT = f"{LOGS_OF_VERIFIER}/test-stdout.txt"
SOLVE_SCRIPT = f"{SOLUTION}/solve.sh"
ORACLE_OUTPUT = f"{LOGS_OF_AGENT}/oracle.txt"
COMMAND_OUTPUT = f"{LOGS_OF_AGENT}/command.txt"
EXIT_CODE = "exit-code.txt"
"""Name of the file in the agent's folder that holds the exit code of a failed solution script."""


@dataclass(frozen=True)
class TrialFolder:
    """A trial's folder on the host. A multi-step trial also has a folder for each step."""

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
        """The folders that every trial starts with."""
        return self.agent, self.verifier, self.artifacts

    def step(self, name: str) -> "TrialFolder":
        """Return the folder of a step, which has the same parts."""
        return TrialFolder(self.path / "steps" / name)
