"""A bridge to ageval's `evaluate()`, which runs the tests of a Harbor task and reads reward.json, or else reward.txt.

The bridge replaces the scoring host, where the tests have already run. The answer is the score as `reward`, and the
verdict's metrics: the values of the other keys. The verdict's PASS or FAIL is not used.
"""

from pathlib import Path

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox, Ended
from tests.bridges.adapters.third_party import named, quietly, third_party

_EVALUATE = third_party("ageval.harbor.evaluate").evaluate


class Ageval:
    """A runner with a new scoring host for each case."""

    def __init__(self) -> None:
        self.name = named("ageval-cli")

    def read_reward(self, directory: Path) -> dict[str, object]:
        """Return the score and the metrics of the verdict."""
        sandbox = _ScoringHost(directory)
        with quietly():
            verdict = run(_EVALUATE({"scoring": sandbox}))
        return {"reward": verdict["score"], **verdict["metrics"]}


class _ScoringHost(BridgeSandbox):
    """ageval's scoring host, whose answers are strings."""

    async def exec(self, environment: str, command: list[str]) -> Ended:
        command_line = command[-1]
        self.check(command_line, "/tests/test.sh", "cat /logs/verifier/reward.")
        return self.cat(command_line.removeprefix("cat ")) if command_line.startswith("cat ") else Ended()
