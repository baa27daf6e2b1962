"""A program as a runner: started once, asked line by line, started again when it is lost."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash
from parity.runners.pipe.messages import Hello, ProtocolMistake, hello_line, question_line, read_answer, read_hello
from parity.runners.pipe.program import Lost, RunnerProgram
from parity.runners.pipe.starting import PipeError
from parity.scorer.printable import printable
from parity.scorer.series import Series

START_SECONDS = 60.0
"""How long a program may take to say hello; some load a lot first."""

_MOST_ATTEMPTS = 3
_IN_FLIGHT = "with further questions in flight; asked one by one, it answered all of them"


def start_program(command: list[str], series: Series, seconds: float = START_SECONDS) -> tuple[RunnerProgram, Hello]:
    """A program that has said hello; one that does not is ended.

    Raises:
        PipeError: it cannot be started.
        Lost: it says nothing.
        ProtocolMistake: what it says is no valid hello.
    """
    program = RunnerProgram(command)
    try:
        return program, read_hello(program.exchange(hello_line(series.value), seconds))
    except BaseException:
        program.kill()
        raise


def split_command(text: str) -> list[str]:
    """A command line as the program and its arguments; quoted as for a shell, which is not used.

    Raises:
        PipeError: it is none.
    """
    try:
        command = shlex.split(text)
    except ValueError as error:
        remedy = "close the quote" if "quotation" in str(error) else "double the backslash"
        raise PipeError(f"{text!r} is not a command line: {str(error).lower()}; {remedy}") from None
    if not command:
        raise PipeError("the command line is empty; name a program")
    if not command[0]:
        raise PipeError(f"{text!r} begins with an empty name; name a program")
    return command


class PipeRunner:
    """A program that speaks the protocol of PROTOCOL.md.

    Args:
        command: the program and its arguments, quoted as for a shell, which is not used.
        series: the interpreter series whose arithmetic it is asked for; that of this interpreter, by default.
        start_seconds: how long it may take to say hello.

    Raises:
        PipeError: it cannot be started, or says no valid hello.
    """

    def __init__(self, command: str, series: Series | None = None, *, start_seconds: float = START_SECONDS) -> None:
        self._command = split_command(command)
        self._series = series or Series.running()
        self._start_seconds = start_seconds
        self._number = 0
        self._failures = 0
        self._program: RunnerProgram | None = None
        try:
            self._program, self._hello = self._start()
        except Lost as lost:
            raise PipeError(f"{printable(command)}: no hello: {lost}") from None
        except ProtocolMistake as mistake:
            raise PipeError(f"{printable(command)}: {mistake}; expected {mistake.expected}") from None

    @property
    def name(self) -> str:
        """Its name, with the version where it gave one."""
        return self._hello.title

    @property
    def version(self) -> str | None:
        return self._hello.version

    @property
    def language(self) -> str | None:
        return self._hello.language

    def claims(self, operation: str) -> bool:
        """Whether it listed the operation."""
        return operation in self._hello.operations

    @property
    def pipelining(self) -> bool:
        """Whether it takes further questions before it has answered one."""
        return self._hello.pipelining

    def answer(self, operation: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        """Its answer to one question, or how it was lost."""
        given: list[Answer] = []
        return self._ask_at_once(operation, [arguments], seconds, given) or given[0]

    def answers(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float) -> list[Answer]:
        """Its answers to several questions, which are all in flight at once where it takes that.

        Where it is lost, those that are not answered yet are asked again, see `_ask_again`.

        Args:
            operation: what is asked.
            calls: the arguments of each question.
            seconds: how long each answer may take.

        Returns:
            The answers in order, up to the first that took too long.
        """
        given: list[Answer] = []
        while len(given) < len(calls) and not (given and _hung(given[-1])):
            rest = calls[len(given) :]
            if not self.pipelining or len(rest) == 1:
                given.append(self.answer(operation, rest[0], seconds))
            elif lost := self._ask_at_once(operation, rest, seconds, given):
                given += self._ask_again(operation, calls[len(given) :], seconds, lost)
        return given

    def _ask_again(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, lost: Crash) -> list[Answer]:
        """Ask one by one what was in flight when the program was lost, until it is lost again: there it crashes.

        A program may have read ahead, or hold answers back until it has nothing to read, so that the first question
        without an answer need not be the one that it fails at. It counts as that where all are answered now.
        """
        given: list[Answer] = []
        for arguments in calls:
            given.append(self.answer(operation, arguments, seconds))
            if self._program is None:
                return given
        given[0] = replace(lost, reason=f"{lost.reason} ({_IN_FLIGHT})")
        return given

    def _ask_at_once(
        self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, given: list[Answer]
    ) -> Crash | None:
        """Put questions without waiting for answers, and add these to the given ones; how it was lost, if it was."""
        if self._program is None:
            again = self._start_again()
            if isinstance(again, Crash):
                given.append(again)
                return None
            self._program = again
        program = self._program
        asked, first = OPERATIONS[operation], self._number + 1
        self._number += len(calls)
        try:
            lines = [
                question_line(number, operation, asked.question(*arguments))
                for number, arguments in enumerate(calls, first)
            ]
            for number, line in enumerate(program.exchange_all(lines, seconds), first):
                try:
                    given.append(read_answer(asked, number, line))
                except ProtocolMistake as mistake:
                    crash = Crash(f"{mistake}; expected {mistake.expected}")
                    if mistake.lost:
                        program.kill()
                        self._program = None
                        return crash
                    given.append(crash)
        except Lost as lost:
            self._program = None
            return Crash(str(lost), hung=lost.hung)
        except BaseException:  # Ctrl-C: an answer that is still to come would be taken for that to the next question
            program.kill()
            self._program = None
            raise
        return None

    def close(self) -> str | None:
        """End the program; what it did wrong in that, or None."""
        program, self._program = self._program, None
        return program.end() if program else None

    def _start(self) -> tuple[RunnerProgram, Hello]:
        return start_program(self._command, self._series, self._start_seconds)

    def _start_again(self) -> RunnerProgram | Crash:
        if self._failures >= _MOST_ATTEMPTS:
            return Crash(f"it was lost, and did not start again in {_MOST_ATTEMPTS} attempts")
        self._failures += 1
        try:
            program, hello = self._start()
        except (PipeError, Lost, ProtocolMistake) as error:
            return Crash(f"it was lost, and did not start again: {error}", hung=getattr(error, "hung", False))
        if not hello.is_the_same(self._hello):
            program.kill()
            return Crash(f"it was lost, and started again as another: {hello}")
        self._failures = 0
        return program


def _hung(answer: Answer) -> bool:
    return isinstance(answer, Crash) and answer.hung
