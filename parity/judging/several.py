"""Asks a runner several questions at once if it takes that; the answers are the same as one by one."""

from collections.abc import Sequence
from contextlib import ExitStack

from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation
from parity.runners import Runner
from parity.runners.asking import Clock, ask_reference, ask_several


def ask_runner[Case](
    runner: Runner, operation: Operation[Case], questions: Sequence[Case], clock: Clock
) -> list[Answer]:
    """Return the runner's answers, in order, up to the first that took too long."""
    with ExitStack() as stack:
        calls = [stack.enter_context(operation.arguments(question)) for question in questions]
        return ask_several(runner, operation, calls, clock)


def ask_both[Case](
    reference: Runner, runner: Runner, operation: Operation[Case], questions: Sequence[Case], clock: Clock
) -> list[tuple[Answer, Answer]]:
    """Return pairs of the reference's answer and the runner's, in order, up to the first that took too long.

    If the reference has no answer (`NotClaimed`), the runner is not asked, and both answers of the pair are the
    reference's.
    """
    with ExitStack() as stack:
        calls = [stack.enter_context(operation.arguments(question)) for question in questions]
        expected = ask_reference(reference, operation.name, calls)
        for question, answer in zip(questions, expected, strict=True):
            if not isinstance(answer, NotClaimed):
                operation.remember(question, answer)
        answered = [not isinstance(answer, NotClaimed) for answer in expected]
        asked = [call for call, is_answered in zip(calls, answered, strict=True) if is_answered]
        actual = iter(ask_several(runner, operation, asked, clock))
    pairs = []
    for answer, is_answered in zip(expected, answered, strict=True):
        theirs = next(actual, None) if is_answered else answer
        if theirs is None:
            break
        pairs.append((answer, theirs))
    return pairs
