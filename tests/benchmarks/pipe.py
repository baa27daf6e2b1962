"""Measures the pipe: round trips a second with a trivial program, and the same cases in process and over the pipe.

`python -m tests.benchmarks.pipe [ROUNDS]`. The trivial program gives the same answer to every question. The cases are
the golden vectors of `read_reward` with regular files, asked as the suite asks them, including writing and removing
files. Both sides answer with the built-in scorer, so their ratio is the cost of the pipe. Both are asked several
questions at once, like golden vectors in the suite; the first column has the time one by one, as for a drawn case of
one question.
"""

import shlex
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from parity.judging.comparing import ask_runner
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.goldens import read_entries
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.runners.pipe import PipeRunner
from tests.running import PYTHON

_TRIVIAL = f"{PYTHON} -I -S {shlex.quote(str(Path(__file__).with_name('trivial_program.py')))}"
_SERVED = f"{PYTHON} -m parity serve clean-room"
_TRIPS = 20_000
_REPEATS = 8
_AT_ONCE = 64


def main() -> None:
    """Run the rounds and print a line for each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    trivial, served, inside = PipeRunner(_TRIVIAL), PipeRunner(_SERVED), CleanRoom()
    question = AggregateCase("mean", ({"reward": 0.5}, {"reward": 1}, None))
    decoded = (READ_REWARD.decode(entry["input"]) for entry in read_entries("read_reward").values())
    cases = [case for case in decoded if {case.json.kind, case.text.kind} <= {"absent", "file"}] * _REPEATS
    rows = []
    print(f"{'round':<8}{'one by one/s':>14}{'in flight/s':>14}{'in process':>14}{'over the pipe':>16}{'ratio':>9}")
    for number in range(1, rounds + 1):
        alone = _TRIPS / _seconds(trivial, AGGREGATE, [question] * _TRIPS, 1)
        together = _TRIPS / _seconds(trivial, AGGREGATE, [question] * _TRIPS, _AT_ONCE)
        within = _seconds(inside, READ_REWARD, cases, _AT_ONCE) / len(cases) * 1e6
        over = _seconds(served, READ_REWARD, cases, _AT_ONCE) / len(cases) * 1e6
        rows.append((alone, together, within, over, over / within))
        print(_row(str(number), rows[-1]), flush=True)
    print(_row("median", [statistics.median(column) for column in zip(*rows, strict=True)]))
    for runner in (trivial, served):
        runner.close()


def _row(name: str, numbers: Sequence[float]) -> str:
    alone, together, within, over, ratio = numbers
    return f"{name:<8}{alone:>14,.0f}{together:>14,.0f}{within:>11.0f} µs{over:>13.0f} µs{ratio:>9.2f}"


def _seconds(runner: Any, operation: Operation[Any], cases: list[Any], at_once: int) -> float:
    clock = Clock(60.0)
    with clock.installed():
        start = perf_counter()
        for first in range(0, len(cases), at_once):
            ask_runner(runner, operation, cases[first : first + at_once], clock)
        return perf_counter() - start


if __name__ == "__main__":
    main()
