"""Measures the cost of an empty trial in `parity run` on local sandboxes, and whether it grows with their number.

`python -m tests.benchmarks.run_overhead [TRIALS…]` runs jobs of so many trials (50, 200 and 1,000), four at a time: one
task whose solution is empty and whose tests write a reward. It prints the CPU seconds of each whole command, child
processes included, and milliseconds per trial.
"""

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measuring import measure

_CONCURRENT = 4
_FILES = {
    "task.toml": 'schema_version = "1.1"\n[task]\nname = "parity/nothing"\n',
    "instruction.md": "Do nothing.\n",
    "solution/solve.sh": "#!/bin/sh\n",
    "tests/test.sh": "#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n",
    "environment/Dockerfile": "FROM scratch\n",
}


def main() -> None:
    """Run a job of each size, and print a line for each."""
    sizes = [int(each) for each in sys.argv[1:]] or [50, 200, 1000]
    print(f"{'trials':>8}{'wall':>11}{'CPU':>11}{'CPU/trial':>12}{'peak memory':>14}")
    with tempfile.TemporaryDirectory(prefix="parity-run-") as folder:
        task = Path(folder) / "tasks" / "nothing"
        for name, text in _FILES.items():
            (task / name).parent.mkdir(parents=True, exist_ok=True)
            (task / name).write_text(text)
        for size in sizes:
            options = ["--quiet", "-n", str(_CONCURRENT), "-k", str(size), "-o", folder, "--job-name", f"job-{size}"]
            whole, _ = measure("parity", "run", str(task.parent), *options)
            print(
                f"{size:>8,}{whole.wall:>9.1f} s{whole.cpu:>9.2f} s{whole.cpu / size * 1000:>9.0f} ms"
                f"{whole.peak:>10.0f} MiB",
                flush=True,
            )


if __name__ == "__main__":
    main()
