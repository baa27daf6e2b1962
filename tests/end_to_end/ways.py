"""The ways to run a dataset: this kit's driver and the wheel's, each on the sandboxes of the other too."""

import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.end_to_end.engine import missing_engine

# Without looking for garbage, of which it leaves little, among all that it imports.
_HARBOR = "import gc; gc.disable(); from harbor.cli.main import app; app()"
HARBOR = (sys.executable, "-c", _HARBOR, "run", "--yes", "--no-delete")
PARITY = (sys.executable, "-m", "parity", "run")
ON_SANDBOX = ("--environment-import-path", "parity.reference.sandbox_environment:SandboxEnvironment", "--ek")

LONGEST = 900
"""Seconds for a whole job."""


@dataclass(frozen=True)
class Way:
    """One driver on one kind of sandbox."""

    name: str
    command: tuple[str, ...]
    module: str | None = None
    """What of this kit it takes."""

    concurrent: int = 2
    docker: bool = False

    def missing(self) -> str | None:
        """Why it cannot be gone here; None if it can."""
        if self.module is not None and find_spec(self.module) is None:
            return f"{self.module} is not written yet"
        return missing_engine() if self.docker else None

    def run(self, tasks: Path, folder: Path) -> Path:
        """Run all tasks with the oracle agent.

        Returns:
            The job's folder.
        """
        name = self.name.replace(" ", "-").replace(":", "-")
        options = ("-p", tasks, "-a", "oracle", "-n", str(self.concurrent), "-q", "-o", folder, "--job-name", name)
        ran = subprocess.run([*self.command, *options], capture_output=True, text=True, timeout=LONGEST)
        if not (folder / name / "result.json").is_file():
            raise AssertionError(f"{self.name} left no job, and said:\n{ran.stdout}\n{ran.stderr}")
        return folder / name


# Harbor waits for a container's grace period when it stops one, so more of them may as well wait at once.
WAYS = (
    Way("parity on local", (*PARITY, "--sandbox", "local"), "parity.command.run"),
    Way("harbor on local", (*HARBOR, *ON_SANDBOX, "sandbox=local"), "parity.driver.sandboxes.local"),
    Way("harbor on docker", HARBOR, concurrent=6, docker=True),
    Way(
        "harbor on our docker", (*HARBOR, *ON_SANDBOX, "sandbox=docker"), "parity.driver.sandboxes.docker", docker=True
    ),
    Way("parity on docker", (*PARITY, "--sandbox", "docker"), "parity.command.run", docker=True),
    Way("parity on harbor:docker", (*PARITY, "--sandbox", "harbor:docker"), "parity.command.run", 6, docker=True),
)
