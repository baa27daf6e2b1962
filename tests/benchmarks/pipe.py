"""What the pipe costs: round trips a second with a trivial program, and the same cases in process and over the pipe.

`python -m tests.benchmarks.pipe [ROUNDS]`. The trivial program gives one and the same answer to every question. The
cases are the golden vectors of `read_reward` whose files are regular, asked as the suite asks them, files written and
removed included; both sides answer with the built-in scorer, so that their ratio is what the pipe costs.
"""

import statistics
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.goldens import read_entries
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask
from parity.runners.pipe import PipeRunner

_TRIVIAL = f"{sys.executable} -I -S {Path(__file__).with_name('trivial_program.py')}"
_SERVED = f"{sys.executable} -m parity serve clean-room"
_TRIPS = 20_000
_REPEATS = 8


def main() -> None:
    """Run the rounds and print a line for each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    trivial, served, inside = PipeRunner(_TRIVIAL), PipeRunner(_SERVED), CleanRoom()
    question = AggregateCase("mean", ({"reward": 0.5}, {"reward": 1}, None))
    decoded = (READ_REWARD.decode(entry["input"]) for entry in read_entries("read_reward").values())
    cases = [case for case in decoded if {case.json.kind, case.text.kind} <= {"absent", "file"}] * _REPEATS
    rates, ratios = [], []
    print(f"{'round':<8}{'round trips/s':>14}{'in process':>14}{'over the pipe':>16}{'ratio':>9}")
    for number in range(1, rounds + 1):
        rates.append(_TRIPS / _seconds(trivial, AGGREGATE, [question] * _TRIPS))
        within = _seconds(inside, READ_REWARD, cases) / len(cases)
        over = _seconds(served, READ_REWARD, cases) / len(cases)
        ratios.append(over / within)
        print(
            f"{number:<8}{rates[-1]:>14,.0f}{within * 1e6:>11.0f} µs{over * 1e6:>13.0f} µs{ratios[-1]:>9.2f}",
            flush=True,
        )
    print(f"{'median':<8}{statistics.median(rates):>14,.0f}{'':>30}{statistics.median(ratios):>9.2f}")
    for runner in (trivial, served):
        runner.close()


def _seconds(runner: object, operation: Operation[Any], cases: list[Any]) -> float:
    clock = Clock(60.0)
    with clock.installed():
        start = perf_counter()
        for case in cases:
            with operation.arguments(case) as arguments:
                ask(runner, operation.name, arguments, clock)
        return perf_counter() - start


if __name__ == "__main__":
    main()
