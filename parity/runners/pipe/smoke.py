"""A smoke test of a program that speaks over the pipe: does it keep the protocol?

It is apart from conformance, so that a broken pipe is never taken for a wrong score. Questions are golden vectors,
chosen for what travels on the wire: values and faults, long lines, halves of surrogate pairs, big numbers. Whether the
answers are right is reported, but is no mistake here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer
from parity.operations.answers import NotClaimed
from parity.operations.goldens import Entry, read_entries, recorded_answer
from parity.operations.operation import Operation
from parity.operations.wire import canonical
from parity.runners.pipe.messages import Hello, Mistake, hello_line, question_line, read_answer
from parity.runners.pipe.program import Lost, Program, shown
from parity.runners.pipe.runner import start_program
from parity.scorer.series import Series

_SHORT_ONES = 5


@dataclass(frozen=True)
class Check:
    """One thing that was tried, and what came of it."""

    about: str
    """`hello`, an operation, `end` or `restart`."""

    message: str
    """What came of it, in one line."""

    sent: str | None = None
    received: str | None = None
    expected: str | None = None
    """Where it is a mistake: the line that was sent, the one that came back, if any, and what should have come."""

    @property
    def is_mistake(self) -> bool:
        return self.expected is not None


def smoke(command: list[str], series: Series, seconds: float) -> Iterator[Check | Hello]:
    """Try a program, and report step by step what came of it; its hello as soon as it has said a valid one.

    Args:
        command: the program and its arguments.
        series: the interpreter series to ask for.
        seconds: how long it may take for an answer.

    Raises:
        PipeError: it cannot be started.
    """
    trial = _Trial(command, series, seconds)
    try:
        hello = trial.start()
        yield hello
        yield Check("hello", "ok")
        for operation in hello.operations:
            yield from trial.ask_about(OPERATIONS[operation])
        complaint = trial.end()
        expected = "it ends when its standard input ends, and writes nothing that was not asked for"
        yield Check("end", complaint, expected=expected) if complaint else Check("end", "ok")
        yield trial.start_again(hello)
    except _Failed as failed:
        yield failed.check
    finally:
        trial.kill()


class _Failed(Exception):
    """The program cannot be asked any further."""

    def __init__(self, check: Check) -> None:
        super().__init__(check.message)
        self.check = check


class _Trial:
    """One program under test, started as often as it is lost."""

    def __init__(self, command: list[str], series: Series, seconds: float) -> None:
        self._command = command
        self._series = series
        self._seconds = seconds
        self._program: Program | None = None
        self._number = 0

    def start(self) -> Hello:
        line = hello_line(self._series.value)
        try:
            self._program, hello = start_program(self._command, self._series)
        except Lost as lost:
            raise _Failed(Check("hello", str(lost), shown(line), expected="a line with its hello")) from None
        except Mistake as mistake:
            raise _Failed(_mistaken("hello", line, mistake)) from None
        return hello

    def start_again(self, before: Hello) -> Check:
        """Start it as it is started when it was lost, and compare its hello."""
        hello = self.start()
        if hello.is_the_same(before):
            return Check("restart", "ok")
        return Check("restart", f"it started again as another: {hello}", expected=f"the same hello: {before}")

    def ask_about(self, operation: Operation[Any]) -> Iterator[Check]:
        """Put some vectors of one operation; each mistake, or that there was none."""
        entries = list(read_entries(operation.name).values())
        chosen = _chosen(entries)
        alike = unsupported = mistakes = 0
        for entry in chosen:
            found = self._ask(operation, entry)
            if isinstance(found, Check):
                mistakes += 1
                yield found
            elif found is None:
                unsupported += 1
            else:
                alike += found
        if not mistakes:
            declined = f", {unsupported} declined" if unsupported else ""
            whose = " and ".join(dict.fromkeys(f"{operation.authority(frozenset(each['flags']))}'s" for each in chosen))
            yield Check(operation.name, f"ok: {len(chosen)} questions{declined}, {alike} of the answers are {whose}")

    def _ask(self, operation: Operation[Any], entry: Entry) -> Check | bool | None:
        """A mistake, or whether the answer is the recorded one; None where there is none."""
        if self._program is None:
            self.start()
        assert self._program is not None
        self._number += 1
        case = operation.decode(entry["input"])
        with operation.arguments(case) as arguments:
            line = question_line(self._number, operation.name, operation.question(*arguments))
            try:
                answer = read_answer(operation, self._number, self._program.exchange(line, self._seconds))
            except Lost as lost:
                self._program = None
                return Check(operation.name, str(lost), shown(line), expected=f'a line {{"id": "{self._number}", …}}')
            except Mistake as mistake:
                if mistake.lost:
                    self.kill()
                return _mistaken(operation.name, line, mistake)
        if isinstance(answer, NotClaimed):
            return None
        recorded = recorded_answer(entry, self._series)
        return recorded is not None and not operation.compare(case, decode_answer(operation, recorded), answer)

    def end(self) -> str | None:
        program, self._program = self._program, None
        return program.end() if program else None

    def kill(self) -> None:
        if self._program:
            self._program.kill()
        self._program = None


def _mistaken(about: str, sent: bytes, mistake: Mistake) -> Check:
    return Check(about, mistake.what, shown(sent), shown(mistake.line), mistake.expected)


def _chosen(entries: list[Entry]) -> list[Entry]:
    """Few vectors that have all that can be hard about the wire."""
    by_length = sorted(entries, key=lambda entry: len(canonical(entry["input"])))
    texts = {entry["id"]: canonical(entry["input"]) for entry in by_length}
    answers = {entry["id"]: canonical(entry.get("answer", entry.get("answers"))) for entry in by_length}
    values = [entry for entry in by_length if '"value"' in answers[entry["id"]]]
    faults = [entry for entry in by_length if '"fault"' in answers[entry["id"]]]
    halves = [entry for entry in by_length if "\\ud8" in texts[entry["id"]]]
    longest_answer = sorted(values, key=lambda entry: -len(answers[entry["id"]]))
    chosen = values[:_SHORT_ONES] + faults[:2] + halves[:1] + longest_answer[:1] + by_length[-1:]
    return list({entry["id"]: entry for entry in chosen}.values())
