"""Jobs for the benchmark of scoring from disk, written and scored with the wheel's models, in a separate process.

`python -m tests.benchmarks.wheel_jobs write JOB TRIALS` writes a job's folder; `score JOB` scores it, and prints the
seconds of wall and CPU time that this took after all imports.
"""

import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from harbor.metrics.base import BaseMetric
from harbor.metrics.max import Max
from harbor.metrics.mean import Mean
from harbor.models.agent.context import AgentContext
from harbor.models.job.config import DatasetConfig, JobConfig
from harbor.models.job.lock import JobLock, TaskLock, TrialLock
from harbor.models.job.result import JobResult, JobStats
from harbor.models.metric.config import MetricConfig
from harbor.models.metric.type import MetricType
from harbor.models.task.id import LocalTaskId
from harbor.models.trial.config import AgentConfig, TaskConfig, TrialConfig
from harbor.models.trial.result import AgentInfo, ExceptionInfo, ModelInfo, TimingInfo, TrialResult
from harbor.models.verifier.result import VerifierResult
from harbor.utils.pass_at_k import compute_pass_at_k_by_evals

_ATTEMPTS = 5
_DATASETS = ("swe-tasks", "terminal")
_METRICS: list[BaseMetric[Any]] = [Mean(), Max()]
_AGENTS = (AgentConfig(name="claude-code", model_name="anthropic/sonnet"), AgentConfig(name="codex", model_name="gpt"))


def score_with_the_wheel(job: Path) -> str:
    """Return the stats that the wheel computes over the results in planned order, which their names show."""
    with os.scandir(job) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir())
    results = [TrialResult.model_validate_json((job / name / "result.json").read_text()) for name in names]
    stats = JobStats.from_trial_results(results, n_total_trials=len(results))
    rewards: dict[str, list[Any]] = {}
    for result in results:
        model = result.agent_info.model_info
        key = stats.format_agent_evals_key(result.agent_info.name, model and model.name, result.source or "adhoc")
        rewards.setdefault(key, []).append(result.verifier_result and result.verifier_result.rewards)
    for key, column in rewards.items():
        stats.evals[key].metrics = [metric.compute(column) for metric in _METRICS]
    for key, estimates in compute_pass_at_k_by_evals(results).items():
        stats.evals[key].pass_at_k = estimates
    done = datetime(2026, 1, 1)
    whole = JobResult(
        id="76e99c84-5569-42af-9cea-a64bb599aa61",
        started_at=done,
        updated_at=done,
        finished_at=done,
        n_total_trials=len(results),
        stats=stats,
    )
    text: str = whole.model_dump_json(indent=4, exclude={"trial_results"})
    return text


def _write_job(job: Path, trials: int) -> None:
    """Write a job's folder with the wheel's models; names of trials are in planned order."""
    job.mkdir()
    config = JobConfig(
        job_name=job.name,
        jobs_dir=job.parent,
        n_attempts=_ATTEMPTS,
        metrics=[MetricConfig(type=MetricType.MEAN), MetricConfig(type=MetricType.MAX)],
        agents=list(_AGENTS),
        datasets=[DatasetConfig(path=job.parent / "datasets" / name) for name in _DATASETS],
    )
    (job / "config.json").write_text(config.model_dump_json(indent=4))
    os.utime(job / "config.json", (0, 0))
    plan = list(_planned(job, trials))
    lock = JobLock(n_concurrent_trials=4, retry=config.retry, trials=[_locked(trial) for trial in plan])
    (job / "lock.json").write_text(lock.model_dump_json(indent=4, exclude_none=True))
    draw = random.Random(trials)
    for number in draw.sample(range(trials), trials):
        _write_trial(job, number, plan[number])
    (job / "result.json").write_text(score_with_the_wheel(job))


def _planned(job: Path, trials: int) -> Iterator[TrialConfig]:
    tasks = trials // _ATTEMPTS // len(_AGENTS)
    for number in range(trials):
        task = number // len(_AGENTS) % tasks
        dataset = _DATASETS[task * len(_DATASETS) // tasks]
        yield TrialConfig(
            task=TaskConfig(path=job.parent / "datasets" / dataset / f"task-{task:06}", source=dataset),
            trial_name=f"{number:06}-task-{task:06}__q7Rz4Kp",
            trials_dir=job,
            agent=_AGENTS[number % len(_AGENTS)],
        )


def _locked(trial: TrialConfig) -> TrialLock:
    assert trial.task.path is not None
    task = TaskLock(
        name=trial.task.path.name,
        type="local",
        digest=f"sha256:{hash(trial.task.path) % 16**8:064x}",
        source=trial.task.source,
        path=trial.task.path,
    )
    return TrialLock(task=task, agent=trial.agent, environment=trial.environment, verifier=trial.verifier)


def _write_trial(job: Path, number: int, config: TrialConfig) -> None:
    draw = random.Random(number)
    assert config.task.path is not None
    assert config.agent.name is not None
    started = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number, microseconds=draw.randrange(10**6))
    times = [started + timedelta(seconds=second * draw.random()) for second in range(5)]
    failed = draw.random() < 0.05
    result = TrialResult(
        task_name=config.task.path.name,
        trial_name=config.trial_name,
        trial_uri=(job / config.trial_name).as_uri(),
        task_id=LocalTaskId(path=config.task.path),
        source=config.task.source,
        task_checksum=f"{draw.getrandbits(256):064x}",
        config=config,
        agent_info=AgentInfo(
            name=config.agent.name, version="1.0.31", model_info=ModelInfo(name=str(config.agent.model_name))
        ),
        agent_result=AgentContext(
            n_input_tokens=draw.randrange(10**6),
            n_cache_tokens=draw.randrange(10**5),
            n_output_tokens=draw.randrange(10**4),
            cost_usd=round(draw.random(), 6),
            metadata={"turns": draw.randrange(50), "session": f"{draw.getrandbits(128):032x}"},
        ),
        verifier_result=None if failed else VerifierResult(rewards={"reward": draw.choice([0.0, 1.0, draw.random()])}),
        exception_info=_exception(started) if failed else None,
        started_at=started,
        finished_at=times[-1],
        environment_setup=TimingInfo(started_at=times[0], finished_at=times[1]),
        agent_setup=TimingInfo(started_at=times[1], finished_at=times[2]),
        agent_execution=TimingInfo(started_at=times[2], finished_at=times[3]),
        verifier=TimingInfo(started_at=times[3], finished_at=times[4]),
    )
    home = job / config.trial_name
    home.mkdir()
    (home / "config.json").write_text(config.model_dump_json(indent=4))
    (home / "result.json").write_text(result.model_dump_json(indent=4))


def _exception(occurred: datetime) -> ExceptionInfo:
    traceback = "".join(f'  File "/opt/harbor/step_{line}.py", line {line}, in run\n    go()\n' for line in range(12))
    return ExceptionInfo(
        exception_type="AgentTimeoutError",
        exception_message="Agent execution timed out after 900.0 seconds",
        exception_traceback=traceback,
        occurred_at=occurred,
    )


def main() -> None:
    """Write or score a job."""
    command, job = sys.argv[1], Path(sys.argv[2])
    if command == "write":
        _write_job(job, int(sys.argv[3]))
        return
    wall, cpu = time.perf_counter(), time.process_time()
    text = score_with_the_wheel(job)
    print(time.perf_counter() - wall, time.process_time() - cpu)
    assert text == (job / "result.json").read_text()


if __name__ == "__main__":
    main()
