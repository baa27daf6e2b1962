"""Temporary folders that are removed after this process has ended, however it ended.

All folders of a process are in one folder. A separate process removes that one at the end; it receives no signals of
this process's group or terminal.
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
_CHANGING = Lock()


@asynccontextmanager
async def scratch_folder() -> AsyncIterator[Path]:
    """Make an empty folder, and remove it at the end of the block."""
    top = _top(os.getpid(), tempfile.gettempdir())
    with _CHANGING:
        os.makedirs(top, 0o700, exist_ok=True)
        folder = TemporaryDirectory(dir=top)
    try:
        yield Path(folder.name)
    finally:
        await done_in_thread(_remove, folder, top)


def _remove(folder: TemporaryDirectory[str], top: str) -> None:
    try:
        folder.cleanup()
    finally:
        # Folders in use, or that could not be removed, stay until the end of this process.
        with _CHANGING, suppress(OSError):
            os.rmdir(top)


@cache
def _top(process: int, temporary: str) -> str:
    """Return the path of the common parent folder, which exists while a folder in it does."""
    path = os.path.join(temporary, f"harbor-env-{process}-{uuid4().hex[:12]}")
    Tidying(_TIDY_UP, path)
    return path
