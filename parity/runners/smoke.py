"""Smoke-tests a runner in Python; its questions and findings also serve the smoke tests of other runners.

The questions are golden vectors. The test takes seconds. It gives no verdict; only the suite does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.goldens import GoldenEntry, read_entries, recorded_answer
from parity.operations.operation import Operation, decode_answer
from parity.operations.wire import canonical
from parity.runners.asking import Clock, ask
from parity.runners.runner import Runner, claims
from parity.scorer.series import Series

_SHORT_ONES = 5


@dataclass(frozen=True)
class Check:
    """The result of one step of a smoke test."""

    about: str
    """The tested part: `hello`, an operation, `pipelining`, `end` or `restart`."""

    message: str
    """The result, in one line."""

    sent: str | None = None
    received: str | None = None
    expected: str | None = None
    """The expected reply, which only a mistake has. `sent` and `received` are the exchanged lines."""

    @property
    def is_mistake(self) -> bool:
        return self.expected is not None


@dataclass(frozen=True)
class Wrong:
    """An answer that differs from the reference's. It is not a mistake in the protocol."""

    operation: Operation[Any]
    vector: str
    rule: str
    """The slug of the rule that the vector shows."""

    case: Any
    recorded: Answer
    answer: Answer

    @property
    def about(self) -> str:
        return self.operation.name


def smoke_object(runner: Runner, seconds: float, first_seconds: float) -> Iterator[Check | Wrong]:
    """Ask a runner in this process the shortest vector of each rule, for every operation that it has a method for.

    Args:
        runner: the runner; its answers are compared with those recorded for this interpreter.
        seconds: the time limit of an answer.
        first_seconds: the time limit of an operation's first answer, before which some runners load much.
    """
    for operation in OPERATIONS.values():
        if claims(runner, operation.name):
            yield from _ask_about(runner, operation, seconds, first_seconds)


def _ask_about(
    runner: Runner, operation: Operation[Any], seconds: float, first_seconds: float
) -> Iterator[Check | Wrong]:
    counts = Counts(operation)
    clock = Clock(first_seconds)
    for entry in one_of_each_rule(operation):
        case = operation.decode(entry["input"])
        with operation.arguments(case) as arguments, clock.installed():
            answer = ask(runner, operation.name, arguments, clock, traced=True)
        clock.seconds = seconds
        if isinstance(answer, Crash):
            counts.mistakes += 1
            yield Check(operation.name, answer.reason, operation.describe(case), expected="an answer, or an exception")
        elif wrong := counts.judge(entry, case, answer, Series.running()):
            yield wrong
    yield counts.summary


class Counts:
    """Counts of the answers for one operation."""

    def __init__(self, operation: Operation[Any]) -> None:
        self._operation = operation
        self._alike = self._declined = self._wrong = self.mistakes = 0
        self._authorities: dict[str, None] = {}

    def judge(self, entry: GoldenEntry, case: Any, answer: Answer, series: Series) -> Wrong | None:
        """Count an answer to a vector, and return it as wrong if it differs from the recorded one of the series."""
        operation = self._operation
        self._authorities[f"{operation.authority(frozenset(entry['flags']))}'s"] = None
        recorded = decode_answer(operation, recorded_answer(entry, series))
        if isinstance(answer, NotClaimed):
            self._declined += 1
        elif operation.compare(case, recorded, answer):
            self._wrong += 1
            return Wrong(operation, entry["id"], entry["rule"], case, recorded, answer)
        else:
            self._alike += 1
        return None

    @property
    def summary(self) -> Check:
        """Return the number of questions, and the number of right answers, in a line."""
        asked = self._alike + self._declined + self._wrong + self.mistakes
        declined = f", {self._declined} declined" if self._declined else ""
        whose = " and ".join(self._authorities)
        return Check(self._operation.name, f"ok: {asked} questions{declined}, {self._alike} of the answers are {whose}")


def one_of_each_rule(operation: Operation[Any]) -> list[GoldenEntry]:
    """Return the shortest vector of each rule."""
    return list({entry["rule"]: entry for entry in reversed(_by_length(operation))}.values())[::-1]


def hard_for_a_pipe(operation: Operation[Any]) -> list[GoldenEntry]:
    """Return a few vectors with the hard parts of the wire: faults, long lines, and halves of surrogate pairs."""
    by_length = _by_length(operation)
    texts = {entry["id"]: canonical(entry["input"]) for entry in by_length}
    answers = {entry["id"]: canonical(entry.get("answer", entry.get("answers"))) for entry in by_length}
    values = [entry for entry in by_length if '"value"' in answers[entry["id"]]]
    faults = [entry for entry in by_length if '"fault"' in answers[entry["id"]]]
    halves = [entry for entry in by_length if "\\ud8" in texts[entry["id"]]]
    longest_answer = sorted(values, key=lambda entry: -len(answers[entry["id"]]))
    chosen = values[:_SHORT_ONES] + faults[:2] + halves[:1] + longest_answer[:1] + by_length[-1:]
    return list({entry["id"]: entry for entry in chosen}.values())


def _by_length(operation: Operation[Any]) -> list[GoldenEntry]:
    return sorted(read_entries(operation.name).values(), key=lambda entry: len(canonical(entry["input"])))
