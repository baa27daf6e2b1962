"""Measures the main job against its golden vectors alone: whole runs, in turn, in fresh processes.

`python -m tests.benchmarks.suite_overhead [ROUNDS]` runs the default profile, and the same with `--reference golden`.
It prints seconds, their ratio in each round, and the peak memory of the main job.
"""

import statistics
import sys

from tests.benchmarks.measuring import measure

_SUITE = ("pytest", "parity/", "-q", "-p", "no:cacheprovider")


def main() -> None:
    """Run the rounds and print a line for each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    walls, cpus = [], []
    print(f"{'round':<8}{'main job':>10}{'golden alone':>15}{'wall ratio':>13}{'CPU ratio':>12}{'peak memory':>14}")
    for number in range(1, rounds + 1):
        golden, suite = (measure(*_SUITE, *options)[0] for options in (["--reference", "golden"], []))
        walls.append(suite.wall / golden.wall)
        cpus.append(suite.cpu / golden.cpu)
        print(
            f"{number:<8}{suite.wall:>8.1f} s{golden.wall:>13.1f} s"
            f"{walls[-1]:>13.2f}{cpus[-1]:>12.2f}{suite.peak:>10.0f} MiB",
            flush=True,
        )
    print(f"{'median':<33}{statistics.median(walls):>13.2f}{statistics.median(cpus):>12.2f}")


if __name__ == "__main__":
    main()
