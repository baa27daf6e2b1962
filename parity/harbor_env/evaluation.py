"""What an evaluation gives, and how far it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypedDict

from parity.harbor_env.states import State
from parity.scorer.printable import printable


class Metadata(TypedDict):
    """What was run, and what came of it."""

    model: str | None
    num_examples: int
    rollouts_per_example: int
    avg_reward: float
    errors: int
    """Rollouts with an error, those that have a reward all the same included."""

    faults: int
    """Rollouts in which the agent or its tests did something wrong, those that have a reward all the same included."""


class Results(TypedDict):
    """Everything in order of the dataset, all rollouts of an example in a row."""

    reward: list[float]
    state: list[State]
    metadata: Metadata


@contextmanager
def shown(total: int, progress: bool | None) -> Iterator[Callable[[State], None]]:
    """A bar of rollouts that are done, with the numbers of errors and faults, and the last task.

    Args:
        total: how many there will be.
        progress: whether to show it; None for terminals only.

    Returns:
        What takes the state of each that is done.
    """
    # It takes long to import, and few that import the kit evaluate.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    visible = console.is_terminal if progress is None else progress
    columns = (
        TextColumn("rollouts"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, disable=not visible, transient=console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        errors = faults = 0

        def on_ended(state: State) -> None:
            nonlocal errors, faults
            errors += state["error"] is not None
            faults += state["fault"] is not None
            last = printable(f"{errors} with errors, {faults} with faults; last {state.get('task')}: {state['reward']}")
            bar.update(task, advance=1, description=last)

        yield on_ended
