"""The runner for a program: starts the program, exchanges lines with it, and starts it again if it is lost."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, Malformed, NotClaimed
from parity.operations.printable import printable
from parity.operations.series import running_series
from parity.runners.pipe.messages import Hello, ProtocolMistake, hello_line, question_line, read_answer, read_hello
from parity.runners.pipe.program import Lost, PipeError, RunnerProgram
from parity.scorer.series import Series

_START_SECONDS = 60.0
"""The time limit for a program's hello, in seconds. It is long, because some programs load much before their hello."""

_MOST_ATTEMPTS = 3
_AFTER_PIPELINING = "with further questions in flight; asked one by one, it answered all of them"


def _split_command(text: str) -> list[str]:
    """Split a command line into the program and its arguments, quoted as in a shell.

    Raises:
        PipeError: the quotes are wrong, or the program is missing.
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
    """A runner that is a program which implements PROTOCOL.md.

    Args:
        command: the program and its arguments, quoted as in a shell; no shell is used.
        series: the interpreter series as which the program should compute scores; by default, this interpreter's.
        start_seconds: the time limit for the program's hello.

    Raises:
        PipeError: the program cannot be started, or its hello is missing or not valid.
    """

    operations: Mapping[str, Any] = OPERATIONS
    """The operations that the program may claim, by name."""

    def __init__(self, command: str, series: Series | None = None, *, start_seconds: float = _START_SECONDS) -> None:
        self._command = _split_command(command)
        self._series = series or running_series()
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
        """The program's name, followed by its version if the hello contains one."""
        return self._hello.title

    @property
    def version(self) -> str | None:
        return self._hello.version

    @property
    def language(self) -> str | None:
        return self._hello.language

    def claims(self, operation: str) -> bool:
        """Return whether the program's hello lists the operation."""
        return operation in self._hello.operations

    @property
    def pipelining(self) -> bool:
        """Whether the program accepts further questions before it has answered the first."""
        return self._hello.pipelining

    def answer(self, operation: str, arguments: tuple[Any, ...], seconds: float) -> Answer:
        """Return the program's answer to one question, or a crash if the program was lost."""
        answers: list[Answer] = []
        return self._ask_at_once(operation, [arguments], seconds, answers) or answers[0]

    def answers(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float) -> list[Answer]:
        """Return the program's answers to several questions, which are sent together if the program supports that.

        If the program is lost, the questions without an answer are asked again; see `_ask_again`.

        Args:
            operation: the operation's name.
            calls: the arguments for each question.
            seconds: the time limit for each answer.

        Returns:
            The answers in order, up to the first one that took too long.
        """
        answers: list[Answer] = []
        while len(answers) < len(calls) and not (answers and _hung(answers[-1])):
            rest = calls[len(answers) :]
            if not self.pipelining or len(rest) == 1:
                answers.append(self.answer(operation, rest[0], seconds))
            elif lost := self._ask_at_once(operation, rest, seconds, answers):
                answers += self._ask_again(operation, calls[len(answers) :], seconds, lost)
        return answers

    def _ask_again(self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, lost: Crash) -> list[Answer]:
        """Ask the unanswered questions again, one by one, after the program was lost; stop if it is lost again.

        If the program is lost again, its answer to the question at that point is a crash. This need not be the first
        unanswered question: a program may read ahead, or hold back answers while there is more to read. If the program
        answers all questions this time, the answer to the first one is replaced with the original crash.
        """
        answers: list[Answer] = []
        for arguments in calls:
            answers.append(self.answer(operation, arguments, seconds))
            if self._program is None:
                return answers
        answers[0] = replace(lost, reason=f"{lost.reason} ({_AFTER_PIPELINING})")
        return answers

    def _ask_at_once(
        self, operation: str, calls: Sequence[tuple[Any, ...]], seconds: float, answers: list[Answer]
    ) -> Crash | None:
        """Send questions without waiting for answers in between, and append the answers to `answers`.

        A question without a wire form is not sent, and is not claimed.

        Returns:
            The crash if the program was lost, else None.
        """
        if self._program is None:
            again = self._start_again()
            if isinstance(again, Crash):
                answers.append(again)
                return None
            self._program = again
        program = self._program
        codec, first = self.operations[operation], self._number + 1
        self._number += len(calls)
        try:
            questions = [_line(number, operation, codec, arguments) for number, arguments in enumerate(calls, first)]
            lines = program.exchange_all([each for each in questions if isinstance(each, bytes)], seconds)
            for number, question in enumerate(questions, first):
                if isinstance(question, NotClaimed):
                    answers.append(question)
                    continue
                try:
                    answers.append(read_answer(codec, number, next(lines)))
                except ProtocolMistake as mistake:
                    crash = Malformed(
                        f"{mistake}; expected {mistake.expected}",
                        mistake=mistake.mistake,
                        section=mistake.section,
                        received=mistake.received,
                    )
                    if mistake.lost:
                        program.kill()
                        self._program = None
                        return crash
                    answers.append(crash)
        except Lost as lost:
            self._program = None
            return Crash(str(lost), hung=lost.hung)
        except BaseException:  # after Ctrl-C, a late answer would be taken for the answer to the next question
            program.kill()
            self._program = None
            raise
        return None

    def close(self) -> str | None:
        """End the program, and return the mistake that it made at its end, or None."""
        program, self._program = self._program, None
        return program.end() if program else None

    def _start(self) -> tuple[RunnerProgram, Hello]:
        """Start the program, and return it with its hello. Kill it if the hello is missing or not valid."""
        program = RunnerProgram(self._command)
        try:
            return program, read_hello(program.exchange(hello_line(self._series.value), self._start_seconds))
        except BaseException:
            program.kill()
            raise

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
            return Crash(f"it was lost, and gave another hello after its restart: {hello}")
        self._failures = 0
        return program


def _line(number: int, operation: str, codec: Any, arguments: tuple[Any, ...]) -> bytes | NotClaimed:
    """Return a question as a line, or the reason why it has no form on the wire."""
    try:
        return question_line(number, operation, codec.question(*arguments))
    except Exception as error:  # a case is asked as it was drawn, and may be anything
        return NotClaimed(f"the question has no form on the wire ({type(error).__name__}: {error})")


def _hung(answer: Answer) -> bool:
    return isinstance(answer, Crash) and answer.hung
