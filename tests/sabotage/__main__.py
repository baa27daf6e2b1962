"""Sabotages each function of the clean room that an operation's golden vectors reach, and prints the result.

    python -m tests.sabotage [OPERATION…]

The exit code is 1 if an exception leaves the suite, if a pair of an operation and a function ends without a divergence
and `listed.toml` does not list it, or if a listed pair ends with one, or is not reached.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from parity.operations import OPERATIONS
from parity.suite.harm import counted
from tests.sabotage.judged import Pair, judge, pairs
from tests.sabotage.listed import listed


@dataclass
class _Row:
    """The counts of one operation."""

    results: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def mistake(pair: Pair) -> tuple[str, str | None]:
    """Judge a pair; return the result, and a line about it if it is not as it should be.

    The result is `divergence`, `listed` or `neither`.
    """
    judged, name = judge(pair), " ".join(pair.name)
    if judged.error:
        return "neither", f"{name}: an exception left the suite:\n{judged.error}"
    if judged.divergences:
        return "divergence", f"{name}: it is listed, and diverges" if pair.name in listed() else None
    if pair.name in listed():
        return "listed", None
    return "neither", f"{name}: it does not diverge in {counted(judged.vectors, 'vector')}, and is not listed"


def main(arguments: list[str]) -> int:
    """Judge all pairs of the chosen operations, print a table, and return the exit code."""
    parser = argparse.ArgumentParser("python -m tests.sabotage")
    parser.add_argument("operations", nargs="*", metavar="OPERATION", help="an operation (default: all)")
    names = parser.parse_args(arguments).operations or [*OPERATIONS]
    if unknown := [name for name in names if name not in OPERATIONS]:
        parser.error(f"unknown operation {unknown[0]!r}; the operations are {', '.join(OPERATIONS)}")
    wrong = False
    print("| operation | functions | divergence | listed | neither | CPU seconds |\n|---|---|---|---|---|---|")
    total = _Row()
    for name in names:
        row, start = _Row(), time.process_time()
        reached = pairs(name)
        for pair in reached:
            result, line = mistake(pair)
            row.results[result] += 1
            if line:
                print(line, file=sys.stderr, flush=True)
                wrong = True
        for gone in sorted({each for each in listed() if each[0] == name} - {pair.name for pair in reached}):
            print(f"{' '.join(gone)}: it is listed, and no vector reaches it", file=sys.stderr)
            wrong = True
        row.seconds = time.process_time() - start
        _print_row(f"`{name}`", row)
        total.results += row.results
        total.seconds += row.seconds
    _print_row("all", total)
    return int(wrong)


def _print_row(title: str, row: _Row) -> None:
    counts = [row.results.total(), *(row.results[each] for each in ("divergence", "listed", "neither"))]
    print(f"| {title} | {' | '.join(map(str, counts))} | {row.seconds:.0f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
