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
_CHANGING = Lock()


@asynccontextmanager
async def scratch_folder() -> AsyncIterator[Path]:
    """An empty folder, until it is left."""
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
        # What others still use stays, and so does what could not be removed: it goes at the end of this process.
        with _CHANGING, suppress(OSError):
            os.rmdir(top)


@cache
def _top(process: int, temporary: str) -> str:
    """The folder of all, which is there as long as one is in it."""
    path = os.path.join(temporary, f"harbor-env-{process}-{uuid4().hex[:12]}")
    Tidying(_TIDY_UP, path)
    return path
