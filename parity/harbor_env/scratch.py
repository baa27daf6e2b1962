"""Temporary directories that are removed after this process has ended, however it ended; and work in threads."""

import asyncio
import atexit
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

# The shell's input ends with this process.
_TIDY_UP = """trap '' HUP INT QUIT TERM; read -r end
for left in "$1"*; do [ ! -d "$left" ] || { chmod -R u+rwx "$left"; rm -rf "$left"; }; done"""
_TIMEOUT = 2
"""Seconds that this process waits at its end for that shell."""


@asynccontextmanager
async def scratch_directory() -> AsyncIterator[Path]:
    """Make an empty directory, and remove it at the end of the block."""
    directory = TemporaryDirectory(prefix=_prefix(os.getpid(), tempfile.gettempdir()), dir=tempfile.gettempdir())
    try:
        yield Path(directory.name)
    finally:
        await in_thread(directory.cleanup)


@cache
def _prefix(process: int, temporary: str) -> str:
    """Return the beginning of the names of this process's directories. A shell removes what is left of them."""
    prefix = f"harbor-env-{process}-{uuid4().hex[:12]}-"
    # It must run before there is anything to remove, because this process may be killed at any moment.
    shell = subprocess.Popen(
        ["sh", "-c", _TIDY_UP, "sh", os.path.join(temporary, prefix)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath},
        start_new_session=True,
    )
    atexit.register(_end, shell)
    return prefix


def _end(shell: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):
        shell.communicate(timeout=_TIMEOUT)


async def in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Run work in a thread and return its result. A cancelled caller waits until the thread has ended."""
    # By the event loop's executor, which a loop in virtual time can replace.
    return await finished(asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments)))


async def finished[T](working: asyncio.Future[T]) -> T:
    """Return the result of a future. A cancelled caller waits for its end, too."""
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.cancelled() or working.exception()  # its result is not needed any more
        raise
