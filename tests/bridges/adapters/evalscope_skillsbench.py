"""A bridge to `_run_verifier()` and `match_score()` of evalscope's SkillsBench.

Its tasks have Harbor's format, with different directories. The bridge replaces the sandbox with one where commands only
print files in `/logs/verifier`. A score is one float; the answer is `{"reward": float}`.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_ADAPTER = third_party("evalscope.benchmarks.skillsbench.skillsbench_adapter").SkillsBenchAdapter
_DATASET = third_party("evalscope.api.dataset")
_EVALUATOR = third_party("evalscope.api.evaluator")
_OUTPUT = third_party("evalscope.api.model")


class SkillsBench:
    """A runner with one adapter for all cases, and a new sample and a new sandbox for each case."""

    def __init__(self) -> None:
        self.name = named("evalscope", "SkillsBench")
        self._adapter = object.__new__(_ADAPTER)  # __init__ needs a whole evaluation
        self._adapter._current_output_dir = None

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the main value of the score."""
        sandbox = _SkillsBenchSandbox(directory)
        metadata = {"task_dir": str(task_directory()), "verifier_timeout_sec": 60}
        sample = _DATASET.Sample(input="", metadata=metadata)
        with quietly():
            run(self._adapter._run_verifier(sandbox, sample))
            state = _EVALUATOR.TaskState(model="none", sample=sample, messages=[], output=_OUTPUT.ModelOutput())
            score = self._adapter.match_score("", "", "", state)
        return {"reward": score.value[score.main_score_name]}


@dataclass(frozen=True)
class _SkillsBenchEnded:
    """The result of a command, with the names that evalscope reads."""

    stdout: str = ""
    returncode: int = 0
    timed_out: bool = False


class _SkillsBenchSandbox(BridgeSandbox):
    """evalscope's `AgentEnvironment`, where the verifier has already run."""

    async def put_dir(self, source: Path, target: str, **options: object) -> None:
        self.check(f"put {target}", "verifier")

    async def exec(self, command: list[str], **options: object) -> _SkillsBenchEnded:
        command_line = command[-1]
        self.check(command_line, "rm -rf /logs/verifier", "test.sh", "cat ")
        if not command_line.startswith("cat "):
            return _SkillsBenchEnded()
        return _SkillsBenchEnded(self.cat(shlex.split(command_line)[1]).stdout)
