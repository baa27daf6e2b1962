"""Decides whether tasks get the host's variables that they take: by options, or by asking the user on a terminal.

`harbor run` asks, too, unless it is given `--yes`. Without a terminal, there is nobody to ask.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping

from parity.command.faults import CommandFailure
from parity.command.streams import say
from parity.driver.host_variables import Taken
from parity.scorer.printable import printable


def check_allowed(taken: Mapping[str, Taken], options: argparse.Namespace) -> None:
    """Check that tasks may have the variables that they take; ask the user if there is a terminal.

    Raises:
        CommandFailure: they may not; one line for each variable.
    """
    if options.yes:
        return
    asked = {name: by for name, by in taken.items() if name not in options.allow_host_env}
    if not asked:
        return
    if _is_somebody_there() and _agrees(asked):
        return
    raise CommandFailure(*(_refusal(name, by) for name, by in asked.items()))


def given_to_tasks(taken: Mapping[str, Taken]) -> Iterator[str]:
    """Yield a line for each variable that tasks were given."""
    for name, by in taken.items():
        yield f"given to tasks: the host's {name}, for {_whom(by)}"


def _refusal(name: str, by: Taken) -> str:
    shown = printable(name)
    what = f"task.toml: the host's variable {shown} is taken by {_tables(by)}"
    more = f" (and {len(by.tasks) - 1:,} more)" if len(by.tasks) > 1 else ""
    return f"{printable(by.tasks[0])}{more}: {what}; allow it with --allow-host-env {shown}"


def _whom(by: Taken) -> str:
    whose = printable(by.tasks[0]) if len(by.tasks) == 1 else f"{len(by.tasks):,} tasks"
    return f"{_tables(by)} of {whose}"


def _tables(by: Taken) -> str:
    return ", ".join(sorted(by.tables))


def _is_somebody_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _agrees(asked: Mapping[str, Taken]) -> bool:
    for name, by in asked.items():
        say(f"{printable(name)}: taken by {_whom(by)}")
    print("Give tasks these variables of this host? (y/N): ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
