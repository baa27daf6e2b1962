"""Smoke-tests a program over the pipe: checks that it follows the protocol.

This test is separate from conformance, so that a broken pipe is never mistaken for wrong scoring. Wrong answers are
reported, but are not mistakes here.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.operation import Operation
from parity.runners.pipe.messages import Hello, ProtocolMistake, hello_line, question_line, read_answer
from parity.runners.pipe.program import Lost, RunnerProgram, shown
from parity.runners.pipe.runner import start_program
from parity.runners.smoke import Check, Counts, Wrong, hard_for_a_pipe
from parity.scorer.series import Series


def smoke(command: list[str], series: Series, seconds: float) -> Iterator[Check | Wrong | Hello]:
    """Test a program, and yield the result of each step, its hello, and its wrong answers.

    Args:
        command: the program and its arguments.
        series: the interpreter series in which the program is to compute.
        seconds: the time limit of an answer.

    Raises:
        PipeError: the program cannot be started.
    """
    trial = _Trial(command, series, seconds)
    try:
        hello = trial.start()
        yield hello
        yield Check("hello", "ok")
        for operation in hello.operations:
            yield from trial.ask_about(OPERATIONS[operation])
        if hello.pipelining:
            yield trial.ask_at_once()
        complaint = trial.end()
        expected = "it ends when its standard input ends, and writes nothing but answers"
        yield Check("end", complaint, expected=expected) if complaint else Check("end", "ok")
        yield trial.start_again(hello)
    except _Failed as failed:
        yield failed.check
    finally:
        trial.kill()


class _Failed(Exception):
    """Raised when the program cannot be asked any more."""

    def __init__(self, check: Check) -> None:
        super().__init__(check.message)
        self.check = check


class _Trial:
    """The program under test, which is started again whenever it is lost."""

    def __init__(self, command: list[str], series: Series, seconds: float) -> None:
        self._command = command
        self._series = series
        self._seconds = seconds
        self._program: RunnerProgram | None = None
        self._number = 0
        self._answered: list[tuple[Operation[Any], Any, Answer]] = []

    def start(self) -> Hello:
        line = hello_line(self._series.value)
        try:
            self._program, hello = start_program(self._command, self._series)
        except Lost as lost:
            raise _Failed(Check("hello", str(lost), shown(line), expected="a line with its hello")) from None
        except ProtocolMistake as mistake:
            raise _Failed(_mistaken("hello", line, mistake)) from None
        return hello

    def start_again(self, before: Hello) -> Check:
        """Start the program again, as after a loss, and compare its new hello."""
        hello = self.start()
        if hello.is_the_same(before):
            return Check("restart", "ok")
        return Check("restart", f"it gave another hello: {hello}", expected=f"the same hello: {before}")

    def ask_about(self, operation: Operation[Any]) -> Iterator[Check | Wrong]:
        """Ask some vectors of an operation, and yield each mistake, each wrong answer, and a summary."""
        counts = Counts(operation)
        for entry in hard_for_a_pipe(operation):
            case = operation.decode(entry["input"])
            found = self._ask(operation, case)
            if isinstance(found, Check):
                counts.mistakes += 1
                yield found
                continue
            self._answered.append((operation, case, found))
            if wrong := counts.judge(entry, case, found, self._series):
                yield wrong
        if not counts.mistakes:
            yield counts.summary

    def _ask(self, operation: Operation[Any], case: Any) -> Check | Answer:
        """Return the answer to a case, or a mistake in the protocol."""
        if self._program is None:
            self.start()
        assert self._program is not None
        self._number += 1
        with operation.arguments(case) as arguments:
            line = question_line(self._number, operation.name, operation.question(*arguments))
            try:
                return read_answer(operation, self._number, self._program.exchange(line, self._seconds))
            except Lost as lost:
                self._program = None
                return Check(operation.name, str(lost), shown(line), expected=f'a line {{"id": "{self._number}", …}}')
            except ProtocolMistake as mistake:
                if mistake.lost:
                    self.kill()
                return _mistaken(operation.name, line, mistake)

    def ask_at_once(self) -> Check:
        """Ask all answered questions again, without waiting in between, and compare the answers."""
        if self._program is None:
            self.start()
        assert self._program is not None
        first, lines = self._number + 1, []
        self._number += len(self._answered)
        with ExitStack() as stack:
            for number, (operation, case, _) in enumerate(self._answered, first):
                arguments = stack.enter_context(operation.arguments(case))
                lines.append(question_line(number, operation.name, operation.question(*arguments)))
            replies = self._program.exchange_all(lines, self._seconds)
            expected = "the answers that it gives one by one, in the order of the questions"
            for number, (operation, case, alone) in enumerate(self._answered, first):
                sent = lines[number - first]
                try:
                    line = next(replies)
                    answer = read_answer(operation, number, line)
                except Lost as lost:
                    self._program = None
                    return Check("pipelining", str(lost), shown(sent), expected=expected)
                except ProtocolMistake as mistake:
                    self.kill()
                    return _mistaken("pipelining", sent, mistake)
                if operation.compare(case, alone, answer):
                    self.kill()
                    what = "its answer differs from the one that it gave before"
                    return Check("pipelining", what, shown(sent), shown(line), expected)
        return Check("pipelining", f"ok: {len(lines)} questions at once")

    def end(self) -> str | None:
        program, self._program = self._program, None
        return program.end() if program else None

    def kill(self) -> None:
        if self._program:
            self._program.kill()
        self._program = None


def _mistaken(about: str, sent: bytes, mistake: ProtocolMistake) -> Check:
    return Check(about, mistake.what, shown(sent), shown(mistake.line), mistake.expected)
