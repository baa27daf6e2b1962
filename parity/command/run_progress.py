"""Shows a running job on standard error: as a live view, as plain lines, or not at all."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from parity.command.run_counts import Counted
from parity.command.streams import say
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.trial_plan import Moment, TrialPlan
from parity.scorer.printable import printable
from parity.scorer.result_text import key_text
from parity.scorer.values import Rewards

_LINES = 100
"""The number of lines about ended trials, at most: a larger job has one line for each hundredth of its trials."""

_LONGEST = 100
"""The limit of the text about one trial's result, in characters."""


class Display(Protocol):
    """A view of the job, which receives all moments of its trials."""

    counted: Counted

    def on_moment(self, moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
        """Show a moment of a trial."""

    def close(self) -> None:
        """End the view, and restore the terminal."""


@dataclass
class Lines:
    """A view with a plain line for each trial that ended."""

    counted: Counted
    quiet: bool
    """Whether no lines are shown."""

    def on_moment(self, moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
        seconds = self.counted.on_moment(moment, plan.name, failed=record.failure is not None)
        if moment == "end" and plan.name in self.counted.ended and not self.quiet and self._is_shown():
            done, total = self.counted.done, self.counted.total
            say(f"{done}/{total} {printable(plan.name)}: {given(record)} ({seconds:.1f} s)")

    def close(self) -> None:
        pass

    def _is_shown(self) -> bool:
        done, total = self.counted.done, self.counted.total
        return total <= _LINES or done * _LINES // total > (done - 1) * _LINES // total


def given(record: TrialRecord) -> str:
    """Return the result of a trial in words: its rewards, its error with the first line of the message, or both."""
    rewards = None if record.verifier_result is None else record.verifier_result.rewards
    parts = [rewards_text(rewards)] if rewards else []
    if record.failure is not None:
        first, _, _ = record.failure.message.strip().partition("\n")
        parts.append(f"{record.failure.type}: {first}" if first else record.failure.type)
    return printable(", ".join(parts) or "no reward", _LONGEST)


def rewards_text(rewards: Rewards) -> str:
    """Return rewards in words, such as `reward 1.0, tidy 0.5`."""
    return ", ".join(f"{key} {key_text(value)}" for key, value in rewards.items())


@contextmanager
def displayed(total: int, *, quiet: bool) -> Iterator[Display]:
    """Show the progress of a job with a number of trials while this lasts."""
    counted = Counted(total)
    if quiet or not sys.stderr.isatty():
        yield Lines(counted, quiet)
    else:
        from parity.command.run_live import Live

        live = Live(counted)
        try:
            yield live
        finally:
            live.close()
