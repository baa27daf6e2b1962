"""`parity outcome`: prints the BASE_BENCHMARK_RESULT line of a job's result.json."""

import argparse
import sys
from pathlib import Path
from typing import Any

from parity.scorer import OFFICIAL, Series, outcome

_DESCRIPTION = """\
Print the outcome of a Harbor job, as the consumer of its result.json maps it: one line,
BASE_BENCHMARK_RESULT= and a JSON object with reason_code, resolved, score, status and total.

A file that is absent or malformed is an outcome too: its line says so, and the exit code is 0.
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to those of `parity`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "outcome",
        help="print the BASE_BENCHMARK_RESULT line of a job's result.json",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("result", type=Path, metavar="RESULT_JSON", help="the job's result.json; it need not exist")
    parser.add_argument(
        "--series",
        choices=[str(series) for series in Series],
        default=str(OFFICIAL),
        help="the interpreter series whose answer is given (default: %(default)s, in which scores are published)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the line; the exit code."""
    try:
        line = outcome(arguments.result, series=Series(arguments.series))["line"]
    except PermissionError as error:
        return _fault(arguments.result, f"{error.strerror}; make its folder searchable, with chmod u+x")
    except OSError as error:
        return _fault(arguments.result, f"{error.strerror}; give the path of a job's result.json")
    except ValueError:
        problem = "completed and errored trials add up to more than 4300 digits, which cannot be printed"
        return _fault(arguments.result, f"{problem}; correct its counts, or give n_total_trials")
    print(line)
    return 0


def _fault(path: Path, what: str) -> int:
    print(f"parity outcome: {path}: {what}", file=sys.stderr)
    return 1
