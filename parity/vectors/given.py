"""Golden inputs that a careless runner changes: unsorted keys, ints among floats, links, a trial that is retried."""

from parity.answers import Value
from parity.driver.recorded.plays import JobPlay, PlaySettings, TaskFiles, TrialPlay
from parity.driver.sandboxes.recording import Effect, Script
from parity.driver.settings import AgentSettings, RetrySettings
from parity.operations import AggregateCase, FileState, PassAtKCase, ResultFile, RewardFolder
from parity.operations.harbor_env_recorded.plays import EnvPlay, TaskPlay
from parity.scorer import Event, Job, JobTrial, MultiStepTrial, Rewards, Series, Step, Trial
from parity.vectors.vector import Vector

_JSON, _TEXT = b'{"b": 1, "a": true}', b" 0.5\n"
_REWARDS: tuple[Rewards | None, ...] = ({"b": 1, "a": 0.5}, None, {"a": 0}, {"c": 1.0, "a": -0.0})
_TASK = TaskFiles(
    '[task]\nname = "org/task"\n', {"tests/test.sh": "", "instruction.md": "Do it.\n", "environment/": ""}
)
_SETTINGS = PlaySettings(AgentSettings("nop"), verifier_env={"B": "1", "A": "2"})
_REWARDED = Script({}, (), ({"/logs/verifier/reward.json": _JSON.decode()},))
_RAISES = Script({10: Effect("raise", "OSError")}, (), ({"/logs/verifier/reward.txt": "1"},))
_RESULT = b'{"n_total_trials": 2, "stats": {"n_completed_trials": 2, "evals": {"e": {"metrics": [{"mean": 0.5}]}}}}'
_OUTCOME = {"status": "completed", "score": 0.5, "resolved": 1, "total": 2, "reason_code": None}
_LINE = 'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 1, "score": 0.5, "status": "completed", "total": 2}'


def _trials() -> tuple[JobTrial, ...]:
    return tuple(
        JobTrial("agent", "model", "set", "task", {"reward": reward}, name)
        for name, reward in {"b": 1, "a": 0.0, "c": 1.0}.items()
    )


def _only(operation: str, name: str, case: object) -> list[Vector]:
    return [Vector(f"{operation.replace('_', '-')}/leaves-its-input-alone", name, case)]


VECTORS: dict[str, list[Vector]] = {
    "read_reward": [
        *_only("read_reward", "both-files", RewardFolder(FileState("file", _JSON), FileState("file", _TEXT))),
        *_only("read_reward", "link", RewardFolder(FileState("absent"), FileState("link", _TEXT))),
    ],
    "aggregate": _only("aggregate", "unsorted/mean", AggregateCase("mean", _REWARDS)),
    "pass_at_k": _only("pass_at_k", "unsorted", PassAtKCase(tuple(Trial("agent", "model", "set", task, {"reward": passed}) for task, passed in [("b", 1), ("a", 0.0), ("b", 0), ("a", 1)]))),
    "trial_reward": _only("trial_reward", "unsorted", MultiStepTrial(tuple(Step(rewards, {"b": 0, "a": -1.0} if rewards else None) for rewards in (_REWARDS[0], _REWARDS[0])), "mean")),
    "run_trial": _only("run_trial", "variables", TrialPlay(_TASK, _SETTINGS, _REWARDED)),
    "run_job": _only("run_job", "retried", JobPlay((_TASK,), _SETTINGS, retry=RetrySettings(1, min_wait_sec=0.0), scripts=((_RAISES, _REWARDED),))),
    "job_stats": _only("job_stats", "unsorted", Job(3, tuple(Event("end", trial.name, trial) for trial in _trials()), ("mean",), ("set",))),
    "outcome": [Vector("outcome/leaves-its-input-alone", "link", ResultFile(FileState("link", _RESULT)), dict.fromkeys(Series, Value({**_OUTCOME, "line": _LINE})))],
    "harbor_env": _only("harbor_env", "unsorted", EnvPlay("harbor", tuple(TaskPlay(name, {"task.toml": b"", "instruction.md": b"Do it.\n", "environment/": b"", "tests/test.sh": b""}, {"reward.txt": _TEXT}) for name in ("b", "a")))),
}  # fmt: skip
"""Operation to the vectors of its rule."""
