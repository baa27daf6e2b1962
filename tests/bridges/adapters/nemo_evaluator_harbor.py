"""A bridge to `HarborEnvironment.verify()` in NeMo Evaluator, which runs the tests and reads reward.txt.

The bridge replaces the sandbox with one where the tests have already ended with exit code 0. A reward is one float; the
answer is `{"reward": float}`.
"""

import tempfile
from pathlib import Path
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox, Ended
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_ENVIRONMENT = third_party("nemo_evaluator.environments.harbor").HarborEnvironment


class NemoEvaluator:
    """A runner with a new sandbox for each case."""

    def __init__(self) -> None:
        self.name = named("nemo-evaluator", "HarborEnvironment")
        self._environment = object.__new__(_ENVIRONMENT)  # __init__ needs a dataset
        self._task = str(task_directory())

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward in the result."""
        sandbox = _EvaluatorSandbox(directory)
        with (
            tempfile.TemporaryDirectory(prefix="parity-bridge-") as temporary,
            mock.patch.object(tempfile, "tempdir", temporary),  # `verify()` leaves its downloads there
            quietly(),
        ):
            verifying = self._environment.verify("", "", sandbox, task_dir=self._task)
            return {"reward": run(verifying).reward}


class _EvaluatorSandbox(BridgeSandbox):
    """NeMo Evaluator's `Sandbox`, where the verifier has already run."""

    async def exec(self, command: str, **options: object) -> Ended:
        self.check(command, "mkdir -p /tests", "chmod -R +x /tests/", "bash /tests/test.sh")
        return Ended()

    async def upload(self, source: Path, target: str) -> None:
        self.check(f"upload {target}", "/tests/")

    async def download(self, path: str, target: Path) -> None:
        self.check(f"download {path}", "/logs/verifier/report.json", "reward.txt")
        if path == "/reward.txt":
            raise FileNotFoundError(path)
        target.write_bytes(self.readable(path).read_bytes())
