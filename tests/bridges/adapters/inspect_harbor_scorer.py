"""A bridge to inspect-harbor's `harbor_scorer`, and to its metric, accuracy.

The bridge uses inspect-ai's local sandbox with two changes: commands do nothing, and `read_file` reads `/logs/verifier`
from the case's directory. A score is one float; the answer is `{"reward": float}`, whatever keys the file has. Accuracy
is the mean of the scores; the answer is `{"mean": float}`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parity.runners.runner import Unsupported
from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_HARBOR = third_party("inspect_harbor")
_SCORER = third_party("inspect_ai.scorer")
_SOLVER = third_party("inspect_ai.solver")
_UTIL = third_party("inspect_ai.util")
_CONTEXT = third_party("inspect_ai.util._sandbox.context")
_LOCAL = third_party("inspect_ai.util._sandbox.local")
_REGISTRY = third_party("inspect_ai._util.registry")


class HarborScorer:
    """A runner with one scorer for all cases, and a new sandbox for each case."""

    def __init__(self) -> None:
        self.name = named("inspect-harbor")
        self.sandbox: BridgeSandbox | None = None
        self._environment = _InspectSandbox()
        self._score = _HARBOR.harbor_scorer()
        tests = task_directory() / "tests"
        self._state = _SOLVER.TaskState(
            model="none/none",
            sample_id="task",
            epoch=1,
            input="",
            messages=[],
            metadata={"tests_dir": str(tests), "test_path": str(tests / "test.sh")},
        )

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the value of the score."""
        self.sandbox = self._environment.sandbox = BridgeSandbox(directory)
        with quietly():
            return {"reward": run(self._scored()).value}

    async def _scored(self) -> Any:
        _CONTEXT.sandbox_environments_context_var.set({"default": self._environment})
        _CONTEXT.sandbox_default_context_var.set("default")
        return await self._score(self._state, _SCORER.Target(""))

    def aggregate(self, metric: str, rewards: Sequence[dict[str, Any] | None]) -> dict[str, float]:
        """Return the scorer's first metric, computed from one score for each trial.

        Raises:
            Unsupported: the metric is not the mean, or the scorer cannot return one number as the score of each trial.
        """
        if metric != "mean":
            raise Unsupported("harbor_scorer has the metrics accuracy and stderr")
        if any(reward is None or len(reward) != 1 for reward in rewards):
            raise Unsupported("a score of harbor_scorer is one number")
        scores = [_sample_score(value) for reward in rewards if reward for value in reward.values()]
        with quietly():
            return {"mean": _accuracy(self._score)(scores)}


def _accuracy(scorer: Any) -> Any:
    """Return the accuracy from the list in `@scorer(metrics=...)`."""
    metrics = _REGISTRY.registry_info(scorer).metadata["metrics"]
    return next(metric for metric in metrics if _REGISTRY.registry_info(metric).name.endswith("accuracy"))


def _sample_score(value: float) -> Any:
    return _SCORER.SampleScore(score=_SCORER.Score(value=value))


class _InspectSandbox(_LOCAL.LocalSandboxEnvironment):  # type: ignore[misc, name-defined]
    """The local sandbox of inspect-ai, where the verifier has already run."""

    sandbox: BridgeSandbox

    def __init__(self) -> None:
        super().__init__()
        self.directory.cleanup()  # nothing is written there

    async def exec(self, cmd: list[str], *rest: Any, **options: Any) -> Any:
        command = " ".join(cmd)
        self.sandbox.check(command, "mkdir -p /logs/", "/tests/test.sh", "rm -rf /", "unset TEST_DIR")
        return _UTIL.ExecResult(success=True, returncode=0, stdout="", stderr="")

    async def write_file(self, file: str, contents: str | bytes) -> None:
        self.sandbox.check(f"write {file}", "/tests/")

    async def read_file(self, file: str, text: bool = True) -> Any:
        self.sandbox.check(f"read {file}", "/logs/verifier/reward.")
        return await super().read_file(str(self.sandbox.readable(file)), text)
