"""A bridge to `evaluate()` of the task in terminalbench2-cube, which runs the tests and reads reward.txt.

The bridge replaces the container's terminal with one where the tests have already run. A reward is one float; the
answer is `{"reward": float}`.
"""

from pathlib import Path
from types import SimpleNamespace

from tests.bridges.adapters.sandbox import BridgeSandbox
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASK = third_party("terminalbench2_cube.task").TerminalBench2Task
_REWARD = "cat /tmp/logs/verifier/reward.txt 2>/dev/null || echo 0"


class CubeTask:
    """A runner with a new task and a new terminal for each case."""

    def __init__(self) -> None:
        self.name = named("terminalbench2-cube")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the first value that `evaluate()` returns."""
        sandbox = _CubeTerminal(directory)
        with quietly():
            return {"reward": _ResetCubeTask(sandbox).evaluate()[0]}


class _ResetCubeTask:
    """The state of a task after its reset, as far as `evaluate()` uses it, with the installed class's methods."""

    metadata = SimpleNamespace(id="task")
    evaluate = _TASK.evaluate
    _ensure_uv_preinstalled = _TASK._ensure_uv_preinstalled
    _parse_verifier_results = _TASK._parse_verifier_results
    _parse_pytest_output = _TASK._parse_pytest_output
    _exec = SimpleNamespace(max_test_timeout_sec=60)
    _task_path = None  # so that nothing is uploaded
    _tests_dir = _TASK.__private_attributes__["_tests_dir"].default
    _logs_verifier_dir = _TASK.__private_attributes__["_logs_verifier_dir"].default

    def __init__(self, terminal: BridgeSandbox) -> None:
        self.tool = terminal


class _CubeTerminal(BridgeSandbox):
    """The terminal that the task uses as a tool; its answers are strings."""

    def bash(self, command: str, **options: object) -> str:
        self.check(command, "test -x /tmp/fakehome/.local/bin/uv", "cat /tmp/logs/verifier/")
        if command == _REWARD:
            ended = self.cat("/logs/verifier/reward.txt")
            return f"{ended.stdout}{'0' if ended.exit_code else ''}"
        return "EXISTS" if "fakehome" in command else ""

    def bash_unlimited(self, command: str, **options: object) -> str:
        self.check(command, "bash /tmp/tests/test.sh")
        return ""
