"""The kit's side of the pipe to a reference in its own environment.

A lost reference is started again, and asked once more. If it is lost again, the run ends, because no answer of the
runner can be judged without it.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from parity.operations.answers import Answer, Crash
from parity.operations.wire import canonical
from parity.reference.guard import WheelError
from parity.reference.identity import Identity
from parity.reference.separate import pickled, unpickled
from parity.runners.pipe.messages import Hello, ProtocolMistake, hello_line, read_hello
from parity.runners.pipe.program import Lost, RunnerProgram
from parity.runners.pipe.runner import PipeRunner
from parity.runners.pipe.starting import PipeError
from parity.runners.runner import Runner
from parity.scorer.series import Series


class ReferenceLost(BaseException):
    """The reference gave no answer. The message is one line: why, and what to do.

    It is not an Exception, so that no test takes it for a failure of the runner.
    """


_A_DAY = 86_400.0
"""Seconds for one answer: in effect no limit, as for a reference in the kit's own environment."""

_START_SECONDS = 600.0
"""Seconds in which the reference verifies its wheel and imports it."""

_MOST_STARTS = 3
"""The most starts of the reference's process in one run."""

_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_OPTIONS = ("-E", "-P", "-X", "utf8")
"""Options of the interpreter: it ignores the environment variables for the kit's interpreter, and uses UTF-8."""


class SeparateReference(PipeRunner):
    """Harbor in the environment of another interpreter, which verifies its own wheel.

    Args:
        python: the path of the interpreter.
        renewal: the command that makes a damaged environment anew; if it is None, messages say how to repair it.
        release: the release that it must have; None allows any known one.

    Raises:
        WheelError: the reference cannot be started, or its Harbor cannot be trusted.
    """

    identity: Identity
    unpinned: list[str]
    lacking: Mapping[str, str]
    is_as_recorded: bool

    def __init__(self, python: str, renewal: str | None = None, release: str | None = None) -> None:
        self._python, self._renewal, self._release = python, renewal, release
        self.starts = 0
        try:
            super().__init__(shlex.join([python, *_OPTIONS, str(_BOOTSTRAP)]), start_seconds=_START_SECONDS)
        except PipeError as error:
            raise self._trouble(f"the reference does not start: {error}") from None

    @property
    def authorities(self) -> Runner:
        """Return this reference as a runner for `parity.runners.asking`."""
        return cast("Runner", self)

    def answer(self, operation: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        """Return the answer to one question, however long it takes.

        Raises:
            ReferenceLost: the reference gave no answer twice, or has been lost too often before.
        """
        reason = ""
        for _ in self._attempts():
            try:
                answer = super().answer(operation, arguments, _A_DAY)
            except WheelError as error:
                raise ReferenceLost(str(error)) from None
            if not isinstance(answer, Crash):
                return answer
            reason = answer.reason
        raise self._lost(f"gave no answer about {operation}", reason)

    def answers(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float) -> list[Answer]:
        """Return the answers to several questions, which are sent at once.

        Raises:
            ReferenceLost: see `answer`.
        """
        try:
            given = super().answers(operation, calls, _A_DAY)
        except WheelError as error:
            raise ReferenceLost(str(error)) from None
        return [
            self.answer(operation, arguments, seconds) if isinstance(answer, Crash) else answer
            for arguments, answer in zip(calls, given, strict=True)
        ]

    def _ask_again(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, lost: Crash) -> list[Answer]:
        return [self.answer(operation, arguments, seconds) for arguments in calls]

    def call(self, name: str, *given: object) -> Any:
        """Call a function of `server`, and return its result.

        Raises:
            WheelError: the call cannot be done with the installed Harbor.
            ReferenceLost: the call gave no result twice, or the reference has been lost too often before.
        """
        reason = ""
        for _ in self._attempts():
            try:
                return self._call(name, given)
            except (PipeError, Lost, ProtocolMistake) as error:
                self._kill()
                reason = str(error)
            except KeyboardInterrupt:  # otherwise its answer would count for the next call
                self._kill()
                raise
        raise self._lost(f"gave no answer to {name}", reason)

    def _kill(self) -> None:
        if self._program:
            self._program.kill()
        self._program = None

    def _attempts(self) -> Iterator[int]:
        """Yield the attempts at a question: two, or one if the reference has already been started too often."""
        yield 1
        if self.starts < _MOST_STARTS:
            yield 2

    def _call(self, name: str, given: tuple[object, ...]) -> Any:
        if self._program is None:
            self._program, _ = self._start()
        message = _read(self._program.exchange(canonical({"call": name, "given": pickled(given)}).encode(), _A_DAY))
        self._refuse_problem(message)
        return unpickled(message["result"])

    def load(self, operation: str) -> None:
        """Let the reference import the modules for this operation.

        Raises:
            WheelError: the import fails.
        """
        self.call("load", operation)

    def _start(self) -> tuple[RunnerProgram, Hello]:
        self.starts += 1
        program = RunnerProgram(self._command)
        try:
            line = program.exchange(hello_line(Series.running().value), self._start_seconds)
            message = _read(line)
            self._refuse_problem(message)
            self.identity, self.unpinned, self.lacking, self.is_as_recorded = unpickled(message["described"])
            if self._release not in (None, self.identity.harbor):
                raise self._trouble(f"it has harbor {self.identity.harbor} instead of {self._release}")
            return program, read_hello(canonical({"hello": message["hello"]}).encode())
        except BaseException:
            program.kill()
            raise

    def _refuse_problem(self, message: dict[str, Any]) -> None:
        if "problem" in message:
            problem, repair = message["problem"]
            raise self._trouble(problem, repair.replace("pip install", f"{self._python} -m pip install"))

    def _trouble(self, problem: str, repair: str | None = None) -> WheelError:
        return WheelError(
            f"--reference {self._python}: {problem}", self._renewal or repair or "naming an interpreter that has harbor"
        )

    def _lost(self, what: str, reason: str) -> ReferenceLost:
        then = f"; if that does not help: {self._renewal}" if self._renewal else ""
        return ReferenceLost(
            f"the reference in {self._python} {what}, so nothing is said about the runner: {reason}; run it again{then}"
        )


def _read(line: bytes) -> dict[str, Any]:
    """Parse a line of the other copy of the kit.

    Raises:
        ProtocolMistake: the line does not come from the kit.
    """
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise ProtocolMistake("the line is not of the kit", line, "a JSON object", lost=True)
    return message
