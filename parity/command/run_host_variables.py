"""Whether tasks are given the variables of the host that they take: as allowed by options, or else by whoever is asked.

`harbor run` asks likewise, unless it is given `--yes`; without a terminal there is no one to ask.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping

from parity.command.faults import CommandFailure
from parity.command.streams import say
from parity.driver.host_variables import Taken
from parity.scorer.printable import printable


def check_allowed(taken: Mapping[str, Taken], options: argparse.Namespace) -> None:
    """See that tasks may have what they take.

    Raises:
        CommandFailure: they may not.
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
    """A line for each variable that tasks were given."""
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
