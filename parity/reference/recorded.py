"""Runs the wheel's real trials and jobs on scripted sandboxes in virtual time.

Newer releases copy the inputs for a verifier's own sandbox into directories with random names. These names are part of
the transcript, so they are replaced with numbers.
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
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.environments.definition import should_use_prebuilt_docker_image
from harbor.job import Job
from harbor.models.job.config import JobConfig
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial

from parity.driver.sandbox import SandboxSpec
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, SortedDirectory, TrialScenario
from parity.operations.scenarios.scripted_mounted import ScriptedMountedSandbox
from parity.operations.scenarios.scripted_run import (
    COMMAND_AGENT,
    JOB,
    SCRIPTED_ENVIRONMENT,
    TRIAL,
    counted_endings,
    endings,
    roots_of_trial,
    sandboxes_of_job,
    sandboxes_of_trial,
)
from parity.operations.scenarios.scripted_sandbox import Call, ScriptedSandboxes
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.scenarios.transcripts import Transcript, transcript_of_job, transcript_of_trial
from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.driving import quietly
from parity.reference.lookup import lookup, sandbox_name


class RecordingEnvironment(BaseEnvironment):  # type: ignore[misc]
    """An environment that runs the wheel's trials on the scenario's scripted sandboxes."""

    current: ClassVar[ScriptedSandboxes]
    mounted: ClassVar[bool]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        image = self.task_env_config.docker_image
        is_used = should_use_prebuilt_docker_image(self.environment_dir, docker_image=image, force_build=False)
        spec = SandboxSpec(
            name=sandbox_name(self.session_id),
            task=self.environment_name,
            directory=self.environment_dir,
            image=image if is_used else None,
            network=not self._network_disabled,
            cpus=self._effective_cpus,
            memory_mb=self._effective_memory_mb,
            storage_mb=self._effective_storage_mb,
            mounts={mount["target"]: Path(mount["source"]) for mount in self._mounts},
        )
        self._sandbox = self.current.make(spec)

    @staticmethod
    def type() -> str:
        return "sandbox"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True, mounted=self.mounted)

    def _validate_definition(self) -> None:
        """Check nothing: a sandbox in memory is not built from a definition."""

    async def start(self, force_build: bool) -> None:
        """Start the sandbox, make the log directories that are not mounted, and upload the environment's files."""
        await self._sandbox.start()
        targets = self._mount_targets(writable_only=True)
        await self.exec(self._ensure_dirs_command(targets), cwd="/", user=self._reset_dirs_user())
        await self._upload_environment_dir_after_start()

    async def stop(self, delete: bool) -> None:
        await self._sandbox.stop()

    async def prepare_logs_for_host(self) -> None:
        """Record the call, which Harbor makes only if logs are mounted."""
        assert isinstance(self._sandbox, ScriptedMountedSandbox)
        await self._sandbox.prepare_logs()

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        ended = await self._sandbox.exec(
            command,
            cwd=cwd or self.task_env_config.workdir or None,
            env=self._merge_env(env),
            timeout=timeout_sec,
            user=self._resolve_user(user),
        )
        return ExecResult(stdout=ended.stdout, stderr=ended.stderr, return_code=ended.code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        await self._sandbox.put(Path(source_path), target_path)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await self._sandbox.put(Path(source_dir), target_dir)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        await self._sandbox.get(source_path, Path(target_path), directory=False)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        Path(target_dir).mkdir(parents=True, exist_ok=True)
        await self._sandbox.get(source_dir, Path(target_dir), directory=True)


# Each job looks up the installed version of Harbor, which takes a tenth of the job's time.
harbor_locks.distribution, harbor_locks.version = map(cache, (harbor_locks.distribution, harbor_locks.version))

# Resuming a job imports these; some releases lack them.
with suppress(ImportError):
    for needed in ("harbor.cli.job_sharing", "harbor.cli.plugins.harbor_hub"):
        import_module(needed)


def run_trial_scenario(scenario: TrialScenario, directory: Path) -> Transcript:
    """Run the trial in an empty directory with the wheel, and return the transcript."""
    _, calls = run_trial(scenario, directory)
    return transcript_of_trial(directory / JOB / TRIAL, calls, roots_of_trial(directory))


def run_trial(scenario: TrialScenario, directory: Path) -> tuple[TrialResult | None, list[Call]]:
    """Run the trial in an empty directory with the wheel; return its result (None if cancelled) and its calls."""
    sandboxes = sandboxes_of_trial(scenario, directory)
    job = JobConfig.model_validate(_settings(scenario.settings, directory))
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
    with scripted_environment(sandboxes, scenario.settings), suppress(*endings([scenario.script])):
        result = run_virtually(_run(config))
    return result, sandboxes.runs[TRIAL][0].calls


async def _run(config: TrialConfig) -> TrialResult:
    return await (await Trial.create(config)).run()


def run_job_scenario(scenario: JobScenario, directory: Path) -> Transcript:
    """Run the job in an empty directory with the wheel, and return the transcript."""
    return transcript_of_job(scenario, directory / JOB, run_scripted_job(scenario, directory).runs)


def run_scripted_job(scenario: JobScenario, directory: Path) -> ScriptedSandboxes:
    """Run the job in an empty directory with the wheel, and return its sandboxes."""
    sandboxes, config = sandboxes_of_job(scenario, directory), _job_config(scenario, directory)
    ending = counted_endings()

    def random_names() -> SimpleNamespace:
        return SimpleNamespace(random=lambda length: ending())

    with (
        # Changes no answer: a trial's name ends in any seven letters, and only the directory has this name.
        mock.patch.object(harbor_trials, "ShortUUID", random_names),
        scripted_environment(sandboxes, scenario.settings),
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


def _settings(settings: ScenarioSettings, directory: Path) -> dict[str, Any]:
    """Return the settings that a job and a single trial share, as a job's config.json has them."""
    factors, timeouts = settings.multipliers, settings.verifier_timeouts
    return {
        "job_name": JOB,
        "jobs_dir": directory,
        "timeout_multiplier": factors.all,
        "agent_timeout_multiplier": factors.agent,
        "verifier_timeout_multiplier": factors.verifier,
        "agent_setup_timeout_multiplier": factors.agent_setup,
        "environment_build_timeout_multiplier": factors.environment_build,
        "environment": {"import_path": SCRIPTED_ENVIRONMENT},
        "verifier": {
            "override_timeout_sec": timeouts.override,
            "max_timeout_sec": timeouts.max,
            "env": dict(settings.verifier_env),
            "disable": not settings.verification,
        },
        "agents": [_agent(settings.agent)],
    }


def _agent(agent: AgentSettings) -> dict[str, Any]:
    kind: dict[str, Any] = {"name": agent.name}
    if agent.name == "command":
        kind = {"import_path": COMMAND_AGENT, "kwargs": {"command": agent.command}}
    return {
        **kind,
        "env": dict(agent.env),
        "model_name": agent.model,
        "override_timeout_sec": agent.override_timeout,
        "override_setup_timeout_sec": agent.override_setup_timeout,
        "max_timeout_sec": agent.max_timeout,
    }


def _job_config(scenario: JobScenario, directory: Path) -> JobConfig:
    settings, retry = _settings(scenario.settings, directory), scenario.retry
    config = JobConfig.model_validate(
        {
            **settings,
            "agents": [*settings["agents"], *map(_agent, scenario.further_agents)],
            "metrics": [{"type": metric} for metric in scenario.metrics],
            "datasets": [{"path": directory / "dataset", "n_tasks": scenario.n_tasks}],
            "n_attempts": scenario.attempts,
            "n_concurrent_trials": scenario.concurrent,
            "quiet": True,
            "retry": {
                "max_retries": retry.max_retries,
                "include_exceptions": retry.include,
                "exclude_exceptions": retry.exclude,
                "wait_multiplier": retry.wait_multiplier,
                "min_wait_sec": retry.min_wait_sec,
                "max_wait_sec": retry.max_wait_sec,
            },
        }
    )
    # Assigned afterwards, because the model converts given paths to plain ones, which do not sort.
    config.datasets[0].path = scenario.write_tasks(directory)
    config.jobs_dir = SortedDirectory(directory)
    return config


@contextmanager
def scripted_environment(sandboxes: ScriptedSandboxes, settings: ScenarioSettings) -> Iterator[None]:
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
