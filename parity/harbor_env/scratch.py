"""Folders of the host that are gone when this process is, however it ends.

All of a process lie in one folder, which a process of its own removes when this one has ended. It is out of reach of
what is sent to this one's group or terminal.
"""

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from uuid import uuid4

from parity.driver.sandboxes.tidying import Tidying
from parity.harbor_env.threads import done_in_thread

_TIDY_UP = '[ ! -d "$1" ] || { chmod -R u+rwx "$1"; rm -rf "$1"; }'


@asynccontextmanager
async def scratch_folder() -> AsyncIterator[Path]:
    """An empty folder, until it is left."""
    top = _top(os.getpid(), tempfile.gettempdir())
    folder = top.make()
    try:
        yield Path(folder.name)
    finally:
        await done_in_thread(top.remove, folder)


class _Top:
    """The folder of all, which is there as long as there is one in it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock, self._users = Lock(), 0
        Tidying(_TIDY_UP, path)

    def make(self) -> TemporaryDirectory[str]:
        with self._lock:
            if not self._users:
                with suppress(FileExistsError):  # with what could not be removed
                    os.mkdir(self._path, 0o700)
            folder = TemporaryDirectory(dir=self._path)
            self._users += 1
            return folder

    def remove(self, folder: TemporaryDirectory[str]) -> None:
        try:
            folder.cleanup()
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    with suppress(OSError):  # what could not be removed goes at the end of this process
                        os.rmdir(self._path)


@cache
def _top(process: int, temporary: str) -> _Top:
    return _Top(os.path.join(temporary, f"harbor-env-{process}-{uuid4().hex[:12]}"))
