"""Asks the reference and the runner a question, and makes a divergence of two answers that differ.

`parity.operations.compare` decides whether they differ, and `parity.suite.attribution` which rule is broken. A runner
that supports batches is asked several questions at once, which changes no answer.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.compare import Difference
from parity.operations.files.file_modes import modes_count
from parity.operations.goldens import Vector, vector_of
from parity.operations.operation import HARBOR, Operation
from parity.operations.rule import Rule
from parity.operations.rules import RULES
from parity.operations.series import running_series
from parity.reference.identity import GoldenOnly
from parity.runners import Runner
from parity.runners.asking import Clock, ask, ask_several
from parity.suite.attribution import broken_rule, rule_of_hang
from parity.suite.declared import Declarations, Draft
from parity.suite.divergence import Divergence

SKIPPED = Crash("it is known to crash here, and was not asked", hung=True)
"""Takes the place of an answer if the runner is declared to crash on the case, and is therefore not called."""


_NEED_MODES = NotClaimed("they need file modes, which root ignores; run as an ordinary user")


def left_out[Case](operation: Operation[Case], question: Case) -> NotClaimed | None:
    """Return the reason to leave out a question that needs file modes, if this process ignores them; otherwise None."""
    return _NEED_MODES if operation.needs_modes(question) and not modes_count() else None


@dataclass(repr=False)
class Comparer:
    """Compares the reference and the runner of a session, without counting answers or raising exceptions."""

    reference: object
    """A runner; it need not have every operation."""

    runner: Runner
    clock: Clock
    declarations: Declarations = field(default_factory=Declarations)
    draft: Draft | None = None
    """Records all divergences if the run drafts a file of declared divergences; otherwise None."""

    def diverges[Case](self, operation: Operation[Case], question: Case) -> Divergence | None:
        """Ask one question, and return the divergence of the answers, or None."""
        return self.compare(operation, question, *self.ask_both(operation, question))

    def ask_reference[Case](self, operation: Operation[Case], question: Case) -> Answer:
        """Return the reference's answer, without counting it; `NotClaimed` if the question is left out."""
        if why := left_out(operation, question):
            return why
        with operation.arguments(question) as arguments:
            return self._ask_reference(operation, question, arguments)

    def _ask_reference[Case](self, operation: Operation[Case], question: Case, arguments: tuple[Any, ...]) -> Answer:
        """Return the reference's answer, or the answer of a golden vector if no wheel answers the case."""
        answer = ask(self.reference, operation.name, arguments)
        if isinstance(answer, NotClaimed) and (vector := self._recorded(operation, question)):
            return vector.answer(running_series()) or answer
        return answer

    def ask_runner[Case](self, operation: Operation[Case], question: Case) -> Answer:
        """Return the runner's answer, without counting it, even if the runner is declared to crash on the case."""
        with operation.arguments(question) as arguments:
            return ask(self.runner, operation.name, arguments, self.clock, traced=True)

    def ask_both[Case](self, operation: Operation[Case], question: Case) -> tuple[Answer, Answer]:
        """Return the reference's answer and the runner's, without counting them; see `ask_reference`."""
        if why := left_out(operation, question):
            return why, why
        with operation.arguments(question) as arguments:
            # The reference is called first, so that a runner that changes its arguments cannot change the reference's
            # answer.
            expected = self._ask_reference(operation, question, arguments)
            if isinstance(expected, NotClaimed):
                return expected, expected  # there is nothing to compare the runner's answer with
            skipped = self.skipped(operation, question, expected)
            return expected, skipped or ask(self.runner, operation.name, arguments, self.clock, traced=True)

    def skipped[Case](self, operation: Operation[Case], question: Case, expected: Answer) -> Crash | None:
        """Return `SKIPPED`, without calling the runner, if it is known to crash on such cases; otherwise None.

        General rules do not tell such cases apart, so an operation that has them is always asked.
        """
        crashing = (self.draft or self.declarations).crashing
        if not crashing or operation.general:
            return None
        return SKIPPED if rule_of_hang(operation, question, expected).slug in crashing else None

    def compare[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer, vector: Vector | None = None
    ) -> Divergence | None:
        """Return the divergence of two answers, or None.

        Args:
            operation: the operation that was called.
            question: the case.
            expected: the reference's answer.
            actual: the runner's answer.
            vector: the golden vector, if the case was asked as one; a divergence breaks its rule.
        """
        difference = operation.compare(question, expected, actual)
        if difference is None:
            return None
        recorded = vector or self._recorded(operation, question)
        rule = RULES[recorded.rule] if recorded else self._attribute(operation, question, expected, actual, difference)
        name = vector.id if vector else None
        return Divergence(operation, rule, question, expected, actual, difference, self.runner.name, name)

    def _attribute[Case](
        self, operation: Operation[Case], question: Case, expected: Answer, actual: Answer, difference: Difference
    ) -> Rule:
        ask_again = partial(self.ask_runner, operation)
        try:
            return broken_rule(operation, question, expected, actual, difference, ask_again)
        except Exception:  # a mistake in a condition must not hide the divergence
            return [rule for rule in operation.rules if rule.is_general][-1]

    def attributed(self, divergence: Divergence) -> Divergence:
        """Return the divergence of a golden vector with the rule under which it is shown.

        That is the vector's rule, unless the rule cannot be broken by such a difference: then it is the rule that the
        divergence would break if it were a generated case.
        """
        operation, case, difference = divergence.operation, divergence.case, divergence.difference
        expected, actual = divergence.reference, divergence.runner
        if operation.general or divergence.rule.where(difference, expected):
            return divergence
        return replace(divergence, rule=self._attribute(operation, case, expected, actual, difference))

    def _recorded[Case](self, operation: Operation[Case], question: Case) -> Vector | None:
        """Return the golden vector with this case if no wheel answers such cases; otherwise None."""
        asks_wheel = operation.authority(question) == HARBOR and not isinstance(self.reference, GoldenOnly)
        return None if asks_wheel else vector_of(operation, question)


def ask_runner[Case](
    runner: Runner, operation: Operation[Case], questions: Sequence[Case], clock: Clock
) -> list[Answer]:
    """Return the runner's answers, in order, up to the first that took too long."""
    with ExitStack() as stack:
        calls = [stack.enter_context(operation.arguments(question)) for question in questions]
        return ask_several(runner, operation.name, calls, clock, traced=True)


def ask_both[Case](
    reference: object, runner: Runner, operation: Operation[Case], questions: Sequence[Case], clock: Clock
) -> list[tuple[Answer, Answer]]:
    """Return pairs of the reference's answer and the runner's, in order, up to the first that took too long.

    If the reference has no answer, the runner is not called, and both answers in the pair are `NotClaimed`.
    """
    with ExitStack() as stack:
        calls = [stack.enter_context(operation.arguments(question)) for question in questions]
        expected = ask_several(reference, operation.name, calls)
        answered = [not isinstance(answer, NotClaimed) for answer in expected]
        answered_calls = [call for call, is_answered in zip(calls, answered, strict=True) if is_answered]
        actual = iter(ask_several(runner, operation.name, answered_calls, clock, traced=True))
    pairs = []
    for answer, is_answered in zip(expected, answered, strict=True):
        actual_answer = next(actual, None) if is_answered else answer
        if actual_answer is None:
            break
        pairs.append((answer, actual_answer))
    return pairs
