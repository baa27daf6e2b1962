"""Asks the two releases of `parity drift`, and shows the differences."""

import argparse
import json
import sys
from collections.abc import Iterable

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import say, write
from parity.drift.releases import Release, opened
from parity.drift.shown import drift_document, drift_lines, trials_document, trials_lines
from parity.drift.trials import compare_trials
from parity.drift.vectors import chosen_vectors, compare_releases
from parity.operations.vector import Vector
from parity.operations.wire import Json
from parity.reference import ReferenceLost, WheelError
from parity.scorer.printable import printable


def show(arguments: argparse.Namespace) -> int:
    """Show the differences, and return the exit code.

    Raises:
        CommandFailure: a release cannot be asked.
    """
    of_trials = bool(arguments.jobs or arguments.verifier)
    vectors = {} if of_trials else chosen_vectors(arguments.chosen)
    if not vectors and not of_trials:
        arguments.refuse(f"-k: no vector's operation or id contains {' or '.join(arguments.chosen)}")
    try:
        with opened(arguments.old, arguments.new, say) as (old, new):
            say(f"old: {old.label} ({old.environment}); new: {new.label} ({new.environment})")
            return _trials(arguments, old, new) if of_trials else _vectors(arguments, old, new, vectors)
    except (WheelError, ReferenceLost) as error:
        raise CommandFailure(str(error).removeprefix("--reference ")) from None


def _vectors(arguments: argparse.Namespace, old: Release, new: Release, vectors: dict[str, list[Vector]]) -> int:
    drifts = compare_releases(old, new, vectors, _progress)
    _write(arguments, drift_document(old, new, drifts), drift_lines(old, new, drifts))
    return ExitCode.DIFFERS if any(drift.moved for drift in drifts) else ExitCode.RIGHT


def _trials(arguments: argparse.Namespace, old: Release, new: Release) -> int:
    drift = compare_trials(old, new, arguments.verifier, arguments.jobs)
    for problem in drift.problems:
        say(f"parity drift: {printable(problem)}")
    _write(arguments, trials_document(old, new, drift), trials_lines(old, new, drift))
    if not drift.is_none:
        return ExitCode.DIFFERS
    return ExitCode.UNJUDGED if drift.problems else ExitCode.RIGHT


def _write(arguments: argparse.Namespace, document: dict[str, Json], lines: Iterable[str]) -> None:
    if arguments.json:
        write(json.dumps(document, indent=2) + "\n")
    else:
        write("".join(f"{printable(line)}\n" for line in lines))


def _progress(operation: str, vectors: int) -> None:
    if sys.stderr.isatty():
        say(f"asking {vectors:,} vectors of {operation}")
