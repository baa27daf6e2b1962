"""The operation `trial_score`, which reads the numbers that enter a job's mean from a trial's result.json."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parity.operations.codec import Codec, Form
from parity.operations.compare import Ordered, below_the_top
from parity.operations.operation import Operation
from parity.operations.trial_score.case import TrialText, check
from parity.operations.trial_score.description import described
from parity.operations.trial_score.rules import RULES


class TrialScore(Operation[TrialText]):
    """The operation `trial_score`, which reads the numbers that enter a job's mean from a trial's result.json."""

    name = "trial_score"
    rules = RULES
    codec = Codec(TrialText, "a trial_score case", {TrialText: Form(check=check)}, unknown="ignore")

    @contextmanager
    def arguments(self, case: TrialText) -> Iterator[tuple[str]]:
        yield (case.text,)

    def describe(self, case: TrialText) -> str:
        return described(case.text)

    def case_of(self, *arguments: Any) -> TrialText:
        return TrialText(*arguments)

    def ordered(self, case: TrialText) -> Ordered:
        return below_the_top  # the numbers may be in any order


TRIAL_SCORE = TrialScore()

__all__ = ["TRIAL_SCORE", "TrialText"]
