"""Looks for a smaller case of a divergence among the cases that are drawn again."""

from collections.abc import Sequence

from parity.judging.comparing import SKIPPED, Comparer
from parity.judging.divergence import Divergence, DivergenceFound
from parity.judging.failures import Failures, question_key
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation


def check_smaller[Case](
    comparer: Comparer,
    failures: Failures,
    operation: Operation[Case],
    questions: Sequence[Case],
    expected: Answer | None = None,
) -> None:
    """Raise the divergence that is being shrunk, if one of the questions shows it; count nothing.

    Args:
        comparer: asks reference and runner.
        failures: the findings of the test, with the divergence that is being shrunk.
        operation: the operation that is asked.
        questions: the cases.
        expected: the reference's answer, if it is already known.

    Raises:
        DivergenceFound: a question shows the divergence.
        EnoughFound: the most questions have been asked.
    """
    asked = False
    for question in questions:
        key = question_key(operation, question)
        if key not in failures.found:
            asked = asked or failures.may_ask()
            divergence = _undeclared(comparer, failures, operation, question, expected) if asked else None
            if divergence is None:
                continue
            failures.found[key] = DivergenceFound(divergence)
        found = failures.found[key]
        if failures.is_target(found):
            failures.collect(found)
            raise found.with_traceback(None)
        if asked:
            failures.collect(found)


def _undeclared[Case](
    comparer: Comparer, failures: Failures, operation: Operation[Case], question: Case, expected: Answer | None
) -> Divergence | None:
    """Return how the answers to a question differ; None if they agree, or differ as declared."""
    if expected is None:
        expected, actual = comparer.ask_both(operation, question)
    else:
        actual = comparer.skipped(operation, question) or comparer.ask_runner(operation, question)
    if isinstance(expected, NotClaimed) or isinstance(actual, NotClaimed) or actual is SKIPPED:
        return None
    failures.note(actual)
    if operation.compare(question, expected, actual) is None:
        return None
    if comparer.declarations.covering(operation, question, expected, actual, comparer.ask_witness):
        return None
    return comparer.compare(operation, question, expected, actual)
