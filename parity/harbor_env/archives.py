"""The two archives of a task: the files for its agent, and the files that are uploaded after the agent.

Each is packed once, in a thread, and shared by all rollouts until the task's files change. The archive's file has no
name, so it disappears with this process, however the process ends.
"""

import gzip
import os
import tarfile
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Lock

from parity.driver.sandboxes.archive import of_root
from parity.harbor_env.dataset import check_links
from parity.harbor_env.places import ORACLE, TASK, TESTS
from parity.harbor_env.threads import done_in_thread

KEPT_BYTES = 1 << 30
"""The most bytes of archives to keep, in addition to those in use."""

KEPT_ARCHIVES = 200

_SETTLED = 10**9
"""Nanoseconds after which the next change of a file is certain to give it another time."""

_BY_NUMBER = Path("/proc/self/fd")

type _ArchiveParts = dict[str, Path]
type _State = list[tuple[object, ...]]


def parts_for_agent(task: Path) -> _ArchiveParts:
    """Return the files for the agent: instruction.md and task.toml, and nothing about the solution or the tests."""
    # Rule: documented-env/before-the-agent
    return {f"{TASK}/{name}": (task / name).resolve() for name in ("instruction.md", "task.toml")}


def parts_for_tests(task: Path) -> _ArchiveParts:
    """Return the content of `solution/` and `tests/`, for `/oracle` and `/tests`. Links in them stay links."""
    # Rule: documented-env/after-the-agent
    return {
        f"{place}/{path.name}": path
        for place, folder in ((ORACLE, task / "solution"), (TESTS, task / "tests"))
        if folder.is_dir()
        for path in sorted(folder.iterdir())
    }


@asynccontextmanager
async def packed(task: Path, parts_of: Callable[[Path], _ArchiveParts]) -> AsyncIterator[Path]:
    """Yield the path of the archive with these parts of a task.

    Raises:
        DatasetError: one of the files is a link that leads out of the task.
    """
    archive = await done_in_thread(_taken, task, parts_of)
    with archive.named() as path:
        yield path


class _Packed:
    """An archive, which is closed when nothing refers to it any more."""

    def __init__(self, parts: _ArchiveParts) -> None:
        # Read before packing: files that change meanwhile will differ from this state.
        began = time.time_ns()
        self.state = _state(parts)
        self.is_settled = all(when < began - _SETTLED for *_, when in self.state if isinstance(when, int))
        with TemporaryFile() as file:
            # Without file name and time: the same task gives the same archive.
            with (
                gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0) as stream,
                tarfile.open(fileobj=stream, mode="w|") as archive,
            ):
                for name, source in parts.items():
                    archive.add(source, name.removeprefix("/"), filter=of_root)
            file.flush()
            os.fchmod(file.fileno(), 0o644)  # the usual mode of a file, which its copies inside receive
            self.size = os.fstat(file.fileno()).st_size
            self._descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._descriptor)

    @contextmanager
    def named(self) -> Iterator[Path]:
        """Yield a path by which this process can read the archive."""
        if _BY_NUMBER.is_dir():
            yield _BY_NUMBER / str(self._descriptor)
            return
        with TemporaryDirectory(prefix="harbor-env-") as folder:
            path = Path(folder, "archive.tar.gz")
            with path.open("wb") as file:
                for start in range(0, self.size, 1 << 20):
                    file.write(os.pread(self._descriptor, 1 << 20, start))
            yield path


@dataclass
class _Kept:
    """The archive of one task, with a lock for concurrent requests."""

    lock: Lock = field(default_factory=Lock)
    packed: _Packed | None = None


_KEPT: dict[tuple[Path, Callable[[Path], _ArchiveParts]], _Kept] = {}
"""The kept archives, in the order of their last requests."""

_KEEPING = Lock()


def _taken(task: Path, parts_of: Callable[[Path], _ArchiveParts]) -> _Packed:
    """Return the archive of a task's present files, which is packed again if they have changed."""
    check_links(task)
    with _KEEPING:
        key = task.resolve(), parts_of
        kept = _KEPT[key] = _KEPT.pop(key, _Kept())
    with kept.lock:
        parts = parts_of(task)
        packed = kept.packed
        if packed is None or not packed.is_settled or packed.state != _state(parts):
            kept.packed = None
            packed = kept.packed = _Packed(parts)
    with _KEEPING:
        _keep_within_bounds()
    return packed


def _keep_within_bounds() -> None:
    size = 0
    for number, key in enumerate(reversed(list(_KEPT))):
        packed = _KEPT[key].packed
        size += packed.size if packed else 0
        if size > KEPT_BYTES or number >= KEPT_ARCHIVES:
            del _KEPT[key]


def _state(parts: _ArchiveParts) -> _State:
    """Return a description of files that changes with them. Each entry ends with the last change's time."""
    state: _State = []
    for name, top in parts.items():
        for path in (str(top), *_below(top)):
            found = os.lstat(path)
            state.append((name, path, found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_ctime_ns))
    return state


def _below(top: Path) -> Iterable[str]:
    for folder, folders, files in os.walk(top):
        yield from sorted(os.path.join(folder, name) for name in (*folders, *files))
