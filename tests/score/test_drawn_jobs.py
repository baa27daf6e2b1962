"""Tests that `parity score` never judges a result.json wrong that the wheel wrote.

The jobs are random: with retries, kills, Ctrl-C, faults that end the job, and resumed runs.
"""

import asyncio
import json
import math
import random
import shutil
from collections import Counter
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from harbor.job import Job as HarborJob
from harbor.models.job.config import JobConfig
from harbor.trial.hooks import TrialEvent, TrialHookEvent

from parity.command import main
from parity.command.exit_code import ExitCode
from parity.operations.files.directories import scratch_directory
from parity.operations.scenarios.virtual_time import run_virtually
from parity.operations.series import running_series
from parity.scorer import Number, Usage
from parity.scorer.job_directory.check import check
from parity.scorer.job_directory.directory import read_job
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun
from tests.jobs.runs import configuration, keep_when_killed, leave_as_killed, planned

_JOBS = 40

_NUMBERS: list[Number] = [0, -0.0, 1, 1.0, 0.5, 0.1, 0.7]
_METRICS: list[tuple[str, ...]] = [(), ("max",), ("mean", "sum")]
_AGENTS: list[tuple[tuple[str, str | None], ...]] = [(("a", None),), (("a", None), ("b", "model"))]
_ERRORS: list[str | None] = [None, None, "OSError", "ValueError"]


def _plan(draw: random.Random) -> RealJobPlan:
    """Draw a plan with up to eighteen trials; some trials fail, and some rewards or an unknown dataset end the job."""
    numbers = [*_NUMBERS, draw.choice([0, 1, 2, 10**400, math.nan])]
    errors = _ERRORS if draw.random() < 0.5 else [None]
    pauses = draw.choice([[0.0], [1.0], [0.1, 0.2, 0.5]])
    seed = draw.random()

    def behave(trial_run: TrialRun) -> PlannedRun:
        run = random.Random(repr((seed, trial_run)))
        number = run.choice(numbers)
        return PlannedRun(
            run.choice([{"reward": number}, {"reward": number}, {"a": number}, {"b": 1, "a": number}, None]),
            start=run.choice([*errors, None, None]),
            agent=run.choice(errors),
            usage=run.choice([None, Usage(1, 2, 3, run.random())]),
            pause=run.choice(pauses),
            steps=(PlannedRun({"reward": number}), PlannedRun({"reward": run.random()})),
        )

    tasks = [
        PlannedTask(
            f"task-{place}",
            draw.choice([None, "set", "my__set"]),
            draw.choice([0, 0, 2]),
            source=draw.choice([None] * 6 + ["other"]),
        )
        for place in range(draw.randint(1, 3))
    ]
    agents = draw.choice(_AGENTS)
    attempts, concurrent, retries = draw.randint(1, 3), draw.randint(1, 4), draw.choice([0, 1, 2])
    metrics = draw.choice(_METRICS)
    return RealJobPlan(tuple(tasks), behave, agents, attempts, concurrent, retries, metrics)


def _happen(directory: Path, draw: random.Random, seen: Counter[object]) -> Path:
    """Run a random job up to three times, each run to its end or not, and return the job's directory."""
    plan = _plan(draw)
    with planned(directory, plan):
        config = configuration(plan, directory)
        for _ in range(draw.choice([1, 2, 3])):
            try:
                run_virtually(_run(config, draw))
            except (Exception, asyncio.CancelledError) as error:
                seen[type(error).__name__] += 1
            if (directory / "killed").exists():
                leave_as_killed(directory)
                seen["killed"] += 1
    return directory / "job"


async def _run(config: JobConfig, draw: random.Random) -> None:
    job = await HarborJob.create(config)
    running = asyncio.ensure_future(job.run())
    keep_when_killed(job, draw.choice([None, None, None, 1, 4]))
    events, cancelled_at = 0, draw.choice([None, None, None, 5, 20])

    async def receive(event: TrialHookEvent) -> None:
        nonlocal events
        events += 1
        if events == cancelled_at:
            running.cancel()

    for event in TrialEvent:
        job.add_hook(event, receive)
    await running


def _check(job: Path, seen: Counter[object]) -> None:
    printed = StringIO()
    with redirect_stderr(printed):
        code = main(["score", "--check", str(job)])
    text = (job / "result.json").read_text()
    seen[code, json.loads(text)["finished_at"] is not None] += 1
    assert code in (ExitCode.RIGHT, ExitCode.UNJUDGED), printed.getvalue()
    assert code == ExitCode.UNJUDGED or check(read_job(job), series=running_series()).text == text


def test_result_that_the_wheel_wrote_is_never_judged_wrong() -> None:
    """A result.json that the wheel wrote is judged right or not judged, in its own directory and in copies."""
    seen: Counter[object] = Counter()

    for number in range(_JOBS):
        with scratch_directory() as directory:
            job = _happen(directory, random.Random(number), seen)
            if (job / "result.json").exists():
                _check(job, seen)
                _check(shutil.copytree(job, directory / "copy"), seen)
                # All files of this copy get the time of copying.
                _check(shutil.copytree(job, directory / "later", copy_function=shutil.copyfile), seen)

    assert seen[ExitCode.RIGHT, True] > seen[ExitCode.UNJUDGED, True] > 0, seen
    for kind in ("killed", "CancelledError", "ExceptionGroup"):
        assert seen[kind] > 2, seen
