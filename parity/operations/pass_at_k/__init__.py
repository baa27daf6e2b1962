"""The operation `pass_at_k`, which computes pass@k for each group of a job's trials."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from typing import Any

from parity.operations.codec import Codec
from parity.operations.compare import Ordered, below_the_top
from parity.operations.operation import Operation
from parity.operations.pass_at_k.case import PassAtKCase
from parity.operations.pass_at_k.rules import RULES
from parity.operations.wire import Json, WireError, decode, int_from_text
from parity.scorer.pass_at_k import Trial


class PassAtK(Operation[PassAtKCase]):
    """The operation `pass_at_k`, which computes pass@k for each group of a job's trials."""

    name = "pass_at_k"
    rules = RULES
    codec = Codec(PassAtKCase, "a pass_at_k case", unknown="ignore")

    @contextmanager
    def arguments(self, case: PassAtKCase) -> Iterator[tuple[list[Trial]]]:
        yield (
            [replace(trial, rewards=None if trial.rewards is None else dict(trial.rewards)) for trial in case.trials],
        )

    def decode_value(self, value: Json) -> Any:
        decoded = decode(value)
        if not isinstance(decoded, dict):
            return decoded
        try:
            return {key: {int_from_text(k): each for k, each in group.items()} for key, group in decoded.items()}
        except (AttributeError, WireError):
            raise WireError("pass@k must be an object of groups, each an object of numbers by k, in decimal") from None

    def describe(self, case: PassAtKCase) -> str:
        """Describe the trials in one line. Successive trials that differ only in their rewards share an entry."""
        runs = groupby(case.trials, key=lambda trial: (trial.agent, trial.model, trial.source, trial.task))
        described = []
        for (agent, model, source, task), trials in runs:
            rewards = [trial.rewards for trial in trials]
            described.append(f"agent {agent!r}, model {model!r}, source {source!r}, task {task!r}: {rewards!r}")
        return "; ".join(described) or "no trials"

    def case_of(self, *arguments: Any) -> PassAtKCase:
        return PassAtKCase(tuple(arguments[0]))

    def ordered(self, case: PassAtKCase) -> Ordered:
        return below_the_top


PASS_AT_K = PassAtK()

__all__ = ["PASS_AT_K", "PassAtKCase"]
