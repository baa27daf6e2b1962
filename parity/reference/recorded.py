"""Runs the wheel's real trials and jobs on recording sandboxes in virtual time.

Newer releases copy the inputs for a verifier's own sandbox into directories with random names. These names are part of
the record, so they are replaced with numbers.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

import harbor.cli.jobs as commands
import harbor.environments.base as harbor_environments
import harbor.models.job.lock as harbor_locks
import harbor.models.trial.config as harbor_trials
from harbor.environments.base import BaseEnvironment
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.job import Job
from harbor.models.job.config import JobConfig
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial

from parity.driver.sandbox import MountedSandbox, Sandboxes, User
from parity.formats.configuration import JobConfiguration
from parity.operations.scenarios.execution import (
    JOB,
    TRIAL,
    configuration_of,
    configuration_of_job,
    counted_endings,
    endings,
    roots_of_trial,
    sandboxes_of_job,
    sandboxes_of_trial,
)
from parity.operations.scenarios.recording import Call, RecordingSandboxes
from parity.operations.scenarios.records import Record, record_of_job, record_of_trial
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, SortedDirectory, TrialScenario
from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.driving import quietly
from parity.reference.lookup import lookup
from parity.reference.sandbox_environment import SandboxEnvironment


class RecordingEnvironment(SandboxEnvironment):
    """An environment that runs the wheel's trials on the scenario's recording sandboxes."""

    current: ClassVar[Sandboxes]
    mounted: ClassVar[bool]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._sandboxes, self._may_use_network = self.current, True
        BaseEnvironment.__init__(self, *arguments, **options)
        self._sandbox = self._make()

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True, mounted=self.mounted)

    def _validate_definition(self) -> None:
        """Check nothing: a sandbox in memory is not built from a definition."""

    def _users(self) -> frozenset[User]:
        """Return no users: a sandbox in memory has no accounts."""
        return frozenset()

    async def prepare_logs_for_host(self) -> None:
        """Record the call, which Harbor makes only if logs are mounted."""
        assert isinstance(self._sandbox, MountedSandbox)
        await self._sandbox.prepare_logs()


# Each job looks up the installed version of Harbor, which takes a tenth of the job's time.
harbor_locks.distribution, harbor_locks.version = map(cache, (harbor_locks.distribution, harbor_locks.version))

# Resuming a job imports these; some releases lack them.
with suppress(ImportError):
    for needed in ("harbor.cli.job_sharing", "harbor.cli.plugins.harbor_hub"):
        import_module(needed)


def run_trial_scenario(scenario: TrialScenario, directory: Path) -> Record:
    """Run the trial in an empty directory with the wheel, and return the record."""
    _, calls = run_trial(scenario, directory)
    return record_of_trial(directory / JOB / TRIAL, calls, roots_of_trial(directory))


def run_trial(scenario: TrialScenario, directory: Path) -> tuple[TrialResult | None, list[Call]]:
    """Run the trial in an empty directory with the wheel; return its result (None if cancelled) and its calls."""
    sandboxes = sandboxes_of_trial(scenario, directory)
    job = _job_config(configuration_of(scenario.settings, directory))
    config = TrialConfig(
        task=TaskConfig(path=scenario.task.write(directory / "task")),
        trial_name=TRIAL,
        trials_dir=directory / JOB,
        agent=job.agents[0],
        environment=job.environment,
        verifier=job.verifier,
        job_id="00000000-0000-0000-0000-000000000000",
        **{name: factor for name, factor in job if name.endswith("timeout_multiplier")},
    )
    result = None
    with recording_on(sandboxes, scenario.settings), suppress(*endings([scenario.script])):
        result = run_virtually(_run(config))
    return result, sandboxes.runs[TRIAL][0].calls


async def _run(config: TrialConfig) -> TrialResult:
    return await (await Trial.create(config)).run()


def run_job_scenario(scenario: JobScenario, directory: Path) -> Record:
    """Run the job in an empty directory with the wheel, and return the record."""
    return record_of_job(scenario, directory / JOB, run_on_recording(scenario, directory).runs)


def run_on_recording(scenario: JobScenario, directory: Path) -> RecordingSandboxes:
    """Run the job in an empty directory with the wheel, and return its sandboxes."""
    dataset = scenario.write_tasks(directory)
    sandboxes = sandboxes_of_job(scenario, directory)
    config = _job_config(configuration_of_job(scenario, directory))
    # Assigned again, because the model converts given paths to plain ones, which do not sort.
    config.datasets[0].path = dataset
    config.jobs_dir = SortedDirectory(directory)
    ending = counted_endings()

    def random_names() -> SimpleNamespace:
        return SimpleNamespace(random=lambda length: ending())

    with (
        # Changes no answer: a trial's name ends in any seven letters, and only the directory has this name.
        mock.patch.object(harbor_trials, "ShortUUID", random_names),
        recording_on(sandboxes, scenario.settings),
        suppress(*endings(chain(*scenario.scripts))),
    ):
        scenario.write_earlier(directory / JOB)
        if (directory / JOB / "config.json").exists() or (directory / JOB / "result.json").exists():
            _resume(config)
        else:
            run_virtually(_run_config(config))
    return sandboxes


async def _run_config(config: JobConfig) -> None:
    await (await Job.create(config)).run()


def _resume(config: JobConfig) -> None:
    """Resume the job as `harbor jobs resume` does, but with these settings instead of those in the directory."""
    create = Job.create

    async def create_from_config(stored: JobConfig) -> Job:
        return await create(config)

    with (
        # Changes no answer: the command passes `create` the directory's settings, which equal the caller's.
        mock.patch.object(Job, "create", create_from_config),
        # Changes no answer: the same coroutine runs, in a loop whose clock jumps.
        mock.patch.object(commands, "run_async", run_virtually),
        # Changes no answer: these only show what the job has written.
        mock.patch.object(commands, "print_job_results_tables", _show_nothing),
        mock.patch.object(commands.console, "quiet", True),
    ):
        commands.resume(
            config.jobs_dir / config.job_name,
            filter_error_types=["CancelledError"],
            upload=False,
            public=None,
            share_org=None,
            share_user=None,
            yes=False,
        )


def _show_nothing(result: object) -> None:
    pass


def _job_config(job: JobConfiguration) -> JobConfig:
    """Convert a configuration to the wheel's model, which has the same names. Fields that are not set get defaults."""
    return JobConfig.model_validate(job.model_dump(exclude_unset=True))


@contextmanager
def recording_on(sandboxes: RecordingSandboxes, settings: ScenarioSettings) -> Iterator[None]:
    """Inside the `with` block, the wheel's trials use the sandboxes, the scenario's variables and the loop's clock."""
    RecordingEnvironment.current, RecordingEnvironment.mounted = sandboxes, settings.mounted
    clock = SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())
    with (
        # Changes no answer: it measures the time of a healthcheck, now by the loop's clock.
        mock.patch.object(harbor_environments, "time", clock),
        # Changes no answer: the scenario sets the host's environment variables.
        mock.patch.dict(os.environ, settings.host) if settings.host else nullcontext(),
        numbered_directories(),
        quietly(),
    ):
        yield


_HANDLER: Any = lookup("harbor.trial.artifact_handler")


class _NumberedNames:
    """A replacement for the module `tempfile` whose `mkdtemp` numbers the directories."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tempfile, name)

    def mkdtemp(self, *, prefix: str, dir: Path) -> str:  # noqa: A002
        """Make a new directory, named with the prefix and the first free number, and return its path."""
        directory = next(each for number in count() if not (each := dir / f"{prefix}{number}").exists())
        directory.mkdir(0o700)
        return str(directory)


@contextmanager
def numbered_directories() -> Iterator[None]:
    """Let the release's trials number their temporary directories inside the `with` block; do nothing for other
    releases.
    """
    if not hasattr(_HANDLER, "tempfile"):
        yield
        return
    # Changes no answer: these directories have random names, and are removed when the trial ends.
    with mock.patch.object(_HANDLER, "tempfile", _NumberedNames()):
        yield
