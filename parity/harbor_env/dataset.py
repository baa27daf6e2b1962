"""Read a folder of task folders as tasks, and as rows of a dataset. Rules: `harbor-env/*`, `documented-env/*`."""

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

from parity.driver.errors import TaskError
from parity.driver.task_file import read_toml
from parity.harbor_env.errors import DatasetError, MissingDatasetError, Mistake
from parity.harbor_env.harbor_run import HarborRun, read_harbor_run
from parity.harbor_env.settings import EnvSettings
from parity.scorer.printable import printable

type Row = dict[str, Any]
"""A row with `example_id`, `task`, `prompt` and `info`, as HarborEnv documents them."""

_LOG = logging.getLogger("parity.harbor_env")
_PARTS = ("task.toml", "instruction.md")


@dataclass(frozen=True)
class DatasetTask:
    """A task, read once from its folder."""

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
    """Read the tasks of a folder, in the order of their names.

    A folder without task.toml or instruction.md is left out with a warning, unless it is chosen by name. A chosen name
    without a folder is left out with a warning, too. Harbor's scoring accepts only tasks that Harbor's trials accept;
    the documentation's scoring accepts any. With a network, a task that forbids one is refused.

    Raises:
        DatasetError: the folder has no task, or a task in it or a folder chosen by name cannot be used. If the folder
            is missing, the error is a FileNotFoundError, too.
    """
    folder, names = settings.dataset_path, settings.task_names
    tasks = [_read_task(path, settings) for path in _chosen(folder, names)]
    for task in tasks if settings.network else ():
        _check_network(task)
    # Rule: documented-env/refused
    if not tasks:
        wanted = f" among {', '.join(names)}" if names else ""
        what = f"holds no task{wanted}: a task is a folder with task.toml and instruction.md"
        if all(_exists(folder / part) for part in _PARTS):
            what = "is a task itself; give the folder that holds it as dataset_path"
        raise DatasetError(Mistake.NO_TASKS, folder, what)
    return tasks


def _chosen(folder: Path, names: Sequence[str] | None) -> Iterator[Path]:
    """Yield the folders that are tasks.

    Raises:
        DatasetError: the dataset cannot be read, or a folder that is chosen by name is not a task.
    """
    found = {path.name for path in _entries(folder)}
    for unknown in sorted({*(names or ())} - found):
        _LOG.warning("%s", printable(f"{folder}: there is no task {unknown!r}; it is left out"))
    # Rules: documented-env/filter, documented-env/order
    for name in sorted(found if not names else found & {*names}):
        path = folder / name
        missing = " and ".join(part for part in _PARTS if not _exists(path / part))
        # Rule: documented-env/incomplete-folder
        if missing and names:
            what = f"lacks {missing}; add what is missing, or take {name!r} out of tasks"
            raise DatasetError(Mistake.NO_TASKS, path, what)
        if missing:
            _LOG.warning("%s", printable(f"{path}: lacks {missing}; the folder is left out"))
        else:
            yield path


def _entries(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir()]
    except FileNotFoundError:
        what = "there is no such folder; give the one that holds the task folders as dataset_path"
        raise MissingDatasetError(Mistake.NO_FOLDER, folder, what) from None
    except NotADirectoryError:
        what = "is a file; give the folder that holds the task folders as dataset_path"
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
    for name in (*_PARTS, "tests", "solution", "tests/test.sh"):  # a part comes before what is in it
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
    for phase, table in phases.items():
        said = table if isinstance(table, dict) else {}
        forbids = {"network_mode": said.get("network_mode") not in (None, "public")}
        forbids["allow_internet"] = said.get("allow_internet") is False
        for field in (field for field, is_forbidden in forbids.items() if is_forbidden):
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
