"""Shows a running job on standard error: as a live view, as plain lines, or not at all."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from parity.command.run_summary import errors_of
from parity.command.streams import say
from parity.driver.course import TrialEvent
from parity.driver.documents.results import Result
from parity.driver.trial_plan import Trial
from parity.scorer.printable import printable
from parity.scorer.result_text import key_text

_LINES = 100
"""Maximum number of lines about ended trials. In a larger job, there is one line for each hundredth of the trials."""

_WIDTH = 100
"""Maximum length of one trial's displayed result, in characters."""

_SHOWN = 12
"""Maximum number of running trials that the live view shows one by one."""


@dataclass
class Display:
    """A view of a running job that prints a plain line for each trial that ends, and counts the trials."""

    total: int
    quiet: bool = False
    """Whether nothing is shown."""

    earlier: int = 0
    """The number of trials that ended in earlier runs of the job."""

    ended: dict[str, bool] = field(default_factory=dict)
    """The trials that ended in this run, by name; True for a trial with an error."""

    began: dict[str, float] = field(default_factory=dict)
    """The start time of each running trial."""

    phases: dict[str, str] = field(default_factory=dict)
    """The phase of each running trial."""

    @property
    def done(self) -> int:
        """The number of trials that ended, in this run or in an earlier run of the job."""
        return self.earlier + len(self.ended)

    def on_event(self, event: TrialEvent, trial: Trial, result: Result) -> None:
        """Record and show an event of a trial.

        A cancelled trial is not counted as ended, because it will be run again.
        """
        name = trial.name
        if event == "start":
            self.ended.pop(name, None)
            self.began[name] = time.monotonic()
        before, self.phases[name] = self.phases.get(name), event
        if event == "end":
            del self.phases[name]
            seconds = time.monotonic() - self.began.pop(name)
            if before != "cancel":
                self.ended[name] = result.exception_info is not None
                self.show_end(name, result, seconds)

    def show_end(self, name: str, result: Result, seconds: float) -> None:
        """Show that a trial has ended."""
        is_shown = self.total <= _LINES or self.done * _LINES // self.total > (self.done - 1) * _LINES // self.total
        if is_shown and not self.quiet:
            say(f"{self.done}/{self.total} {printable(name)}: {_outcome(result)} ({seconds:.1f} s)")

    def close(self) -> None:
        """End the view, and restore the terminal."""


class LiveDisplay(Display):
    """A progress bar on a terminal, with the running trials below it. Both are redrawn a few times a second."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        console, errors = Console(stderr=True), TextColumn("{task.fields[errors]}")
        self._progress = Progress(
            TextColumn("trials"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), errors, console=console
        )
        self._bar = self._progress.add_task("", total=total, errors="")
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=5, transient=True)
        self._live.start()

    def show_end(self, name: str, result: Result, seconds: float) -> None:
        """Print nothing, because the live view shows the ended trial when it is redrawn."""

    def close(self) -> None:
        self._live.stop()

    def _draw(self) -> Group:
        now, errors = time.monotonic(), sum(self.ended.values())
        self._progress.update(self._bar, completed=self.done, errors=f"{errors} with an error" if errors else "")
        running = sorted(self.began.items(), key=lambda trial: trial[1])
        lines = [
            f"  {printable(name, 60)}  {self.phases.get(name, '')}  {now - since:.0f} s"
            for name, since in running[:_SHOWN]
        ]
        if len(running) > _SHOWN:
            lines.append(f"  and {len(running) - _SHOWN:,} more")
        text = Text("\n".join(lines), no_wrap=True, overflow="ellipsis", style="dim")
        return Group(self._progress, text)


def _outcome(result: Result) -> str:
    """Return the rewards, and the errors with the first line of each message."""
    rewards = (result.verifier_result and result.verifier_result.rewards) or {}
    parts = [", ".join(f"{key} {key_text(value)}" for key, value in rewards.items())] if rewards else []
    return printable(", ".join([*parts, *map(str, errors_of(result))]) or "no reward", _WIDTH)


@contextmanager
def displayed(total: int, *, quiet: bool) -> Iterator[Display]:
    """Show the progress of a job with this many trials inside the `with` block."""
    display = LiveDisplay(total) if not quiet and sys.stderr.isatty() else Display(total, quiet)
    try:
        yield display
    finally:
        display.close()
