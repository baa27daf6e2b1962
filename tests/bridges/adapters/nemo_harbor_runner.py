"""A bridge to nemo-platform's evaluator: its runner that reads a Harbor job's directory, and its reward metric."""

from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.third_party import named, quietly, third_party
from tests.bridges.adapters.trial_results import Means, job_directory, means

_RUNTIME = third_party("nemo_evaluator_sdk.agent_eval.runtimes.harbor_runtime")
_TASKS = third_party("nemo_evaluator_sdk.agent_eval.tasks")
_REWARDS = third_party("nemo_evaluator_sdk.metrics.runner_rewards")
_PROTOCOL = third_party("nemo_evaluator_sdk.values.protocol")


class NemoHarborRunner:
    """A runner for one task named `task`, with the default reward key."""

    def __init__(self) -> None:
        self.name = named("nemo-platform", "HarborAgentTaskRunner")
        self._task = _TASKS.AgentEvalTask(id="task", intent="none", inputs={}, metrics=[_REWARDS.HarborRewardMetric()])

    def trial_score(self, text: str) -> Means:
        """Return the outputs of the reward metric, with `reward` first."""
        with job_directory(text) as directory, quietly():
            return means(text, run(self._outputs(_RUNTIME.HarborAgentTaskRunner(job_dir=directory))))

    async def _outputs(self, runner: Any) -> dict[str, float]:
        trials = await runner.run_tasks([self._task])
        if not trials:
            return {}
        (metric,) = runner.scoring_metrics(self._task, trials)
        candidate = _PROTOCOL.CandidateOutput(metadata=trials[0].metadata)
        row = _PROTOCOL.DatasetRow(data={})
        result = await metric.compute_scores(_PROTOCOL.MetricInput(row=row, candidate=candidate))
        return {each.name: each.value for each in result.outputs}
