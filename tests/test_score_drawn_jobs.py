"""`parity score --check` never calls a result.json of the wheel wrong, whatever happens to the job.

Jobs are drawn with retries, kills, Ctrl-C, faults that end them, and resumed or refused starts. Each is checked at many
moments, in its own folder and in copies.
"""

import asyncio
import json
import math
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import redirect_stderr, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from harbor.job import Job as HarborJob
from harbor.models.job.config import JobConfig
from harbor.trial.hooks import TrialEvent, TrialHookEvent

from parity.command import main
from parity.command.exit_code import ExitCode
from parity.operations.files.folders import scratch_folder
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.real_jobs import configuration, keep_when_killed, leave_as_killed, planned
from parity.scorer import Number, Usage

_JOBS = 40

_NUMBERS: list[Number] = [0, 1, 1.0, 0.5, 0.1, 0.7]
_METRICS: list[tuple[str, ...]] = [(), ("max",), ("mean", "sum")]
_AGENTS: list[tuple[tuple[str, str | None], ...]] = [(("a", None),), (("a", None), ("b", "model"))]
_ERRORS: list[str | None] = [None, None, "OSError", "ValueError"]


def _plan(draw: random.Random) -> RealJobPlan:
    """Draw a plan of up to eighteen trials; some trials fail, and some rewards or an unknown dataset end the job."""
    numbers = [*_NUMBERS, draw.choice([0, 1, 2, 10**400, math.nan])]
    errors = _ERRORS if draw.random() < 0.5 else [None]
    pauses = draw.choice([[0.0], [1.0], [0.1, 0.2, 0.5]])
    seed = draw.random()

    def behave(spot: Spot) -> PlannedRun:
        run = random.Random(repr((seed, spot)))
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
            draw.choice([None, "set"]),
            draw.choice([0, 0, 2]),
            source=draw.choice([None] * 6 + ["other"]),
        )
        for place in range(draw.randint(1, 3))
    ]
    agents = draw.choice(_AGENTS)
    attempts, concurrent, retries = draw.randint(1, 3), draw.randint(1, 4), draw.choice([0, 1, 2])
    metrics = draw.choice(_METRICS)
    return RealJobPlan(tuple(tasks), behave, agents, attempts, concurrent, retries, metrics)


class _Job:
    """A job of the wheel that is checked at many moments."""

    def __init__(self, folder: Path, draw: random.Random, seen: Counter[object]) -> None:
        self._job, self._draw, self._seen = folder / "job", draw, seen
        self._plan = _plan(draw)
        self._folder = folder

    def happen(self) -> None:
        """Run the job once or several times, to its end or not."""
        with planned(self._folder, self._plan):
            config = configuration(self._plan, self._folder)
            for _ in range(self._draw.choice([1, 2, 3])):
                self._try(partial(self._run, config))
                if (self._folder / "killed").exists():
                    leave_as_killed(self._folder)
                self._look()
                if self._draw.random() < 0.3:
                    self._refuse(config)

    def _try(self, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            run_virtually(run())
        except (Exception, asyncio.CancelledError) as error:
            self._seen[type(error).__name__] += 1

    async def _run(self, config: JobConfig) -> None:
        job = await HarborJob.create(config)
        self._look()
        running = asyncio.ensure_future(job.run())
        keep_when_killed(job, self._draw.choice([None, 1, 2, 4]))
        events, cancelled_at = 0, self._draw.choice([None, None, None, 5, 20])

        async def receive(event: TrialHookEvent) -> None:
            nonlocal events
            events += 1
            if self._draw.random() < 0.2:
                self._look()
            if events == cancelled_at:
                running.cancel()

        for event in TrialEvent:
            job.add_hook(event, receive)
        await running

    def _refuse(self, config: JobConfig) -> None:
        """Start the job again with another lock.json or another trial's configuration, which the wheel refuses."""
        name = self._draw.choice(["lock.json", "*/config.json"])
        number = '"n_concurrent_trials": ' if name == "lock.json" else '"timeout_multiplier": 1'
        for path in [*self._job.glob(name)][:1]:
            text, times = path.read_text(), path.stat()
            path.write_text(text.replace(number, f"{number}1"))
            self._try(partial(self._run, config))
            with suppress(FileNotFoundError):
                path.write_text(text)
                os.utime(path, (times.st_atime, times.st_mtime))
            self._seen["refused"] += 1
            self._look()

    def _look(self) -> None:
        if not (self._job / "result.json").exists():
            return
        self._check(self._job)
        if self._draw.random() < 0.1:
            copy = self._folder / "copy"
            if self._draw.random() < 0.5:
                shutil.copytree(self._job, copy)
            else:
                shutil.copytree(self._job, copy, copy_function=shutil.copyfile)  # files are as old as the copy
            self._check(copy)
            shutil.rmtree(copy)

    def _check(self, job: Path) -> None:
        said = StringIO()
        with redirect_stderr(said):
            code = main(["score", "--check", str(job)])
        finished = json.loads((job / "result.json").read_text())["finished_at"] is not None
        self._seen[code, finished] += 1
        assert code in (ExitCode.RIGHT, ExitCode.UNJUDGED), said.getvalue()


def test_what_the_wheel_wrote_is_never_called_wrong() -> None:
    """A result.json of the wheel is right, or undecided after retries or in a copy, but never wrong."""
    seen: Counter[object] = Counter()

    for number in range(_JOBS):
        with scratch_folder() as folder:
            _Job(folder, random.Random(number), seen).happen()

    right = seen[ExitCode.RIGHT, True], seen[ExitCode.RIGHT, False]
    unjudged = seen[ExitCode.UNJUDGED, True], seen[ExitCode.UNJUDGED, False]
    assert min(right) > 4 * unjudged[0], seen
    assert unjudged[1] < right[1], seen
    for kind in ("refused", "CancelledError", "ExceptionGroup", "ValidationError"):
        assert seen[kind] > 2, seen
