"""What one test has found, so that Hypothesis finds the same again."""

from dataclasses import dataclass, field

from parity.judging.divergence import DivergenceFound
from parity.operations.answers import Answer, Crash

_MOST_CRASHES = 50
"""In one test; each may cost the start of a program."""


@dataclass
class Failures:
    """What one test has found so far: Hypothesis asks the same again, and expects the same."""

    found: dict[str, DivergenceFound] = field(default_factory=dict)
    hung: bool = False
    crashes: int = 0

    @property
    def asks_on(self) -> bool:
        """Whether it is worth asking further: to shrink a hang would cost its time limit again and again."""
        return not self.hung and self.crashes < _MOST_CRASHES

    def note(self, answer: Answer) -> None:
        """Record an answer, if it is none."""
        if isinstance(answer, Crash):
            self.hung |= answer.hung
            self.crashes += 1
