"""How far a job is: which trials run, which have ended, and with an error."""

import time
from dataclasses import dataclass, field

from parity.driver.trial_plan import Moment


@dataclass
class Counted:
    """How far the job is."""

    total: int
    ended: dict[str, bool] = field(default_factory=dict)
    """Trials that ended, and whether with an error."""

    began: dict[str, float] = field(default_factory=dict)
    """Trials that run, and since when."""

    phases: dict[str, str] = field(default_factory=dict)
    """Trials that run, and what they are at."""

    earlier: int = 0
    """Trials of earlier runs."""

    @property
    def done(self) -> int:
        """How many trials have ended, in this run or before."""
        return self.earlier + len(self.ended)

    @property
    def errors(self) -> int:
        """How many of this run's have an error."""
        return sum(self.ended.values())

    def on_moment(self, moment: Moment, name: str, *, failed: bool) -> float:
        """A moment of a trial; seconds since it began. One that was cancelled has not ended, it is to be run again."""
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
