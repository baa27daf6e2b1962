"""Where things are: inside a sandbox, and in a trial's folder."""

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
"""The files in the verifier's folder that give the rewards."""

TEST_OUTPUT = f"{LOGS_OF_VERIFIER}/test-stdout.txt"
SOLVE_SCRIPT = f"{SOLUTION}/solve.sh"
ORACLE_OUTPUT = f"{LOGS_OF_AGENT}/oracle.txt"
COMMAND_OUTPUT = f"{LOGS_OF_AGENT}/command.txt"
EXIT_CODE = "exit-code.txt"
"""What the oracle leaves in the agent's folder on the host, if its script fails."""


@dataclass(frozen=True)
class TrialFolder:
    """A trial's folder on the host. That of a multi-step trial has folders of its own for each step."""

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
        """The folders that every trial begins with."""
        return self.agent, self.verifier, self.artifacts

    def step(self, name: str) -> "TrialFolder":
        """The folder of a step, which has the same parts."""
        return TrialFolder(self.path / "steps" / name)
