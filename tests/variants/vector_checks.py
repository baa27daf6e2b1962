"""Asks variants the golden vectors, in the order of the rules, until one tells them from the scorer.

python -m tests.variants.vector_checks    # print the variants by the rule whose vectors tell them first
"""

from collections import defaultdict
from contextlib import ExitStack
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.goldens import Vector, read_vectors
from parity.operations.rules import RULES
from parity.operations.series import running_series
from parity.runners.asking import Clock, ask
from parity.suite.comparer import left_out
from tests.variants import VARIANTS, Variant

ANSWERED = ("read_reward", "aggregate", "pass_at_k", "trial_reward", "trial_score")
"""The operations that have variants."""

type Caught = dict[Variant, Vector | None]
"""The first vector that tells each variant from the scorer; None if there is none."""


def ask_variants(operation: str, clock: Clock) -> Caught:
    """Ask all variants of an operation, each until it is told from the scorer."""
    caught: Caught = {each: None for each in VARIANTS.values() if each.operation == operation}
    alive = {each: each.runner() for each in caught}
    for vector, recorded in _vectors(operation):
        wrong = _wrong(alive, vector, recorded, clock)
        for variant in wrong:
            caught[variant] = vector
            del alive[variant]
    return caught


def _vectors(operation: str) -> list[tuple[Vector, Answer]]:
    """Return an operation's vectors in the order of its rules, with the recorded answers. Large files come last."""
    order = {slug: number for number, slug in enumerate(RULES)}
    answered = [(each, answer) for each in read_vectors(operation) if (answer := each.answer(running_series()))]
    answerable = [each for each in answered if not left_out(OPERATIONS[operation], each[0].case)]
    return sorted(answerable, key=lambda each: ("times" in repr(each[0].input), order[each[0].rule]))


def _wrong(runners: dict[Variant, Any], vector: Vector, recorded: Answer, clock: Clock) -> list[Variant]:
    """Return the variants whose answer to the vector differs from the recorded one."""
    operation = OPERATIONS[vector.operation]
    wrong: list[Variant] = []
    with ExitStack() as stack:
        arguments = stack.enter_context(operation.arguments(vector.case))
        for variant, runner in runners.items():
            # Files are written once for all variants, which only read them.
            if operation.name != "read_reward":
                arguments = stack.enter_context(operation.arguments(vector.case))
            answer = ask(runner, operation.name, arguments, clock)
            if operation.compare(vector.case, recorded, answer) is not None:
                wrong.append(variant)
    return wrong


def main() -> None:
    """Print the variants by rule."""
    by_rule: dict[str, list[str]] = defaultdict(list)
    for operation in ANSWERED:
        for variant, vector in ask_variants(operation, Clock(Clock.DEFAULT)).items():
            by_rule[vector.rule if vector else f"{operation}: none"].append(variant.name)
    for rule, names in by_rule.items():
        print(f"{rule}: {len(names)}: {', '.join(names)}")


if __name__ == "__main__":
    main()
