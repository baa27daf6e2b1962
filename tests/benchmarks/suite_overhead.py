"""What the suite costs beside drawing its cases: whole runs, in turn, in fresh processes.

`python -m tests.benchmarks.suite_overhead [ROUNDS]` runs the default profile and the same strategies with an
empty body (`--generate-only`), and prints wall seconds, their ratio in each round, and peak memory.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent.parent


def _measure(*options: str) -> tuple[float, float]:
    """Wall seconds and peak MiB of one run."""
    command = [sys.executable, "-m", "pytest", "parity/", "-q", "-p", "no:cacheprovider", *options]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(output)
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def main() -> None:
    """Run the rounds and print a line for each."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    ratios = []
    print(f"{'round':<7}{'suite':>9}{'empty body':>13}{'ratio':>8}{'peak memory':>14}")
    for number in range(1, rounds + 1):
        empty, _ = _measure("--generate-only")
        suite, peak = _measure()
        ratios.append(suite / empty)
        print(f"{number:<7}{suite:>7.1f} s{empty:>11.1f} s{suite / empty:>8.2f}{peak:>10.0f} MiB", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
