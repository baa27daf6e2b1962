"""Plan a job: find its tasks, list its trials, and check that all of them can be run.

A job that needs something that the driver or the sandboxes do not support is refused before anything starts. The
message names what is not supported.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from parity.driver.documents.configurations import dataset_name, job_directory, written_job
from parity.driver.documents.templates import missing_variables
from parity.driver.errors import FatalTask, InvalidTask, TaskError
from parity.driver.sandbox import Sandboxes
from parity.driver.settings import MOST_TRIALS, Options
from parity.driver.task import Task, read_task
from parity.driver.trial_plan import Trial, specs_of
from parity.formats.configuration import DatasetConfiguration, JobConfiguration

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""The letters and digits for random names. Characters that are easily confused are left out."""


class JobRefused(Exception):
    """A job cannot be run. The message has a line for each reason, with the place, the problem and the remedy."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class JobPlan:
    """A job that can be run."""

    job: JobConfiguration
    options: Options
    host: Mapping[str, str]
    """The host's environment variables, for templates."""

    written: JobConfiguration
    """The job's config.json: its configuration without secrets."""

    trials: tuple[Trial, ...]
    """The trials in the order in which they start: by attempt, then task, then agent."""

    tasks: tuple[Task, ...]
    skipped: tuple[str, ...] = ()
    """A line with the reason for each directory in a dataset that has a task.toml but is not a task for Harbor."""

    left_out: Mapping[Path, Sequence[str]] = field(default_factory=dict)
    """Tasks in a dataset that Harbor would run but that this driver cannot run, with the reasons."""

    @property
    def directory(self) -> Path:
        """The job's directory."""
        return job_directory(self.job)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets."""
        return tuple(map(dataset_name, _dataset_paths(self.job)))


def plan_job(
    job: JobConfiguration,
    options: Options,
    sandboxes: Sandboxes,
    host: Mapping[str, str],
    ending: Callable[[], str] = lambda: "".join(secrets.choice(_LETTERS) for _ in range(7)),
    *,
    strict: bool = True,
) -> JobPlan:
    """Find the tasks, name the trials, and check that all of them can be run.

    Args:
        job: the job's configuration. Its tasks and datasets are directories.
        options: the options that Harbor does not have.
        sandboxes: the kind of sandbox for the trials.
        host: the host's environment variables, for templates.
        ending: returns the last part of a trial's name; random by default.
        strict: whether a job with an unsupported task is refused. Otherwise a dataset is run without that task.

    Raises:
        JobRefused: there is no task, or the job needs something that is missing or not supported.
    """
    tasks_by_path, sources, skipped = _read_tasks(job)
    problems = [str(error) for error in tasks_by_path.values() if isinstance(error, FatalTask)]
    for agent in job.agents:
        problems += _missing(f"{job_directory(job)}: the agent", agent.env, host)
    left_out: dict[Path, list[str]] = {}
    tasks: list[Task] = []
    for path, task in tasks_by_path.items():
        if isinstance(task, FatalTask):
            continue
        if isinstance(task, TaskError):
            left_out[path] = [str(task)]
            continue
        problems += _missing(f"{path}: environment.env", task.config.environment.env, host)
        if reasons := [f"{path}: {reason}" for reason in _unsupported(task, options, sandboxes)]:
            left_out[path] = reasons
        else:
            tasks.append(task)
    if left_out and (strict or not tasks or any(sources[path] is None for path in left_out)):
        problems += [*skipped, *(reason for reasons in left_out.values() for reason in reasons)]
    if problems:
        raise JobRefused(*problems)
    number = job.n_attempts * len(tasks) * len(job.agents)
    if number > MOST_TRIALS:
        what = f"{len(tasks):,} tasks are {number:,} trials, but a job may have at most {MOST_TRIALS:,}"
        raise JobRefused(f"{job_directory(job)}: {what}; run fewer")
    written = written_job(job, host)
    names = set[str]()
    # Rules: run-job/planned-order, run-job/agents, run-job/no-attempts
    trials = tuple(
        Trial(task, _trial_name(task, ending, names), sources[task.path], job, agent, options, host, written, of_agent)
        for _ in range(job.n_attempts)
        for task in tasks
        for agent, of_agent in zip(job.agents, written.agents, strict=True)
    )
    return JobPlan(job, options, host, written, trials, tuple(tasks), tuple(skipped), left_out)


def _read_tasks(job: JobConfiguration) -> tuple[dict[Path, Task | TaskError], dict[Path, str | None], list[str]]:
    """Read the job's tasks.

    Returns:
        Three values: by path, each task, or the error if it cannot be run; by path, the name of the task's dataset, or
        None for a task that the job lists directly; and a line for each directory in a dataset that has a task.toml but
        is not a task for Harbor.

    Raises:
        JobRefused: there is no task.
    """
    named = [task.path for task in job.tasks if task.path is not None]
    tasks = {path: _read(path, job, in_dataset=False) for path in named}
    sources: dict[Path, str | None] = dict.fromkeys(named)
    skipped: list[str] = []
    for path, dataset in zip(_dataset_paths(job), job.datasets, strict=True):
        read = {directory: _read(directory, job, in_dataset=True) for directory in _chosen(path, dataset)}
        # Rule: run-job/left-out
        skipped += [str(error) for error in read.values() if isinstance(error, InvalidTask)]
        # Rule: run-job/n-tasks
        chosen = [directory for directory, task in read.items() if not isinstance(task, InvalidTask)][: dataset.n_tasks]
        tasks |= {directory: read[directory] for directory in chosen}
        sources |= dict.fromkeys(chosen, dataset_name(path))
    if not tasks:
        where = ", ".join(map(str, _dataset_paths(job))) or "."
        raise JobRefused(*skipped, f"{where}: contains no task; give a directory of tasks, or a task's directory")
    return tasks, sources, skipped


def _dataset_paths(job: JobConfiguration) -> list[Path]:
    return [dataset.path for dataset in job.datasets if dataset.path is not None]


def _read(path: Path, job: JobConfiguration, *, in_dataset: bool) -> Task | TaskError:
    try:
        return read_task(path, verified=not job.verifier.disable, in_dataset=in_dataset)
    except TaskError as error:
        return error


def _chosen(path: Path, dataset: DatasetConfiguration) -> list[Path]:
    """Return the directories in a dataset that have a task.toml and that the job chooses, in the directory's order.

    Mirrors harbor.models.job.config in behaviour, but reads only the chosen directories.
    """
    candidates = _candidates(path)
    included, excluded = dataset.task_names or (), dataset.exclude_task_names or ()
    if not included and not excluded:
        return candidates
    names = {directory: dataset_name(directory) for directory in candidates}
    chosen = {directory: name for directory, name in names.items() if not included or _matches(name, included)}
    if names and not chosen:
        examples = ", ".join(sorted(names.values())[:5])
        raise JobRefused(f"{path}: no task is named {' or '.join(included)}; its tasks include {examples}")
    return [directory for directory, name in chosen.items() if not _matches(name, excluded)]


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _candidates(dataset: Path) -> list[Path]:
    try:
        paths = list(dataset.iterdir())
    except OSError as error:
        raise JobRefused(f"{dataset}: {error.strerror}; give a directory of tasks, or a task's directory") from None
    # Rule: run-job/tasks
    return [path for path in paths if _looks_like_task(path)]


def _looks_like_task(path: Path) -> bool:
    try:
        return (path / "task.toml").exists()
    except OSError:
        return True  # reading the task will report the file that cannot be read


def _trial_name(task: Task, ending: Callable[[], str], names: set[str]) -> str:
    """Return a new name for a trial, and add it to `names`: the task's shortened directory name, and an ending."""
    start = task.directory.name[:32].rstrip("_-")
    while (name := f"{start}__{ending()}") in names:
        pass
    names.add(name)
    return name


def _unsupported(task: Task, options: Options, sandboxes: Sandboxes) -> Iterator[str]:
    """Yield the reasons why a task cannot be run here."""
    refusals = map(sandboxes.refusal, specs_of(task, options))
    yield from dict.fromkeys(refusal for refusal in refusals if refusal)
    try:
        # The job's documents need the path and both digests.
        str(task.path).encode()
        _ = task.checksum, task.content_hash
    except (OSError, ValueError) as error:
        where = getattr(error, "filename", None) or task.path
        what = f"{where!s}: {error}; repair it, or remove it from the task"
        yield what.encode(errors="backslashreplace").decode()
    if task.config.asks_for_network() and not options.allow_network:
        what = "network_mode is public, and sandboxes have no network"
        yield f"task.toml: {what}; use --allow-network with --sandbox docker or harbor:NAME"


def _missing(where: str, env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    return [f"{where} needs the variable {name}, which is not set; set it" for name in missing_variables(env, host)]
