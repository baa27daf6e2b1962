"""Read a directory of tasks as tasks, and as rows of a dataset. Rules: `harbor-env/*`, `documented-env/*`."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import TYPE_CHECKING, Any

from parity.driver.documents.templates import missing_variables, variables_used
from parity.driver.errors import TaskError
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.driver.sandboxes.dockerfile import compose_file, read_dockerfile
from parity.driver.task_file import check_supported, read_toml, task_config
from parity.formats.task import TaskConfig
from parity.harbor_env.errors import DatasetError, MissingDatasetError, Mistake
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable

if TYPE_CHECKING:
    from datasets import Dataset

type Row = dict[str, Any]
"""A row with `example_id`, `task`, `prompt` and `info`, as HarborEnv documents them."""

_LOG = logging.getLogger("parity.harbor_env")
_FILES = ("task.toml", "instruction.md")
_INSTEAD = "run the task with parity run or harbor"
_NO_STEPS = f"task.toml: steps: an environment does not run steps; {_INSTEAD}"


@dataclass(frozen=True)
class DatasetTask:
    """A task, read once from its directory. Without Harbor's scoring, its settings for agent and tests do not count."""

    folder: Path
    toml: dict[str, Any]
    """The values of task.toml."""

    instruction: str
    harbor: TaskConfig | None = None
    """task.toml as Harbor reads it; None under the documentation's scoring."""

    built_workdir: str | None = None
    """The WORKDIR of the task's Dockerfile, if no image replaces the Dockerfile."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def image(self) -> str | None:
        """The image that task.toml names."""
        image: str | None = self.toml.get("environment", {}).get("docker_image")
        return image

    @property
    def workdir(self) -> str | None:
        """The directory that the agent and the tests run in; None for the sandbox's own."""
        return (self.harbor.environment.workdir if self.harbor else None) or self.built_workdir

    @property
    def agent_timeout(self) -> float | None:
        """The agent's timeout in seconds; None for any time."""
        return self.harbor.agent.timeout_sec if self.harbor else None

    @property
    def agent_env(self) -> Mapping[str, str]:
        """Variables of the agent, with templates of the host's variables."""
        return self.harbor.environment.env if self.harbor else {}

    @property
    def test_env(self) -> Mapping[str, str]:
        """Variables of the tests under Harbor's scoring, with templates."""
        # Rule: harbor-env/test-variables
        return {**self.agent_env, **(self.harbor.verifier.env if self.harbor else {})}

    @property
    def resources(self) -> dict[str, float]:
        """The task's values of `cpu_cores`, `memory_gb` and `disk_size_gb`."""
        if self.harbor is None:
            return {}
        own = self.harbor.environment
        megabytes = {"memory_gb": own.memory_mb, "disk_size_gb": own.storage_mb}
        sizes = {name: size / 1024 for name, size in megabytes.items() if size}
        return {"cpu_cores": own.cpus, **sizes} if own.cpus else sizes

    def row(self, number: int) -> Row:
        """Return the task as a row of a dataset."""
        # Rule: documented-env/config
        info = {"task_name": self.name, "task_dir": str(self.folder), "docker_image": self.image, "config": self.toml}
        # Rule: documented-env/instruction
        prompt = [{"role": "user", "content": self.instruction}]
        # Rule: documented-env/rows
        return {"example_id": number, "task": self.name, "prompt": prompt, "info": info}


def read_tasks(settings: EnvSettings, sandboxes: Sandboxes | None) -> list[DatasetTask]:
    """Read the tasks of a directory, in the order of their names.

    A directory without task.toml or instruction.md is left out with a warning, unless it is chosen by name. A chosen
    name without a directory is left out with a warning, too. Harbor's scoring accepts only tasks that Harbor's trials
    accept; the documentation's scoring accepts any. With a network, a task that forbids one is refused.

    Args:
        settings: the environment's settings.
        sandboxes: the kind of sandbox that has to replace the tasks' Dockerfiles; None for one that is not ours.

    Raises:
        DatasetError: the directory has no task, or a task in it or a directory chosen by name cannot be used. If the
            dataset's directory is missing, the error is a FileNotFoundError, too.
    """
    folder, names = settings.dataset_path, settings.tasks
    if not folder.is_dir():
        what = "there is no such directory; give the one that holds the task directories as dataset_path"
        raise MissingDatasetError(Mistake.NO_FOLDER, folder, what)
    try:
        tasks = [_read_task(path, settings, sandboxes) for path in _chosen(settings)]
    except (OSError, RuntimeError) as error:  # a link to itself is a RuntimeError
        raise DatasetError(Mistake.UNREADABLE, folder, f"cannot be read: {error}; make it readable") from None
    # Rule: documented-env/refused
    if not tasks:
        wanted = f" among {', '.join(names)}" if names else ""
        what = f"holds no task{wanted}: a task is a directory with task.toml and instruction.md"
        if not _missing(folder):
            what = "is a task itself; give the directory that holds it as dataset_path"
        raise DatasetError(Mistake.NO_TASKS, folder, what)
    return tasks


def _chosen(settings: EnvSettings) -> Iterator[Path]:
    """Yield the directories that are tasks.

    Raises:
        DatasetError: a directory that is chosen by name is not a task.
    """
    folder, names = settings.dataset_path, settings.tasks
    found = {path.name for path in folder.iterdir() if path.is_dir()}
    for unknown in sorted({*(names or ())} - found):
        _LOG.warning("%s", printable(f"{folder}: there is no task {unknown!r}; it is left out"))
    # Rules: documented-env/filter, documented-env/order
    for name in sorted(found & {*names} if names else found):
        path = folder / name
        if not (missing := _missing(path)):
            yield path
            continue
        has_steps = _has_steps(path)
        # Rule: documented-env/incomplete-folder
        if names and has_steps:
            raise DatasetError(Mistake.REFUSED, path, _NO_STEPS)
        lacks = f"lacks {' and '.join(missing)}"
        if names:
            what = f"{lacks}; add what is missing, or take {name!r} out of tasks"
            raise DatasetError(Mistake.NO_TASKS, path, what)
        _LOG.warning("%s", printable(f"{path}: {_NO_STEPS if has_steps else f'{lacks}; the directory is left out'}"))


def _missing(folder: Path) -> list[str]:
    """Return the names of the files that make a directory a task, and that it lacks."""
    return [name for name in _FILES if not (folder / name).exists()]


def _has_steps(folder: Path) -> bool:
    """Return whether a directory is a task with steps, which has an instruction for each step."""
    try:
        return bool(_read_toml(folder).get("steps"))
    except DatasetError:
        return False


def _read_task(folder: Path, settings: EnvSettings, sandboxes: Sandboxes | None) -> DatasetTask:
    check_links(folder)
    # Rule: documented-env/instruction
    toml, instruction = _read_toml(folder), _read_text(folder, "instruction.md").strip()
    environment = toml.get("environment", {})
    # Rule: documented-env/refused
    if not isinstance(environment, dict):
        raise _wrong_type(folder, "environment", environment, "a table")
    image = environment.get("docker_image")
    if not isinstance(image, str | None):
        raise _wrong_type(folder, "environment.docker_image", image, "a string")
    try:
        if settings.network:
            _check_network(folder, task_config(folder, toml))
        if settings.scoring == "documented":
            return DatasetTask(folder, toml, instruction)
        config = task_config(folder, toml)
        check_supported(folder, config)
    # Rule: harbor-env/refused
    except TaskError as error:
        raise DatasetError(Mistake.REFUSED, folder, error.what) from None
    for what in _refusals(folder, config, settings, sandboxes):
        raise DatasetError(Mistake.REFUSED, folder, what)
    built = None if config.environment.docker_image else read_dockerfile(folder / "environment" / "Dockerfile").workdir
    return DatasetTask(folder, toml, instruction, config, built)


def check_links(folder: Path) -> None:
    """Check that no part of a task is a link that leads out of it, because it would be uploaded into the sandbox.

    Raises:
        DatasetError: a part is such a link.
        FileNotFoundError: the task's directory is gone.
    """
    home = folder.resolve(strict=True)
    for name in (*_FILES, "tests", "solution", "tests/test.sh"):  # a part comes before what is in it
        path = home / name
        if path.is_symlink() and not path.resolve().is_relative_to(home):
            what = f"{name} is a link that leads out of the task; replace it with a copy of its target"
            raise DatasetError(Mistake.LINK, folder, what)


def _check_network(folder: Path, config: TaskConfig) -> None:
    """Check that no phase of a task forbids the network, because no sandbox here can allow only part of it."""
    phases = {"environment": config.environment, "agent": config.agent, "verifier": config.verifier}
    if config.verifier.environment is not None:
        phases["verifier.environment"] = config.verifier.environment
    for phase, settings in phases.items():
        if settings.network_mode not in (None, "public"):
            forbids = f"{phase}.network_mode is {settings.network_mode}"
            raise DatasetError(Mistake.REFUSED, folder, f"task.toml: {forbids}; leave network=True out, or the task")


def _refusals(folder: Path, config: TaskConfig, settings: EnvSettings, sandboxes: Sandboxes | None) -> Iterator[str]:
    """Yield the reasons why an environment cannot run a task as Harbor would, each with what to do instead."""
    if config.steps:
        yield _NO_STEPS
    if config.is_separate():
        yield f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}"
    for role, user in (("agent", config.agent.user), ("verifier", config.verifier.user)):
        if user is not None:
            yield f"task.toml: {role}.user: an environment runs all as the image's own user; {_INSTEAD}"
    build = folder / "environment"
    if (compose := compose_file(build)) is not None:
        yield f"environment/{compose}: an environment runs one container; run the task with harbor"
    if config.environment.healthcheck is not None:
        yield f"task.toml: environment.healthcheck: an environment does not wait for it; {_INSTEAD}"
    if not (folder / "tests" / "test.sh").exists():
        yield "tests/test.sh is missing; add it"
    variables = {**config.environment.env, **config.verifier.env}
    for name in sorted({*variables_used(variables, os.environ)} - {*settings.host_env}):
        yield f"task.toml: takes the host's variable {name}; allow it with host_env=[{name!r}]"
    for name in missing_variables(variables, settings.host):
        yield f"task.toml: a variable of the task needs {name}, which is not set here; set it"
    if sandboxes and not config.environment.docker_image and (build / "Dockerfile").exists():
        spec = SandboxSpec(folder.name, folder.name, build, settings.docker_image)
        if refusal := sandboxes.refusal(spec):
            yield f"{refusal.partition(';')[0]}; build it, and give its name as docker_image to other sandboxes"


def _wrong_type(folder: Path, field: str, value: object, wanted: str) -> DatasetError:
    what = f"task.toml: {field} is of type {type(value).__name__}; write {wanted}"
    return DatasetError(Mistake.TYPE, folder, what)


def _read_toml(folder: Path) -> dict[str, Any]:
    text = _read_text(folder, "task.toml", newline="")
    try:
        return read_toml(text)
    # Rule: documented-env/refused
    except TOMLDecodeError as error:
        raise DatasetError(Mistake.TOML, folder, f"task.toml is not TOML: {error}; correct it") from None
    except (ValueError, RecursionError) as error:
        raise DatasetError(Mistake.TOML, folder, f"task.toml cannot be read: {error}; correct it") from None


def _read_text(folder: Path, name: str, newline: str | None = None) -> str:
    if not (folder / name).is_file():  # reading a pipe might never end
        raise DatasetError(Mistake.UNREADABLE, folder, f"{name} is not a file; replace it with a file")
    try:
        with (folder / name).open(encoding="utf-8", newline=newline) as file:
            return file.read()
    except UnicodeDecodeError as error:
        what = f"{name} is not UTF-8 at byte {error.start}; write it in UTF-8"
        raise DatasetError(Mistake.ENCODING, folder, what) from None


def to_dataset(rows: Sequence[Row]) -> "Dataset":
    """Return the rows as a Hugging Face dataset. Each of its columns has one type, down to the fields of task.toml.

    Raises:
        DatasetError: a field has another type in another task, or a type that a dataset cannot hold.
    """
    # Imported here because it takes seconds, and only training needs it.
    from datasets import Dataset

    try:
        return Dataset.from_list(list(rows))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError) as error:
        raise _unfitting(rows, error) from None


def _unfitting(rows: Sequence[Row], error: Exception) -> DatasetError:
    """Return an error for the first name that is not UTF-8, number beyond 64 bits, or field of two types."""
    types: dict[str, tuple[str, str]] = {}
    for row in rows:
        folder = Path(row["info"]["task_dir"])
        if any("\ud800" <= char <= "\udfff" for char in str(folder)):
            return DatasetError(Mistake.ENCODING, folder, "its name is not UTF-8; rename it")
        for field, value in _fields(row["info"]["config"]):
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                what = f"task.toml: {field} is beyond 64 bits; write a smaller number"
                return DatasetError(Mistake.TYPE, folder, what)
            kind = "number" if type(value) in (int, float) else type(value).__name__
            other, task = types.setdefault(field, (kind, row["task"]))
            if kind != other:
                what = f"task.toml: {field} is of type {kind} here, and {other} in the task {task}; write them alike"
                return DatasetError(Mistake.MIXED_TYPES, folder, what)
    folder = Path(rows[0]["info"]["task_dir"]).parent
    text = " ".join(str(error).split())
    return DatasetError(Mistake.MIXED_TYPES, folder, f"its tasks do not fit into one dataset: {text}; write them alike")


def _fields(value: Any, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield all values, each with the name of its field. The values of a list share one name."""
    yield name, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, f"{name}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item, f"{name}[]")
