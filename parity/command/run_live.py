"""Shows the progress of a job on a terminal: a bar, and below it the trials that run, with their phases."""

import time
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live as Redrawn
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from parity.command.run_counts import Counted
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.trial_plan import Moment, TrialPlan
from parity.scorer.printable import printable

_SHOWN = 12
"""The number of trials that are shown one by one."""


@dataclass
class Live:
    """A live view of a job, which is redrawn a few times a second."""

    counted: Counted
    _progress: Progress = field(init=False)
    _redrawn: Redrawn = field(init=False)

    def __post_init__(self) -> None:
        console = Console(stderr=True)
        columns = (
            TextColumn("trials"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[errors]}"),
        )
        self._progress = Progress(*columns, console=console)
        self._bar = self._progress.add_task("", total=self.counted.total, errors="")
        self._redrawn = Redrawn(console=console, get_renderable=self._draw, refresh_per_second=5, transient=True)
        self._redrawn.start()

    def on_moment(self, moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
        self.counted.on_moment(moment, plan.name, failed=record.failure is not None)

    def close(self) -> None:
        self._redrawn.stop()

    def _draw(self) -> Group:
        counted, now = self.counted, time.monotonic()
        errors = counted.errors
        self._progress.update(self._bar, completed=counted.done, errors=f"{errors} with an error" if errors else "")
        running = sorted(counted.began.items(), key=lambda trial: trial[1])
        lines = [
            f"  {printable(name, 60)}  {counted.phases.get(name, '')}  {now - since:.0f} s"
            for name, since in running[:_SHOWN]
        ]
        if len(running) > _SHOWN:
            lines.append(f"  and {len(running) - _SHOWN:,} more")
        text = Text("\n".join(lines), no_wrap=True, overflow="ellipsis", style="dim")
        return Group(self._progress, text)
