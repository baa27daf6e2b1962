"""The progress bar of an evaluation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from parity.harbor_env.rollout import State
from parity.scorer.printable import printable


@contextmanager
def progress_bar(total: int, is_shown: bool | None) -> Iterator[Callable[[State], None]]:
    """Show a bar of finished rollouts on stderr, with the numbers of errors and faults, and the last task.

    Args:
        total: the number of rollouts.
        is_shown: whether to show it; None for terminals only.

    Returns:
        A callback for the state of each finished rollout.
    """
    # Imported here because it takes long, and most users of the kit do not evaluate.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("rollouts"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    visible = console.is_terminal if is_shown is None else is_shown
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
