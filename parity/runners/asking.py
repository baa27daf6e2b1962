"""Runs a runner on a case, and returns its value, exception, hang or other outcome as an answer."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.runners.pipe import PipeRunner
from parity.runners.runner import Unsupported, claims


class Hung(BaseException):
    """Raised inside a runner that takes too long. It is no Exception, so `except Exception` does not catch it."""


class Clock:
    """A time limit for each case, for a runner in this process.

    The limit uses SIGALRM, so it works only in the main thread, and only if the runner regularly returns to the
    interpreter. Code that loops inside a C extension can only be stopped from another process.
    """

    DEFAULT = 10.0
    """The default time limit for one case, in seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._armed = False
        self.works = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Handle SIGALRM inside the `with` block, and restore the previous handler afterwards."""
        if not self.works:
            yield
            return
        previous = signal.signal(signal.SIGALRM, self._ring)
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, previous)

    def start(self) -> None:
        # The alarm repeats every second, because a runner may catch the first one and continue.
        if self.works:
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 1.0)

    def stop(self) -> None:
        if self.works:
            self._armed = False  # before the timer is stopped, so that a late alarm interrupts nothing
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _ring(self, number: int, frame: object) -> None:
        if self._armed:
            raise Hung


def ask(
    runner: object, operation: str, arguments: tuple[Any, ...], clock: Clock | None = None, *, traced: bool = False
) -> Answer:
    """Return the runner's answer to one case: a value, a fault, a crash, or not claimed.

    Args:
        runner: the runner.
        operation: the operation's name.
        arguments: the arguments for the operation.
        clock: the time limit; None for no limit.
        traced: whether the answer refers to the exception, whose traceback keeps many objects alive.
    """
    if not claims(runner, operation):
        return NotClaimed(f"it has no {operation}")
    if isinstance(runner, PipeRunner):
        return runner.answer(operation, arguments, clock.seconds if clock else Clock.DEFAULT)
    method = getattr(runner, operation)
    try:
        if clock is None:
            return Value(method(*arguments))
        try:
            clock.start()
            value = method(*arguments)
        finally:
            clock.stop()
        return Value(value)
    except Hung as hung:
        if clock:
            clock.stop()
        reason = f"it gave no answer within {clock.seconds:g} s" if clock else "it hung"
        return Crash(reason, hung=True, error=hung if traced else None)
    except Unsupported as unsupported:
        return NotClaimed(_message(unsupported))
    except SystemExit as exit_:
        reason = f"it tried to end the process: SystemExit({exit_.code!r})"
        return Crash(reason, error=exit_ if traced else None)
    except Exception as error:
        return Fault(type(error).__name__, _message(error), error=error if traced else None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a cancellation, a panic in an extension, or one of pytest's outcomes
        reason = f"it raised {type(error).__name__}, which is not an Exception: {_message(error)}"
        return Crash(reason, error=error if traced else None)


def can_pipeline(runner: object) -> bool:
    """Return whether the runner accepts further questions before it has answered the first."""
    return isinstance(runner, PipeRunner) and runner.pipelining


def ask_several(
    runner: object,
    operation: str,
    calls: Sequence[tuple[Any, ...]],
    clock: Clock | None = None,
    *,
    traced: bool = False,
) -> list[Answer]:
    """Return the runner's answers to several questions, which are sent together if the runner supports that.

    Args:
        runner: the runner, or the reference.
        operation: the operation's name.
        calls: the arguments for each question.
        clock: the time limit for each answer; None for no limit.
        traced: see `ask`.

    Returns:
        The answers in order, up to the first one that took too long.
    """
    if isinstance(runner, PipeRunner) and runner.claims(operation):
        return runner.answers(operation, calls, clock.seconds if clock else Clock.DEFAULT)
    answers: list[Answer] = []
    for arguments in calls:
        answer = ask(runner, operation, arguments, clock, traced=traced)
        answers.append(answer)
        if isinstance(answer, Crash) and answer.hung:
            break
    return answers


def can_be_stopped(runner: object, clock: Clock) -> bool:
    """Return whether a runner that takes too long can be stopped: a program always, any other runner by the clock."""
    return clock.works or isinstance(runner, PipeRunner)


def end(runner: object) -> str | None:
    """End the program behind a runner, if there is one. Return the mistake that it made at its end, or None."""
    return runner.close() if isinstance(runner, PipeRunner) else None


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as nested:
        return f"<the message raised {type(nested).__name__}>"
