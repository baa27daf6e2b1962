"""The ways to run a dataset: with this kit's driver or the wheel's, on the kit's or the wheel's sandboxes."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.needs import lack

_HARBOR = "from harbor.cli.main import app; app()"
HARBOR = (sys.executable, "-c", _HARBOR, "run", "--yes", "--no-delete")
PARITY = (sys.executable, "-m", "parity", "run")
ON_SANDBOX = ("--environment-import-path", "parity.reference.sandbox_environment:SandboxEnvironment", "--ek")

LONGEST = 900
"""The time limit for a whole job, in seconds."""


@dataclass(frozen=True)
class Way:
    """One driver on one kind of sandbox."""

    name: str
    command: tuple[str, ...]
    concurrent: int = 2
    docker: bool = False

    def missing(self) -> str | None:
        """Return the reason why this way does not work here, or None if it does."""
        return lack("docker" if self.docker else "local")

    def run(self, tasks: Path, directory: Path) -> Path:
        """Run all tasks with the oracle agent.

        Returns:
            The job's directory.
        """
        name = self.name.replace(" ", "-").replace(":", "-")
        options = ("-p", tasks, "-a", "oracle", "-n", str(self.concurrent), "-q", "-o", directory, "--job-name", name)
        ran = subprocess.run([*self.command, *options], capture_output=True, encoding="utf-8", timeout=LONGEST)
        if not (directory / name / "result.json").is_file():
            raise AssertionError(f"{self.name} left no finished job, and printed:\n{ran.stdout}\n{ran.stderr}")
        return directory / name


# Harbor waits for the grace period when it stops a container, so more trials run at once.
WAYS = (
    Way("parity on local", (*PARITY, "--sandbox", "local")),
    Way("harbor on local", (*HARBOR, *ON_SANDBOX, "sandbox=local")),
    Way("harbor on docker", HARBOR, concurrent=6, docker=True),
    Way("harbor on our docker", (*HARBOR, *ON_SANDBOX, "sandbox=docker"), docker=True),
    Way("parity on docker", (*PARITY, "--sandbox", "docker"), docker=True),
    Way("parity on harbor:docker", (*PARITY, "--sandbox", "harbor:docker"), 6, docker=True),
)
