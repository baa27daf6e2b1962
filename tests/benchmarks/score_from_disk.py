"""Measures `parity score` against the wheel's own models and metrics, on the same job folders.

`python -m tests.benchmarks.score_from_disk [TRIALS] [ROUNDS] [FOLDER]` writes a job of TRIALS trials (100,000) with the
wheel's models, and one of a tenth of that, into FOLDER, where they stay for the next time, or into a temporary folder.
Each round scores both in fresh processes, in turn:

- wheel: `TrialResult.model_validate_json` of every trial's result.json, as a resumed job reads them, then `JobStats`,
  metrics, pass@k and `model_dump_json`, without the time that its imports take;
- parity: the whole process of `parity score --check`, which also reads lock.json, orders the trials, and compares with
  result.json.

Both must give the text in result.json. It prints seconds, their ratio, the growth from a tenth to the whole, and peak
memory. This process is kept small, because a child's peak begins with its parent's.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measuring import Measured, measure


def _wheel(job: Path) -> Measured:
    whole, output = measure("tests.benchmarks.wheel_jobs", "score", str(job))
    wall, cpu = map(float, output.split())
    return Measured(wall, cpu, whole.peak)


def _parity(job: Path) -> Measured:
    return measure("parity", "score", "--check", str(job))[0]


def main() -> None:
    """Write the jobs, run the rounds, and print a line for each."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    if len(sys.argv) > 3:
        _run(Path(sys.argv[3]), trials, rounds)
        return
    with tempfile.TemporaryDirectory(prefix="parity-score-") as folder:
        _run(Path(folder), trials, rounds)


def _job(folder: Path, trials: int) -> Path:
    job = folder / f"job-{trials}"
    if not job.exists():
        measure("tests.benchmarks.wheel_jobs", "write", str(job), str(trials))
    return job


def _run(folder: Path, trials: int, rounds: int) -> None:
    tenth, whole = _job(folder, trials // 10), _job(folder, trials)
    size = sum(os.stat(f"{entry.path}/result.json").st_size for entry in os.scandir(whole) if entry.is_dir())
    print(f"{trials:,} trials, {size / trials:,.0f} bytes each")
    print(
        f"{'round':<8}{'wheel':>9}{'parity':>10}{'wall ratio':>12}{'CPU ratio':>11}"
        f"{'growth':>9}{'wheel peak':>13}{'parity peak':>13}"
    )
    walls, cpus, growths = [], [], []
    for number in range(1, rounds + 1):
        small, wheel, ours = _parity(tenth), _wheel(whole), _parity(whole)
        walls.append(wheel.wall / ours.wall)
        cpus.append(wheel.cpu / ours.cpu)
        growths.append(ours.wall / small.wall)
        print(
            f"{number:<8}{wheel.wall:>7.2f} s{ours.wall:>8.2f} s{walls[-1]:>12.2f}{cpus[-1]:>11.2f}"
            f"{growths[-1]:>9.2f}{wheel.peak:>9.0f} MiB{ours.peak:>9.0f} MiB",
            flush=True,
        )
    medians = (statistics.median(column) for column in (walls, cpus, growths))
    print(
        f"{'median':<27}" + "".join(f"{value:>{width}.2f}" for value, width in zip(medians, (12, 11, 9), strict=True))
    )


if __name__ == "__main__":
    main()
