"""The transfer of files that a foreign program has fetched from a sandbox to their place on the host.

The fetched files lie in a folder of their own, and are as untrusted as the sandbox: they may be links to anywhere,
pipes, or too large. They are packed and unpacked like an archive from a sandbox, under the same rules.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import LIMITS, Limits, pack
from parity.driver.sandboxes.streaming import PADDING, log_left_out
from parity.driver.sandboxes.unpacking import unpack, unpack_file


def carry_over(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy the entries of a folder into an existing folder, and overwrite entries there.

    Raises:
        TransferError: the entries exceed the limits, or cannot be read or written.
    """
    log_left_out(target.name, _through_pipe(source, ".", lambda stream: unpack(stream, target, limits)))


def carry_over_file(source: Path, target: Path, limits: Limits = LIMITS) -> None:
    """Copy one file to a path, and overwrite a file there.

    Raises:
        TransferError: the source is not a file, exceeds the limits, or cannot be read or written.
    """
    if source.is_symlink():
        raise TransferError(f"{source.name!r} is a link")
    _through_pipe(source, source.name, lambda stream: unpack_file(stream, target, limits))


def _through_pipe[T](source: Path, name: str, take: Callable[[IO[bytes]], T]) -> T:
    """Pack into a pipe and unpack from it, so that packing stops as soon as a limit is exceeded."""
    out, into = os.pipe()
    with ThreadPoolExecutor(max_workers=1) as threads:
        packing = threads.submit(_pack, source, name, into)
        try:
            with os.fdopen(out, "rb") as stream:
                taken = take(stream)
                stream.read(PADDING)
        except TransferError as error:
            # A failure to pack leaves an incomplete archive, and explains it better than the failure to unpack.
            packed = packing.exception()
            raise packed if isinstance(packed, TransferError) else error from None
        packing.result()
        return taken


def _pack(source: Path, name: str, into: int) -> None:
    with os.fdopen(into, "wb") as stream:
        pack(source, stream, name=name)
