"""Puts one case to one runner and records what comes back, whatever comes back."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations.changed_input import watch
from parity.operations.operation import Operation
from parity.runners.interrupts import raise_pending
from parity.runners.pipe import PipeRunner
from parity.runners.runner import Unsupported, claims


class _Hung(BaseException):
    """Raised into a runner that takes too long; not an Exception, so that it is not mistaken for a fault."""


class Clock:
    """Limits how long a runner in this process may think about one case.

    The limit works by SIGALRM, so it needs the main thread and a runner that returns to the interpreter now
    and then; code that loops inside a C extension can only be stopped from another process.
    """

    DEFAULT = 10.0
    """Seconds for one case, by default."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._armed = False
        self.works = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Take over SIGALRM for as long as cases are asked."""
        if not self.works:
            yield
            return
        before = signal.signal(signal.SIGALRM, self._ring)
        try:
            yield
        finally:
            signal.signal(signal.SIGALRM, before)

    def start(self) -> None:
        # Rings again every second, for a runner that catches everything and goes on.
        if self.works:
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 1.0)

    def stop(self) -> None:
        if self.works:
            self._armed = False  # first, so that a late alarm interrupts nothing
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _ring(self, number: int, frame: object) -> None:
        if self._armed:
            raise _Hung


def ask(
    runner: object, operation: str, arguments: tuple[Any, ...], clock: Clock | None = None, *, traced: bool = False
) -> Answer:
    """The runner's answer to one case: its value, its fault, or that it gave none.

    Args:
        runner: who is asked.
        operation: what is asked.
        arguments: those of the call.
        clock: limits the time.
        traced: whether the answer is to hold what was raised, and so everything that the traceback refers to.

    Raises:
        KeyboardInterrupt: the run was interrupted meanwhile, also where the runner has caught that.
    """
    answer = _ask(runner, operation, arguments, clock, traced=traced)
    raise_pending()
    return answer


def _ask(runner: object, operation: str, arguments: tuple[Any, ...], clock: Clock | None, *, traced: bool) -> Answer:
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
    except _Hung as hung:
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
    except BaseException as error:  # cancellation, a panic of an extension, an outcome of pytest's
        reason = f"it raised {type(error).__name__}, which is not an Exception: {_message(error)}"
        return Crash(reason, error=error if traced else None)


def ask_watched(runner: object, operation: Operation[Any], arguments: tuple[Any, ...], clock: Clock) -> Answer:
    """The runner's answer to one case, and what it has changed of what it was given.

    A program has a copy of its arguments, so that only files count.
    """
    if isinstance(runner, PipeRunner) and operation.path_member is None:
        return ask(runner, operation.name, arguments, clock)
    changes = watch(operation, arguments)
    return _with_changes(ask(runner, operation.name, arguments, clock, traced=True), changes)


def takes_several(runner: object) -> bool:
    """Whether the runner takes several questions at once."""
    return isinstance(runner, PipeRunner) and runner.pipelining


def ask_reference(reference: object, operation: str, calls: Sequence[tuple[Any, ...]]) -> list[Answer]:
    """The reference's answers to several questions, in order, at once if it takes that."""
    if isinstance(reference, PipeRunner) and reference.pipelining and reference.claims(operation):
        return reference.answers(operation, calls, Clock.DEFAULT)
    return [ask(reference, operation, arguments) for arguments in calls]


def ask_several(
    runner: object, operation: Operation[Any], calls: Sequence[tuple[Any, ...]], clock: Clock
) -> list[Answer]:
    """The runner's answers to several questions, at once if it takes that, and what it has changed; see `ask_watched`.

    Returns:
        The answers in order; fewer than questions where one took too long.
    """
    if not isinstance(runner, PipeRunner) or not runner.claims(operation.name):
        given: list[Answer] = []
        for arguments in calls:
            answer = ask_watched(runner, operation, arguments, clock)
            given.append(answer)
            if isinstance(answer, Crash) and answer.hung:
                break
        return given
    if operation.path_member is None:
        return runner.answers(operation.name, calls, clock.seconds)
    changes = [watch(operation, arguments) for arguments in calls]
    answers = runner.answers(operation.name, calls, clock.seconds)
    return [_with_changes(*each) for each in zip(answers, changes, strict=False)]


def _with_changes(answer: Answer, changes: Callable[[], str]) -> Answer:
    """The answer, and what was changed meanwhile."""
    if isinstance(answer, Value | Fault) and (changed := changes()):
        return replace(answer, changed=changed)
    return answer


def can_be_stopped(runner: object, clock: Clock) -> bool:
    """Whether a runner that takes too long over a case is stopped: in another process always, else by the clock."""
    return clock.works or isinstance(runner, PipeRunner)


def end(runner: object) -> str | None:
    """End the program behind a runner, if there is one; what it did wrong when it was ended."""
    return runner.close() if isinstance(runner, PipeRunner) else None


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as nested:
        return f"<the message raised {type(nested).__name__}>"
