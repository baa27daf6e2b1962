"""The rules that the terminal shows of a wrong runner after it was asked the golden vectors, in order."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.rules import OPERATION_OF
from parity.operations.series import running_series
from parity.plugin.summary import blocks
from parity.reference.identity import GoldenOnly
from parity.runners import CleanRoom, claims
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.findings import Recorder
from parity.suite.golden_vectors import check_vectors
from tests.faulty import FAULTS

COMBINED = ("pass_at_k", "read_reward", "trial_reward")
"""Operations with runners that have several faults at once."""

_COMBINATIONS = 20
_SEED = 1


def shown_rules(runner: Any, operations: Sequence[str]) -> list[str]:
    """Return the rules that have a block of their own, in order.

    Args:
        runner: the runner.
        operations: the operations whose golden vectors it is asked. Those without a method are left out.
    """
    checker = Checker(GoldenOnly(), runner, Clock(Clock.DEFAULT), verifies_goldens=False)
    with TemporaryDirectory() as directory, checker.clock.installed():
        for name in (each for each in operations if claims(runner, each)):
            error = None
            try:
                with checker.running():
                    check_vectors(OPERATIONS[name], checker, running_series())
            except ExceptionGroup as findings:
                error = findings
            Recorder(checker, Path(directory), str, repeats=False).record(error)
    heads = (head for head, *_ in blocks(checker.run, checker.runner.name, verbose=True))
    return [head.split(": ")[1] for head in heads if head.startswith("DIVERGENCE")]


@dataclass(frozen=True)
class WrongRunner:
    """A runner with one fault or several."""

    name: str
    runner_class: type[CleanRoom]
    breaks: frozenset[str]
    operations: tuple[str, ...]


def single_faults(operation: str) -> Iterator[WrongRunner]:
    """Yield the faulty runners of an operation."""
    for name, fault in FAULTS.items():
        if OPERATION_OF[fault.breaks].name == operation:
            yield WrongRunner(name, fault, frozenset({fault.breaks}), (operation,))


def combined_faults(operation: str) -> Iterator[WrongRunner]:
    """Yield runners with three to five faults of an operation, drawn by a fixed seed."""
    draw = random.Random(f"{_SEED} {operation}")
    faults = [fault for fault in FAULTS.values() if OPERATION_OF[fault.breaks].name == operation]
    for number in range(_COMBINATIONS):
        drawn = tuple(draw.sample(faults, draw.randint(3, 5)))
        runner_class = type(f"Combined{number}", drawn, {"__module__": __name__})
        names = "+".join(fault.__name__ for fault in drawn)
        yield WrongRunner(names, runner_class, frozenset(fault.breaks for fault in drawn), (operation,))


@dataclass(frozen=True)
class Measured:
    """How early the blocks of several runners show a rule that the runner breaks."""

    first: int
    first_two: int
    runners: int
    """Runners that the golden vectors show to be wrong."""

    number_of_blocks: int
    unseen: tuple[str, ...]
    """Runners that answer all vectors correctly that can be asked here."""

    late: tuple[str, ...]
    """Runners whose broken rules are in neither of the first two blocks."""

    def __str__(self) -> str:
        """Return one line."""
        mean = self.number_of_blocks / max(1, self.runners)
        line = f"right rule first: {self.first} of {self.runners}; among the first two: {self.first_two}"
        late = f"; later: {', '.join(self.late)}" if self.late else ""
        return f"{line}; {mean:.1f} blocks each{late}"


def measured(runners: Iterator[WrongRunner]) -> Measured:
    """Return how early a broken rule is shown of each runner."""
    shown = [(each, shown_rules(each.runner_class(), each.operations)) for each in runners]
    seen = [(each, rules) for each, rules in shown if rules]
    return Measured(
        first=sum(rules[0] in each.breaks for each, rules in seen),
        first_two=sum(not each.breaks.isdisjoint(rules[:2]) for each, rules in seen),
        runners=len(seen),
        number_of_blocks=sum(len(rules) for _, rules in seen),
        unseen=tuple(each.name for each, rules in shown if not rules),
        late=tuple(each.name for each, rules in seen if each.breaks.isdisjoint(rules[:2])),
    )
