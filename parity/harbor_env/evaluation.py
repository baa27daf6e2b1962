"""Many rollouts at once: their states, rewards and average."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypedDict

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from parity.harbor_env.scoring import average
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


async def evaluate(
    rollout: Callable[..., Awaitable[State]],
    rows: Sequence[Mapping[str, Any]],
    rollouts_per_example: int,
    slots: asyncio.Semaphore,
    model: str | None,
    progress: bool | None,
) -> Results:
    """Roll out every row.

    Args:
        rollout: runs the agent on one row, and scores it.
        rows: of the dataset.
        rollouts_per_example: how often each.
        slots: as many rollouts run at once.
        model: name of the model that agents are given.
        progress: whether to show it; None for terminals only.

    Raises:
        asyncio.CancelledError: it was cancelled; no sandbox is left.
    """
    async with _shown(len(rows) * rollouts_per_example, progress) as on_ended:

        async def one(row: Mapping[str, Any]) -> State:
            async with slots:
                state = await rollout(row, model=model)
            on_ended(state)
            return state

        tasks = []
        async with asyncio.TaskGroup() as group:
            for row in (row for row in rows for _ in range(rollouts_per_example)):
                tasks.append(group.create_task(one(row)))
                await asyncio.sleep(0)  # hundreds that begin in one turn of the loop would keep it from all else
    states = [task.result() for task in tasks]
    return Results(
        reward=[state["reward"] for state in states],
        state=states,
        metadata=Metadata(
            model=model,
            num_examples=len(rows),
            rollouts_per_example=rollouts_per_example,
            avg_reward=average([state["reward"] for state in states]),
            errors=sum(state["error"] is not None for state in states),
            faults=sum(state["fault"] is not None for state in states),
        ),
    )


@asynccontextmanager
async def _shown(total: int, progress: bool | None) -> AsyncIterator[Any]:
    """A bar of rollouts that are done, with the numbers of errors and faults, and the last task."""
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
        shown = bar.add_task("", total=total)
        errors = faults = 0

        def on_ended(state: State) -> None:
            nonlocal errors, faults
            errors += state["error"] is not None
            faults += state["fault"] is not None
            last = printable(f"{errors} with errors, {faults} with faults; last {state.get('task')}: {state['reward']}")
            bar.update(shown, advance=1, description=last)

        yield on_ended
