"""Measures the bundled tasks: with this kit on local sandboxes, with this kit on Docker, and with Harbor on Docker.

`python -m tests.benchmarks.local_against_docker [ROUNDS]` runs the three in turn, in so many rounds (3), four trials at
a time. Without a container engine that has the tasks' image, it says so, and runs only the first.

It prints the wall seconds of each round, and the time of the other two relative to the first.
"""

import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.end_to_end.engine import copy_tasks
from tests.end_to_end.ways import WAYS, Way

_CONCURRENT = 4
_NAMES = ("parity on local", "parity on docker", "harbor on docker")


def _seconds(way: Way, tasks: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        way.run(tasks, Path(folder))
        return time.perf_counter() - began


def _line(first: str, cells: list[str]) -> str:
    return f"{first:<8}" + "".join(f"{cell:>26}" for cell in cells)


def _rows(seconds: list[float]) -> list[str]:
    """Return the cells of one round."""
    return [f"{each:.1f} s ({each / seconds[0]:.1f})" for each in seconds]


def main() -> None:
    """Run all rounds, and print a line for each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    named = {way.name: replace(way, concurrent=_CONCURRENT) for way in WAYS}
    ways = [named[name] for name in _NAMES]
    for way in ways:
        if reason := way.missing():
            print(f"{way.name}: {reason}")
    ways = [way for way in ways if way.missing() is None]
    with tempfile.TemporaryDirectory() as folder:
        tasks = copy_tasks(Path(folder) / "tasks")
        print(_line("round", [way.name for way in ways]))
        found = []
        for number in range(1, rounds + 1):
            found.append([_seconds(way, tasks) for way in ways])
            print(_line(str(number), _rows(found[-1])), flush=True)
    print(_line("median", _rows([statistics.median(column) for column in zip(*found, strict=True)])))


if __name__ == "__main__":
    main()
