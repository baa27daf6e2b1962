"""Keep work on a task's files out of the event loop, which all trials share.

A task decides how many files it leaves and what is in them. So reading, unpacking or removing them may take long, and
in the event loop's thread it would stop all other trials and their timeouts. Functions that do such work are
`blocking`, and coroutines call them by `in_thread`.
"""

import _thread
import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_IS_IN_THREAD: ContextVar[bool] = ContextVar("is_in_thread", default=False)


def blocking[**P, T](function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function that works on a task's files: without `in_thread`, an event loop's thread gets a RuntimeError."""

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if not _IS_IN_THREAD.get() and _runs_event_loop():
            raise RuntimeError(f"{function.__qualname__} would block the event loop; call it by in_thread")
        return function(*args, **kwargs)

    return checked


def _runs_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _NewThreads(Executor):
    """Runs each function in a new thread, so that no task can use up the threads of others.

    Neither the event loop nor the interpreter waits for the thread when it ends.
    """

    def submit[**P, T](self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        done.set_running_or_notify_cancel()

        def run() -> None:
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        # `threading.Thread` is not used, because it waits until the thread has started, which is slow on a busy
        # machine.
        _thread.start_new_thread(run, ())
        return done


_THREADS = _NewThreads()


def start_in_thread[T](work: Callable[[], T]) -> asyncio.Future[T]:
    """Start a function in a new thread, with the caller's context variables, and return a future for its result.

    An exception of the function is not reported if nobody awaits the future. An event loop in virtual time may call the
    function itself.
    """
    context = copy_context()
    context.run(_IS_IN_THREAD.set, True)
    future = asyncio.get_running_loop().run_in_executor(_THREADS, partial(context.run, work))
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future


async def in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Run a function in a thread and return its result. A caller that is cancelled waits until the function returns."""
    return await finished(start_in_thread(partial(work, *arguments)))


async def finished[T](future: asyncio.Future[T]) -> T:
    """Return the result of a future. A caller that is cancelled still waits until the future is done."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.cancelled() or future.exception()  # marks the exception as seen, because the caller has ended
        raise


@asynccontextmanager
async def temporary_directory(parent: Path | None = None) -> AsyncIterator[Path]:
    """Make an empty directory in a directory, by default the system's for temporary files; remove it afterwards."""
    directory = TemporaryDirectory(prefix=".parity-", dir=parent)
    try:
        yield Path(directory.name)
    finally:
        await in_thread(directory.cleanup)
