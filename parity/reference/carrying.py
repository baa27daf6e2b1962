"""Carries files that a foreign program has fetched from a sandbox over to their place on the host.

What it fetched lies in a folder of its own, and is as untrusted as the sandbox: links to anywhere, pipes, any amount.
It goes the way of an archive that comes out of a sandbox, and so under the same rules.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import LIMITS, Limits
from parity.driver.sandboxes.packing import pack
from parity.driver.sandboxes.streaming import PADDING, log_left_out
from parity.driver.sandboxes.unpacking import unpack, unpack_file


def carry_over(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy what a folder holds into a folder that exists, over what is there.

    Raises:
        TransferError: it is more than the host takes, or cannot be read or written.
    """
    log_left_out(target.name, _through_pipe(source, ".", lambda stream: unpack(stream, target, limits)))


def carry_over_file(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy one file to a path, over what is there.

    Raises:
        TransferError: it is no file, larger than what the host takes, or cannot be read or written.
    """
    if source.is_symlink():
        raise TransferError(f"{source.name!r} is a link")
    _through_pipe(source, source.name, lambda stream: unpack_file(stream, target, limits))


def _through_pipe[T](source: Path, name: str, take: Callable[[IO[bytes]], T]) -> T:
    """What is too much for the host is never packed to its end."""
    out, into = os.pipe()
    with ThreadPoolExecutor(max_workers=1) as threads:
        packing = threads.submit(_pack, source, name, into)
        try:
            with os.fdopen(out, "rb") as stream:
                taken = take(stream)
                stream.read(PADDING)
        except TransferError as error:
            # What cannot be packed makes no whole archive, and is the better word for it.
            packed = packing.exception()
            raise packed if isinstance(packed, TransferError) else error from None
        packing.result()
        return taken


def _pack(source: Path, name: str, into: int) -> None:
    with os.fdopen(into, "wb") as stream:
        pack(source, stream, name=name)
