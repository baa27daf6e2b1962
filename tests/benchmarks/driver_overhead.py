"""Measures the cost of a trial in this kit's driver and in the wheel's, on the same recording sandboxes.

`python -m tests.benchmarks.driver_overhead [TRIALS ...]` runs a job of one task with so many attempts (100, 1,000 and
10,000), four at a time, with each driver in turn, each in a fresh process. Nothing runs in the sandboxes, and files are
in memory if possible, so only the drivers are measured. Imports are left out.

It prints CPU seconds and wall seconds, CPU milliseconds per trial, and the wheel's time relative to this kit's.
"""

import sys
import time

from parity.operations.files.folders import scratch_folder
from tests.benchmarks.measuring import measure

_DRIVERS = ("wheel", "parity")


def _run(driver: str, trials: int) -> None:
    """Run the job in this process, and print wall seconds and CPU seconds."""
    from parity.operations.scenarios.recording import Script
    from parity.operations.scenarios.scenario import JobScenario, TaskFiles

    if driver == "wheel":
        from parity.reference import open_reference

        open_reference()
        from parity.reference.recorded import run_on_recording
    else:
        from parity.operations.scenarios.execution import run_on_recording

    files = {"tests/test.sh": "", "solution/solve.sh": "", "instruction.md": "Go on.\n", "environment/": ""}
    script = Script(tests=[{"/logs/verifier/reward.txt": "1"}])
    scenario = JobScenario((TaskFiles("", files),), attempts=trials, concurrent=4, scripts=((script,),) * trials)
    with scratch_folder() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        run_on_recording(scenario, folder)
        print(time.perf_counter() - wall, time.process_time() - cpu)


def main() -> None:
    """Run all sizes, and print a line for each."""
    if sys.argv[1:2] == ["run"]:
        _run(sys.argv[2], int(sys.argv[3]))
        return
    print(f"{'trials':>8}{'wheel CPU':>12}{'parity CPU':>12}{'wheel/trial':>13}{'parity/trial':>14}{'ratio':>7}")
    for trials in map(int, sys.argv[1:] or ("100", "1000", "10000")):
        seconds = {}
        for driver in _DRIVERS:
            _, output = measure("tests.benchmarks.driver_overhead", "run", driver, str(trials))
            seconds[driver] = float(output.split()[1])
        wheel, ours = (seconds[driver] for driver in _DRIVERS)
        each = f"{1000 * wheel / trials:>10.2f} ms{1000 * ours / trials:>11.2f} ms"
        print(f"{trials:>8,}{wheel:>10.2f} s{ours:>10.2f} s{each}{wheel / ours:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
