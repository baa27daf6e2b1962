"""The results of an evaluation, and its progress bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypedDict

from parity.harbor_env.states import State
from parity.scorer.printable import printable


class Metadata(TypedDict):
    """The arguments and totals of an evaluation."""

    model: str | None
    num_examples: int
    rollouts_per_example: int
    avg_reward: float
    errors: int
    """Rollouts with an error, with or without a reward."""

    faults: int
    """Rollouts with a fault of the agent or its tests, with or without a reward."""


class Results(TypedDict):
    """The results in the order of the dataset. All rollouts of an example are adjacent."""

    reward: list[float]
    state: list[State]
    metadata: Metadata


@contextmanager
def shown(total: int, progress: bool | None) -> Iterator[Callable[[State], None]]:
    """Show a bar of finished rollouts, with the numbers of errors and faults, and the last task.

    Args:
        total: the number of rollouts.
        progress: whether to show it; None for terminals only.

    Returns:
        A callback for the state of each finished rollout.
    """
    # Imported here because it takes long, and most users of the kit do not evaluate.
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
