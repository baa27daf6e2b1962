"""Asks the releases that `parity drift` is given, and shows what moves between them."""

import argparse
import json
import sys

from parity.command.exit_code import ExitCode
from parity.command.faults import CommandFailure
from parity.command.printable import printable
from parity.command.streams import say, write
from parity.drift.document import drift_document
from parity.drift.releases import opened
from parity.drift.text import drift_lines
from parity.drift.vectors import chosen_vectors, compare_releases
from parity.reference import ReferenceLost, WheelError


def show(arguments: argparse.Namespace) -> int:
    """Show what moves; the exit code.

    Raises:
        CommandFailure: a release cannot be asked.
    """
    try:
        asked = chosen_vectors(arguments.chosen)
        if not asked:
            arguments.usage_error(f"-k: no vector's operation or id contains {' or '.join(arguments.chosen)}")
        with opened(arguments.old, arguments.new, say) as (old, new):
            say(f"old: {old.label} ({old.environment}); new: {new.label} ({new.environment})")
            drifts = compare_releases(old, new, asked, _progress)
    except (WheelError, ReferenceLost) as error:
        raise CommandFailure(str(error).removeprefix("--reference ")) from None
    if arguments.json:
        write(json.dumps(drift_document(old, new, drifts), indent=2) + "\n")
    else:
        write("".join(f"{printable(line)}\n" for line in drift_lines(old, new, drifts)))
    return ExitCode.DIFFERS if any(drift.moved for drift in drifts) else ExitCode.RIGHT


def _progress(operation: str, vectors: int) -> None:
    if sys.stderr.isatty():
        say(f"asking {vectors:,} vectors of {operation}")
