"""Read a directory of tasks as tasks, and as rows of a dataset. Rules: `harbor-env/*`, `documented-env/*`."""

import logging
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

from parity.driver.errors import TaskError
from parity.driver.task_file import read_toml
from parity.harbor_env.errors import DatasetError, MissingDatasetError, Mistake
from parity.harbor_env.harbor_run import NO_STEPS, HarborRun, read_harbor_run
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable

type Row = dict[str, Any]
"""A row with `example_id`, `task`, `prompt` and `info`, as HarborEnv documents them."""

_LOG = logging.getLogger("parity.harbor_env")
_FILES = ("task.toml", "instruction.md")


@dataclass(frozen=True)
class DatasetTask:
    """A task, read once from its directory."""

    folder: Path
    config: dict[str, Any]
    """The values of task.toml."""

    instruction: str
    harbor_run: HarborRun | None
    """Harbor's settings for the task's run; None under the documentation's scoring."""

    @property
    def image(self) -> str | None:
        """The image that task.toml names."""
        image: str | None = self.config.get("environment", {}).get("docker_image")
        return image

    def row(self, number: int) -> Row:
        """Return the task as a row of a dataset."""
        name = self.folder.name
        # Rule: documented-env/config
        info = {"task_name": name, "task_dir": str(self.folder), "docker_image": self.image, "config": self.config}
        # Rule: documented-env/instruction
        prompt = [{"role": "user", "content": self.instruction}]
        # Rule: documented-env/rows
        return {"example_id": number, "task": name, "prompt": prompt, "info": info}


def read_tasks(settings: EnvSettings) -> list[DatasetTask]:
    """Read the tasks of a directory, in the order of their names.

    A directory without task.toml or instruction.md is left out with a warning, unless it is chosen by name. A chosen
    name without a directory is left out with a warning, too. Harbor's scoring accepts only tasks that Harbor's trials
    accept; the documentation's scoring accepts any. With a network, a task that forbids one is refused.

    Raises:
        DatasetError: the directory has no task, or a task in it or a directory chosen by name cannot be used. If the
            dataset's directory is missing, the error is a FileNotFoundError, too.
    """
    folder, names = settings.dataset_path, settings.tasks
    tasks = [_read_task(path, settings) for path in _chosen(folder, names)]
    for task in tasks if settings.network else ():
        _check_network(task)
    # Rule: documented-env/refused
    if not tasks:
        wanted = f" among {', '.join(names)}" if names else ""
        what = f"holds no task{wanted}: a task is a directory with task.toml and instruction.md"
        if all(_exists(folder / name) for name in _FILES):
            what = "is a task itself; give the directory that holds it as dataset_path"
        raise DatasetError(Mistake.NO_TASKS, folder, what)
    return tasks


def _chosen(folder: Path, names: Collection[str] | None) -> Iterator[Path]:
    """Yield the directories that are tasks.

    Raises:
        DatasetError: the dataset cannot be read, or a directory that is chosen by name is not a task.
    """
    found = {path.name for path in _entries(folder)}
    for unknown in sorted({*(names or ())} - found):
        _LOG.warning("%s", printable(f"{folder}: there is no task {unknown!r}; it is left out"))
    # Rules: documented-env/filter, documented-env/order
    for name in sorted(found if not names else found & {*names}):
        path = folder / name
        missing = " and ".join(part for part in _FILES if not _exists(path / part))
        if not missing:
            yield path
            continue
        has_steps = _has_steps(path)
        # Rule: documented-env/incomplete-folder
        if names and has_steps:
            raise DatasetError(Mistake.REFUSED, path, NO_STEPS)
        if names:
            what = f"lacks {missing}; add what is missing, or take {name!r} out of tasks"
            raise DatasetError(Mistake.NO_TASKS, path, what)
        why = NO_STEPS if has_steps else f"lacks {missing}; the directory is left out"
        _LOG.warning("%s", printable(f"{path}: {why}"))


def _has_steps(folder: Path) -> bool:
    """Return whether a directory is a task with steps, which has an instruction for each step."""
    try:
        return bool(_read_toml(folder).get("steps"))
    except DatasetError:
        return False


def _entries(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir()]
    except FileNotFoundError:
        what = "there is no such directory; give the one that holds the task directories as dataset_path"
        raise MissingDatasetError(Mistake.NO_FOLDER, folder, what) from None
    except NotADirectoryError:
        what = "is a file; give the directory that holds the task directories as dataset_path"
        raise DatasetError(Mistake.NOT_A_FOLDER, folder, what) from None
    except (OSError, ValueError) as error:
        raise DatasetError(Mistake.UNREADABLE, folder, f"cannot be read: {error}; make it readable") from None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise DatasetError(Mistake.UNREADABLE, path, f"cannot be read: {error.strerror}; make it readable") from None


def check_links(folder: Path) -> None:
    """Check that no part of a task is a link that leads out of it, because it would be uploaded into the sandbox.

    Raises:
        DatasetError: a part is such a link.
    """
    home = folder.resolve()
    for name in (*_FILES, "tests", "solution", "tests/test.sh"):  # a part comes before what is in it
        path = home / name
        if os.path.islink(path) and not path.resolve().is_relative_to(home):
            what = f"{name} is a link that leads out of the task; replace it with a copy of its target"
            raise DatasetError(Mistake.LINK, folder, what)


def _read_task(folder: Path, settings: EnvSettings) -> DatasetTask:
    try:
        check_links(folder)
    except (OSError, RuntimeError) as error:  # a link to itself
        raise DatasetError(Mistake.UNREADABLE, folder, f"cannot be read: {error}; correct it") from None
    # Rule: documented-env/instruction
    config, instruction = _read_toml(folder), _read_text(folder, "instruction.md").strip()
    environment = config.get("environment", {})
    # Rule: documented-env/refused
    if not isinstance(environment, dict):
        raise _wrong_type(folder, "environment", environment, "a table")
    image = environment.get("docker_image")
    if not isinstance(image, str | None):
        raise _wrong_type(folder, "environment.docker_image", image, "a string")
    try:
        harbor_run = read_harbor_run(folder, config, settings.host) if settings.scoring == "harbor" else None
    # Rule: harbor-env/refused
    except TaskError as error:
        raise DatasetError(Mistake.REFUSED, folder, error.what) from None
    return DatasetTask(folder, config, instruction, harbor_run)


def _check_network(task: DatasetTask) -> None:
    """Check that no phase of a task forbids the network, because no sandbox here can allow only part of it."""
    verifier = task.config.get("verifier")
    phases = {
        "environment": task.config.get("environment"),
        "agent": task.config.get("agent"),
        "verifier": verifier,
        "verifier.environment": verifier.get("environment") if isinstance(verifier, dict) else None,
    }
    for phase, value in phases.items():
        table = value if isinstance(value, dict) else {}
        forbidding = {
            "network_mode": table.get("network_mode") not in (None, "public"),
            "allow_internet": table.get("allow_internet") is False,
        }
        for field in (field for field, forbids in forbidding.items() if forbids):
            what = f"task.toml: {phase}.{field} forbids a network; leave network=True out, or the task"
            raise DatasetError(Mistake.REFUSED, task.folder, what)


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
    try:
        if not (folder / name).is_file():  # reading a pipe might never end
            raise DatasetError(Mistake.UNREADABLE, folder, f"{name} is not a file; replace it with a file")
        with (folder / name).open(encoding="utf-8", newline=newline) as file:
            return file.read()
    except UnicodeDecodeError as error:
        what = f"{name} is not UTF-8 at byte {error.start}; write it in UTF-8"
        raise DatasetError(Mistake.ENCODING, folder, what) from None
    except OSError as error:
        raise DatasetError(Mistake.UNREADABLE, folder, f"{name} cannot be read: {error.strerror}; correct it") from None
