"""Read a directory of tasks into `DatasetTask` objects and dataset rows. Rules: `harbor-env/*`, `documented-env/*`."""

import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import TYPE_CHECKING, Any

from parity.driver.documents.templates import missing_variables, variables_used
from parity.driver.errors import TaskError
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.driver.sandboxes.dockerfile import compose_file, read_dockerfile
from parity.driver.task_file import check_supported, read_toml, task_config
from parity.formats.task import TaskConfig
from parity.harbor_env.errors import DatasetError, MissingDatasetError, Mistake, RefusedTasksError
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable

if TYPE_CHECKING:
    from datasets import Dataset

type Row = dict[str, Any]
"""A row with the keys `example_id`, `task`, `prompt` and `info`, as the documentation of HarborEnv describes them."""

TASK_FILES = ("task.toml", "instruction.md")
"""Names of the files that a directory must contain to be a task."""

_MOST_NAMES = 5
"""Maximum number of names in a list of tasks."""

_LOG = logging.getLogger("parity.harbor_env")
_DEFAULTS = TaskConfig()
_INSTEAD = "run the task with parity run or harbor"
_NO_STEPS = f"task.toml: steps: an environment does not run steps; {_INSTEAD}"


@dataclass(frozen=True)
class DatasetTask:
    """A task as it was when it was read from its directory."""

    directory: Path
    toml: dict[str, Any]
    """The values of task.toml."""

    instruction: str
    config: TaskConfig = _DEFAULTS
    """task.toml as Harbor reads it. Under the documentation's scoring these are Harbor's defaults, because that scoring
    ignores what task.toml sets for the agent and the tests.
    """

    built_workdir: str | None = None
    """The WORKDIR from the task's Dockerfile; None if there is none, or if task.toml names an image."""

    @property
    def name(self) -> str:
        return self.directory.name

    @property
    def image(self) -> str | None:
        """The image that task.toml names."""
        image: str | None = self.toml.get("environment", {}).get("docker_image")
        return image

    @property
    def workdir(self) -> str | None:
        """The working directory for the agent and the tests; None for the sandbox's default."""
        return self.config.environment.workdir or self.built_workdir

    @property
    def agent_env(self) -> Mapping[str, str]:
        """Environment variables for the agent. Values may be templates that use the host's environment variables."""
        return self.config.environment.env

    @property
    def test_env(self) -> Mapping[str, str]:
        """Environment variables for the tests under Harbor's scoring. Values may be templates, as in `agent_env`."""
        # Rule: harbor-env/test-variables
        return {**self.agent_env, **self.config.verifier.env}

    @property
    def resources(self) -> dict[str, float]:
        """The values that the task sets for `cpu_cores`, `memory_gb` and `disk_size_gb`; a key is missing if unset."""
        own = self.config.environment
        sizes = {"memory_gb": own.memory_mb, "disk_size_gb": own.storage_mb}
        cpus = {"cpu_cores": own.cpus} if own.cpus else {}
        return {**cpus, **{name: size / 1024 for name, size in sizes.items() if size}}

    def row(self, number: int) -> Row:
        """Return the task as the dataset row with this number."""
        # Rule: documented-env/config
        own = {"task_name": self.name, "task_dir": str(self.directory)}
        info = {**own, "docker_image": self.image, "config": self.toml}
        # Rule: documented-env/instruction
        prompt = [{"role": "user", "content": self.instruction}]
        # Rule: documented-env/rows
        return {"example_id": number, "task": self.name, "prompt": prompt, "info": info}


@dataclass(frozen=True)
class TaskReader:
    """Reads tasks for an environment, and refuses those that the environment cannot run as Harbor would."""

    settings: EnvSettings
    sandboxes: Sandboxes | None
    """The kind of sandbox, which must be able to replace a task's Dockerfile; None for the sandboxes of `verifiers`."""

    has_mcp: bool
    """Whether the environment serves a task's MCP servers. Otherwise Harbor's scoring refuses such a task."""

    needs_tests: bool
    """Whether Harbor's scoring refuses a task without a test script, because the environment brings no tests."""

    def read_all(self, directory: Path, names: Collection[str] | None) -> list[DatasetTask]:
        """Read the tasks in a dataset's directory, sorted by name.

        A directory without task.toml or instruction.md is left out with a warning, unless one of the names is its own.

        Args:
            directory: the dataset's directory.
            names: names of the tasks to read; None for all tasks.

        Raises:
            DatasetError: the directory has no task. Or a task in it cannot be used, or no directory has one of the
                names, unless the settings skip such tasks and others are left; if there are several, it is a
                `RefusedTasksError`. If the dataset's directory is missing, the exception is also a FileNotFoundError.
        """
        if not directory.is_dir():
            what = "there is no such directory; give the one that holds the task directories as dataset_path"
            raise MissingDatasetError(Mistake.MISSING, directory, what)
        try:
            self._check_names(directory, names)
            paths = [*_task_directories(directory, names)]
        except OSError as error:
            raise DatasetError(Mistake.UNREADABLE, directory, f"cannot be read: {error}; make it readable") from None
        tasks, refused = list[DatasetTask](), list[DatasetError]()
        for path in paths:
            try:
                tasks.append(self.read(path))
            except DatasetError as error:
                refused.append(error)
        if refused and not (self.settings.skip_refused and tasks):
            raise refused[0] if len(refused) == 1 else RefusedTasksError(directory, len(paths), refused)
        for refusal in refused:
            _LOG.warning("%s", f"{refusal}; it is left out")
        # Rule: documented-env/refused
        if not tasks:
            chosen = f" among {', '.join(names)}" if names else ""
            what = f"No valid Harbor tasks{chosen}: a task is a directory with task.toml and instruction.md"
            if not _missing(directory):
                what = "is a task itself; give the directory that holds it as dataset_path"
            raise DatasetError(Mistake.NO_TASKS, directory, what)
        return tasks

    def _check_names(self, dataset: Path, names: Collection[str] | None) -> None:
        """Refuse names that no directory has; leave them out with a warning if the settings or the scoring say so.

        Raises:
            DatasetError: a directory with one of the names is missing.
        """
        present = _directories(dataset)
        if not (unknown := sorted({*(names or ())} - present)):
            return
        near = sorted({each for name in unknown for each in get_close_matches(name, present)})
        hint = f"did you mean {_or(near)}?" if near else f"it has {_or(sorted(present)) or 'no directories'}"
        problem = f"there is no task {_or(unknown)}"
        # Rule: documented-env/filter
        if self.settings.skip_refused or self.settings.scoring == "documented":
            _LOG.warning("%s", printable(f"{dataset}: {problem}; {hint}"))
        else:
            raise DatasetError(Mistake.NO_TASKS, dataset, f"{problem}; {hint}")

    def read(self, directory: Path) -> DatasetTask:
        """Read a task from its directory.

        Harbor's scoring accepts only tasks that Harbor's trials accept; the documentation's scoring accepts any task
        without steps. With `network=True`, a task that forbids network access is refused.

        Raises:
            DatasetError: the directory is not a task, or the task cannot be used.
        """
        try:
            return self._read(directory)
        except (OSError, RuntimeError) as error:  # a link to itself is a RuntimeError
            raise DatasetError(Mistake.UNREADABLE, directory, f"cannot be read: {error}; make it readable") from None

    def _read(self, directory: Path) -> DatasetTask:
        check_links(directory)
        if _has_steps(directory):
            raise DatasetError(Mistake.REFUSED, directory, _NO_STEPS)
        if missing := _missing(directory):
            problem = f"lacks {' and '.join(missing)}; add what is missing, or take {directory.name!r} out of tasks"
            raise DatasetError(Mistake.NO_TASKS, directory, problem)
        # Rule: documented-env/instruction
        toml, instruction = _read_toml(directory), _read_text(directory, "instruction.md").strip()
        environment = toml.get("environment", {})
        # Rule: documented-env/refused
        if not isinstance(environment, dict):
            raise DatasetError(Mistake.TYPE, directory, f"task.toml: environment must be a table, not {environment!r}")
        image = environment.get("docker_image")
        if not isinstance(image, str | None):
            what = f"task.toml: environment.docker_image must be a string, not {image!r}"
            raise DatasetError(Mistake.TYPE, directory, what)
        try:
            if self.settings.network:
                _check_network(directory, task_config(directory, toml))
            if self.settings.scoring == "documented":
                return DatasetTask(directory, toml, instruction)
            config = task_config(directory, toml)
            check_supported(directory, _without_mcp(config) if self.has_mcp else config)
        # Rule: harbor-env/refused
        except TaskError as error:
            raise DatasetError(Mistake.REFUSED, directory, error.what) from None
        if reasons := [*self._refusals(directory, config)]:
            raise DatasetError(Mistake.REFUSED, directory, "; also ".join(reasons))
        dockerfile = read_dockerfile(directory / "environment" / "Dockerfile")
        return DatasetTask(directory, toml, instruction, config, None if image else dockerfile.workdir)

    def _refusals(self, directory: Path, config: TaskConfig) -> Iterator[str]:
        """Yield the reasons why the environment cannot run a task as Harbor would. Each states what to do instead."""
        if config.is_separate():
            yield f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}"
        for role, user in (("agent", config.agent.user), ("verifier", config.verifier.user)):
            if user is not None:
                yield f"task.toml: {role}.user: an environment runs all as the image's own user; {_INSTEAD}"
        build = directory / "environment"
        if (compose := compose_file(build)) is not None:
            yield f"environment/{compose}: an environment runs one container; run the task with harbor"
        if config.environment.healthcheck is not None:
            yield f"task.toml: environment.healthcheck: an environment does not wait for it; {_INSTEAD}"
        if self.needs_tests and not (directory / "tests" / "test.sh").exists():
            yield "tests/test.sh is missing; add it"
        variables = {**config.environment.env, **config.verifier.env}
        for name in sorted({*variables_used(variables, os.environ)} - {*self.settings.host_env}):
            yield f"task.toml: uses the host's variable {name}; allow it with host_env=[{name!r}]"
        for name in missing_variables(variables, self.settings.host):
            yield f"task.toml: a variable of the task needs {name}, which is not set here; set it"
        if self.sandboxes and not config.environment.docker_image and (build / "Dockerfile").exists():
            spec = SandboxSpec(directory.name, directory.name, build, self.settings.docker_image)
            if refusal := self.sandboxes.refusal(spec):
                yield f"{refusal.partition(';')[0]}; build it, and give its name as docker_image to other sandboxes"


def _task_directories(dataset: Path, names: Collection[str] | None) -> Iterator[Path]:
    """Yield the directories that are to be read as tasks: those with one of the names, or all that are tasks."""
    present = _directories(dataset)
    # Rules: documented-env/filter, documented-env/order
    for name in sorted(present & {*names} if names else present):
        path = dataset / name
        # Rule: documented-env/incomplete-folder
        if names or not (missing := _missing(path)) or _has_steps(path):
            yield path
        else:
            _LOG.warning("%s", printable(f"{path}: left out: lacks {' and '.join(missing)}; add what is missing"))


def _directories(dataset: Path) -> set[str]:
    return {path.name for path in dataset.iterdir() if path.is_dir()}


def _or(names: Sequence[str]) -> str:
    """Return names as a list in words; of many names, the first ones."""
    *others, last = [*map(repr, names[:_MOST_NAMES]), *(["another one"] if len(names) > _MOST_NAMES else [])] or [""]
    return f"{', '.join(others)} or {last}" if others else last


def _missing(directory: Path) -> list[str]:
    """Return the names of the files that a directory needs to be a task but does not have."""
    return [name for name in TASK_FILES if not (directory / name).exists()]


def _has_steps(directory: Path) -> bool:
    """Return whether a directory is a multi-step task, which may have an instruction for each step alone."""
    try:
        return bool(_read_toml(directory).get("steps"))
    except DatasetError:
        return False


def _without_mcp(config: TaskConfig) -> TaskConfig:
    environment = config.environment.model_copy(update={"mcp_servers": ()})
    return config.model_copy(update={"environment": environment})


def check_links(directory: Path) -> None:
    """Check that no file or directory of a task is a symlink to a target outside the task.

    The target would be uploaded into the sandbox.

    Raises:
        DatasetError: there is such a symlink.
        FileNotFoundError: the task's directory no longer exists.
    """
    home = directory.resolve(strict=True)
    for name in (*TASK_FILES, "tests", "solution", "tests/test.sh"):  # a directory comes before its files
        path = home / name
        if path.is_symlink() and not path.resolve().is_relative_to(home):
            what = f"{name} is a link that leads out of the task; replace it with a copy of its target"
            raise DatasetError(Mistake.LINK, directory, what)


def _check_network(directory: Path, config: TaskConfig) -> None:
    """Check that no phase of a task restricts network access, because the kit's sandboxes cannot restrict a network."""
    phases = {
        "environment": config.environment,
        "agent": config.agent,
        "verifier": config.verifier,
        "verifier.environment": config.verifier.environment,
    }
    for phase, settings in phases.items():
        if settings is not None and settings.network_mode not in (None, "public"):
            forbids = f"{phase}.network_mode is {settings.network_mode}"
            raise DatasetError(Mistake.REFUSED, directory, f"task.toml: {forbids}; leave network=True out, or the task")


def _read_toml(directory: Path) -> dict[str, Any]:
    text = _read_text(directory, "task.toml", newline="")
    try:
        return read_toml(text)
    # Rule: documented-env/refused
    except TOMLDecodeError as error:
        raise DatasetError(Mistake.TOML, directory, f"task.toml is not TOML: {error}; correct it") from None
    except (ValueError, RecursionError) as error:
        raise DatasetError(Mistake.TOML, directory, f"task.toml cannot be read: {error}; correct it") from None


def _read_text(directory: Path, name: str, newline: str | None = None) -> str:
    if not (directory / name).is_file():  # reading a pipe might never end
        raise DatasetError(Mistake.UNREADABLE, directory, f"{name} is not a file; replace it with a file")
    try:
        with (directory / name).open(encoding="utf-8", newline=newline) as file:
            return file.read()
    except UnicodeDecodeError as error:
        what = f"{name} is not UTF-8 at byte {error.start}; write it in UTF-8"
        raise DatasetError(Mistake.ENCODING, directory, what) from None


def to_dataset(rows: Sequence[Row]) -> "Dataset":
    """Return the rows as a Hugging Face dataset. Each column must have one type, down to the fields of task.toml.

    Raises:
        DatasetError: a field has different types in two tasks, or a type that a dataset cannot hold.
    """
    # `datasets` is imported here because the import takes seconds, and only training needs it.
    from datasets import Dataset

    try:
        return Dataset.from_list(list(rows))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError) as error:
        mistake = Mistake.TYPE if isinstance(error, OverflowError) else Mistake.MIXED_TYPES
        reason = " ".join(str(error).split())
        what = f"its tasks do not fit into one dataset: {reason}; write each field of task.toml alike in all tasks"
        raise DatasetError(mistake, Path(rows[0]["info"]["task_dir"]).parent, what) from None
