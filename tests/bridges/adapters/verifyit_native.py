"""A bridge to marin-verifyit's `run_native()`, which runs a Harbor task's script and reads the reward that it wrote.

The bridge replaces the script with one that moves the verifier's directory to the place where the reward is read. A
reward is one float; the answer is `{"reward": float}`.
"""

from pathlib import Path

from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_RUN_NATIVE = third_party("verifyit.adapters.harbor_runtime").run_native
_LOGS = "native-logs"


class Verifyit:
    """A runner that calls the function."""

    def __init__(self) -> None:
        self.name = named("marin-verifyit", "harbor_runtime")
        self._tests = task_directory()
        (self._tests / "move.sh").write_text(f"rmdir {_LOGS} && mv -T verifier {_LOGS}\n", encoding="utf-8")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward in the verdict. The directory's name must be `verifier`; it is moved back afterwards."""
        trial = directory.parent
        try:
            with quietly():
                return {"reward": _RUN_NATIVE("move.sh", self._tests, trial, trial / _LOGS)["reward"]}
        finally:
            if not directory.is_symlink() and not directory.exists():
                (trial / _LOGS).rename(directory)
