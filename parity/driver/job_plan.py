"""Plan a job: find its tasks, list its trials, and check that all of them can be run.

Anything that the driver or the sandboxes do not support is refused here, by name, before anything starts.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from parity.driver.documents.configurations import PlannedTrial
from parity.driver.documents.task_digests import content_hash, task_checksum
from parity.driver.documents.templates import missing_variables
from parity.driver.errors import FatalTask, InvalidTask, TaskError
from parity.driver.places import TrialFolder
from parity.driver.sandbox import Sandboxes
from parity.driver.settings import MOST_TRIALS, JobSettings
from parity.driver.task import Task, read_task
from parity.driver.trial_plan import TrialPlan

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Letters and digits of random names, without any that look alike."""


class JobRefused(Exception):
    """A job that cannot be run. The message has a line for each reason: where, what, and what to do."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class JobPlan:
    """A job that can be run."""

    settings: JobSettings
    trials: tuple[PlannedTrial, ...]
    """The trials in the order in which they start: by attempt, then task, then agent."""

    tasks: Mapping[Path, Task]
    """Tasks by their folders, as the settings name them."""

    skipped: tuple[str, ...] = ()
    """A line for each folder of a dataset that has a task.toml but is not a task for Harbor, with the reason."""

    left_out: Mapping[Path, Sequence[str]] = field(default_factory=dict)
    """Tasks of a dataset that Harbor would run but that cannot be run here, with the reasons."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets."""
        return tuple(path.expanduser().resolve().name for path in self.settings.datasets)


def plan_job(
    settings: JobSettings,
    sandboxes: Sandboxes,
    host: Mapping[str, str],
    ending: Callable[[], str] = lambda: "".join(secrets.choice(_LETTERS) for _ in range(7)),
    *,
    strict: bool = True,
) -> JobPlan:
    """Find the tasks, name the trials, and check that all of them can be run.

    Args:
        settings: the job's settings.
        sandboxes: the kind of sandbox for the trials.
        host: the host's environment variables, for templates.
        ending: makes the last part of a trial's name; random by default.
        strict: whether an unsupported task refuses the job. Otherwise a dataset is run without it.

    Raises:
        JobRefused: there is no task, or something is not supported or missing.
    """
    sources: dict[Path, str | None] = dict.fromkeys(settings.tasks)
    found: dict[Path, Task | TaskError] = {path: _read(path, settings, in_dataset=False) for path in settings.tasks}
    skipped: list[str] = []
    for dataset in settings.datasets:
        read = {path: _read(path, settings, in_dataset=True) for path in _chosen(dataset, settings)}
        # Rule: run-job/left-out
        skipped += [str(error) for error in read.values() if isinstance(error, InvalidTask)]
        # Rule: run-job/n-tasks
        chosen = [path for path, task in read.items() if not isinstance(task, InvalidTask)][: settings.n_tasks]
        sources |= dict.fromkeys(chosen, dataset.expanduser().resolve().name)
        found |= {path: read[path] for path in chosen}
    if not found:
        where = ", ".join(map(str, settings.datasets)) or "."
        raise JobRefused(*skipped, f"{where}: contains no task; give a folder of tasks, or a task's folder")
    problems = [str(error) for error in found.values() if isinstance(error, FatalTask)]
    for agent in settings.agents:
        problems += _missing(f"{settings.folder}: the agent", agent.env, host)
    unsupported: dict[Path, list[str]] = {}
    for path, task in found.items():
        if isinstance(task, Task):
            unsupported[path] = _problems(path, task, settings, sandboxes)
            problems += _missing(f"{path}: environment.env", task.config.environment.env, host)
        elif not isinstance(task, FatalTask):
            unsupported[path] = [str(task)]
    tasks = {path: task for path, task in found.items() if isinstance(task, Task) and not unsupported[path]}
    left_out = {path: reasons for path, reasons in unsupported.items() if reasons}
    named = any(path in left_out for path in settings.tasks)
    if left_out and (strict or named or not tasks):
        problems += [*skipped, *(reason for reasons in left_out.values() for reason in reasons)]
    if problems:
        raise JobRefused(*problems)
    _check_size(settings, len(tasks))
    taken = set[str]()
    # Rules: run-job/planned-order, run-job/agents, run-job/no-attempts
    trials = tuple(
        PlannedTrial(path, sources[path], _trial_name(path, ending, taken), agent)
        for _ in range(settings.n_attempts)
        for path in tasks
        for agent in range(len(settings.agents))
    )
    return JobPlan(settings, trials, tasks, tuple(skipped), left_out)


def _check_size(settings: JobSettings, tasks: int) -> None:
    trials = settings.n_attempts * tasks * len(settings.agents)
    if trials > MOST_TRIALS:
        what = f"{tasks:,} tasks are {trials:,} trials, and a job has at most {MOST_TRIALS:,}"
        raise JobRefused(f"{settings.folder}: {what}; run fewer")


def _read(path: Path, settings: JobSettings, *, in_dataset: bool) -> Task | TaskError:
    """Read a task, or return the error that says why it cannot be run."""
    try:
        return read_task(path, verified=not settings.disable_verification, in_dataset=in_dataset)
    except TaskError as error:
        return error


def _chosen(dataset: Path, settings: JobSettings) -> list[Path]:
    """Return the chosen folders of a dataset that look like tasks, in the order of the directory, as Harbor does.

    Mirrors harbor.models.job.config in behaviour, but reads only the chosen folders.
    """
    found = {path: path.expanduser().resolve().name for path in _candidates(dataset)}
    included, excluded = settings.task_names, settings.exclude_task_names
    chosen = {path: name for path, name in found.items() if not included or _matches(name, included)}
    if found and not chosen:
        known = ", ".join(sorted(found.values())[:5])
        raise JobRefused(f"{dataset}: no task is named {' or '.join(included)}; known are {known}")
    return [path for path, name in chosen.items() if not _matches(name, excluded)]


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _candidates(dataset: Path) -> list[Path]:
    """Return the folders in a dataset that look like tasks."""
    try:
        paths = list(dataset.iterdir())
    except OSError as error:
        raise JobRefused(f"{dataset}: {error.strerror}; give a folder of tasks, or a task's folder") from None
    # Rule: run-job/tasks
    return [path for path in paths if _looks_like_task(path)]


def _looks_like_task(path: Path) -> bool:
    try:
        return (path / "task.toml").exists()
    except OSError:
        return True  # reading the task will report the file that cannot be read


def _trial_name(task: Path, ending: Callable[[], str], taken: set[str]) -> str:
    """Return a trial's name: the task's folder name, cut, and an ending that no other trial has."""
    start = task.expanduser().resolve().name[:32].rstrip("_-")
    while (name := f"{start}__{ending()}") in taken:
        pass
    taken.add(name)
    return name


def _digest_problems(path: Path) -> list[str]:
    """Return the reasons why a task cannot have the digests that the job's documents need."""
    try:
        str(path).encode()
        content_hash(path)
        task_checksum(path)
    except (OSError, ValueError) as error:
        where = getattr(error, "filename", None) or path
        return [f"{where!s}: {error}; repair it, or remove it from the task".encode(errors="backslashreplace").decode()]
    return []


def _problems(path: Path, task: Task, settings: JobSettings, sandboxes: Sandboxes) -> list[str]:
    """Return the reasons why a task cannot be run here with these settings."""
    trial = TrialPlan(task, "", TrialFolder(settings.folder), settings, settings.agents[0], {}, "")
    refusals = dict.fromkeys(refusal for spec in trial.specs() if (refusal := sandboxes.refusal(spec)))
    problems = [f"{path}: {refusal}" for refusal in refusals]
    problems += _digest_problems(path)
    if task.config.asks_for_network() and not settings.allow_network:
        what = "network_mode is public, and sandboxes have no network"
        problems.append(f"{path}: task.toml: {what}; use --allow-network with --sandbox docker or harbor:NAME")
    return problems


def _missing(where: str, env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    return [f"{where} needs the variable {name}, which is not set; set it" for name in missing_variables(env, host)]
