"""The two archives of a task: what its agent may see, and what comes after the agent."""

import gzip
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from parity.driver.sandboxes.packing import of_root
from parity.harbor_env.dataset import check_links
from parity.harbor_env.places import ORACLE, TASK, TESTS


@contextmanager
def task_archive(task: Path) -> Iterator[Path]:
    """The instruction and task.toml: nothing that tells how the task is solved or tested.

    Raises:
        DatasetError: one of them lies elsewhere by a link.
    """
    check_links(task)
    with _archive({f"{TASK}/{name}": (task / name).resolve() for name in ("instruction.md", "task.toml")}) as path:
        yield path


@contextmanager
def tests_archive(task: Path) -> Iterator[Path]:
    """What `solution/` and `tests/` hold, for `/oracle` and `/tests`. Links in them stay links.

    Raises:
        DatasetError: one of the folders lies elsewhere by a link.
    """
    check_links(task)
    places = {ORACLE: task / "solution", TESTS: task / "tests"}
    parts = {
        f"{place}/{path.name}": path
        for place, folder in places.items()
        if folder.is_dir()
        for path in sorted(folder.iterdir())
    }
    with _archive(parts) as path:
        yield path


@contextmanager
def _archive(parts: dict[str, Path]) -> Iterator[Path]:
    with TemporaryDirectory(prefix="harbor-env-") as folder:
        path = Path(folder, "archive.tar.gz")
        # No file's name and no time in it: the same task gives the same archive.
        with (
            path.open("wb") as file,
            gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0) as stream,
            tarfile.open(fileobj=stream, mode="w|") as archive,
        ):
            for name, source in parts.items():
                archive.add(source, name.removeprefix("/"), filter=of_root)
        yield path
