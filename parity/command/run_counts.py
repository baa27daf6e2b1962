"""Counts the progress of a job: the trials that run, and those that ended, with or without an error."""

import time
from dataclasses import dataclass, field

from parity.driver.trial_plan import Moment


@dataclass
class Counted:
    """The progress of a job."""

    total: int
    ended: dict[str, bool] = field(default_factory=dict)
    """Trials that ended in this run, and whether each has an error."""

    began: dict[str, float] = field(default_factory=dict)
    """Trials that run, and the time of each one's start."""

    phases: dict[str, str] = field(default_factory=dict)
    """Trials that run, and the phase of each."""

    earlier: int = 0
    """The number of trials that ended in earlier runs."""

    @property
    def done(self) -> int:
        """The number of trials that ended, in this run or an earlier one."""
        return self.earlier + len(self.ended)

    @property
    def errors(self) -> int:
        """The number of trials that ended in this run with an error."""
        return sum(self.ended.values())

    def on_moment(self, moment: Moment, name: str, *, failed: bool) -> float:
        """Record a moment of a trial, and return the seconds since its start.

        A cancelled trial does not count as ended, because it will be run again.
        """
        if moment == "start":
            self.ended.pop(name, None)
            self.began[name] = time.monotonic()
        since = time.monotonic() - self.began[name]
        before, self.phases[name] = self.phases.get(name), moment
        if moment == "end":
            del self.began[name], self.phases[name]
            if before != "cancel":
                self.ended[name] = failed
        return since
