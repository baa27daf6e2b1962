"""The result.json of a trial, which is filled while the trial runs."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from parity.formats.configuration import TrialConfiguration
from parity.formats.trial_result import ExceptionInfo, PhaseTiming, StepResult, TrialResult, VerifierRewards
from parity.scorer.values import Number, Rewards

Result = TrialResult[TrialConfiguration, Number]
"""The result of a trial that this driver runs."""

Step = StepResult[Number]
"""The result of one step of a trial that this driver runs."""


@contextmanager
def timed() -> Iterator[PhaseTiming]:
    """Record when the `with` block starts and finishes, in UTC, even if it raises an exception."""
    # Rule: run-trial/timings
    timing = PhaseTiming(started_at=datetime.now(UTC))
    try:
        yield timing
    finally:
        timing.finished_at = datetime.now(UTC)


def verified(rewards: Rewards | None) -> VerifierRewards[Number]:
    """Return the verifier's result. The rewards are not validated or copied, so that each nan stays the same object."""
    return VerifierRewards[Number].model_construct(rewards=rewards)


def exception_info(error: BaseException) -> ExceptionInfo:
    """Return the record of an exception that is being handled. The record's time is local time."""
    # Rule: run-trial/message-presence
    return ExceptionInfo(
        exception_type=type(error).__name__,
        exception_message=_writable(str(error)),
        exception_traceback=_writable(traceback.format_exc()),
        occurred_at=datetime.now(),
    )


def _writable(text: str) -> str:
    # Harbor cannot write a trial's result if the error message has a file name that is not UTF-8. Here it is escaped.
    return text.encode("utf-8", "backslashreplace").decode()
