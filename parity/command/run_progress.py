"""What `parity run` shows of a job while it runs, on standard error: a live view, some plain lines, or nothing."""

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
"""About how many trials are reported one by one; of larger jobs, one in a hundred."""

_LONGEST = 100
"""Characters of what one trial gave."""


class Display(Protocol):
    """Something that learns of all moments."""

    counted: Counted

    def on_moment(self, moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
        """A moment of a trial."""

    def close(self) -> None:
        """Leave the terminal as it was."""


@dataclass
class Lines:
    """A line for a trial that ended."""

    counted: Counted
    quiet: bool
    """Whether there is none."""

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
    """What a trial gave: its rewards, its error with the first line of what it says, or both."""
    rewards = None if record.verifier_result is None else record.verifier_result.rewards
    parts = [rewards_text(rewards)] if rewards else []
    if record.failure is not None:
        first, _, _ = record.failure.message.strip().partition("\n")
        parts.append(f"{record.failure.type}: {first}" if first else record.failure.type)
    return printable(", ".join(parts) or "no reward", _LONGEST)


def rewards_text(rewards: Rewards) -> str:
    """`reward 1.0, tidy 0.5`."""
    return ", ".join(f"{key} {key_text(value)}" for key, value in rewards.items())


@contextmanager
def displayed(total: int, *, quiet: bool) -> Iterator[Display]:
    """Show the progress of a job of so many trials as long as this lasts."""
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
