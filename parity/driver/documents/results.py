"""result.json of a trial, filled while the trial runs."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from parity.formats.configuration import TrialConfiguration
from parity.formats.trial_result import ExceptionInfo, PhaseTiming, StepResult, TrialResult, VerifierRewards
from parity.scorer.values import Number, Rewards

Result = TrialResult[TrialConfiguration, Number]
"""The result of a trial of this driver."""

Step = StepResult[Number]
"""The result of a step."""


@contextmanager
def timed() -> Iterator[PhaseTiming]:
    """Measure a phase, in UTC. An error ends it, too."""
    # Rule: run-trial/timings
    timing = PhaseTiming(started_at=datetime.now(UTC))
    try:
        yield timing
    finally:
        timing.finished_at = datetime.now(UTC)


def verified(rewards: Rewards | None) -> VerifierRewards[Number]:
    """Return the result of a verifier. The rewards are kept as objects, because one nan is not another."""
    return VerifierRewards[Number].model_construct(rewards=rewards)


def exception_info(error: BaseException) -> ExceptionInfo:
    """Return the record of an error that is being handled. Its time is local."""
    # Rule: run-trial/message-presence
    return ExceptionInfo(
        exception_type=type(error).__name__,
        exception_message=_writable(str(error)),
        exception_traceback=_writable(traceback.format_exc()),
        occurred_at=datetime.now(),
    )


def _writable(text: str) -> str:
    # Harbor cannot write the result of a trial whose error names a file that is not UTF-8; here it is escaped.
    return text.encode("utf-8", "backslashreplace").decode()
