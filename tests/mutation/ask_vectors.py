"""Asks scorer and driver the golden vectors of both series; the first wrong answer ends the program with exit code 1.

    python -m tests.mutation.ask_vectors [MODULE]

Cosmic Ray runs this on each mutant, so it imports only what answers, and reads `golden/`. A module of the driver is
asked only about trials and jobs. Then the tests of the driver run, because Harbor lacks some of its features. Vectors
that need file modes are left out as root.
"""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.files.file_modes import modes_count
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask
from parity.scorer import Series

# `harbor_env` is left out: it takes as long as all others, and asks for what lies above the scorer and the driver.
_QUICKEST_FIRST = (
    "reason_code",
    "trial_score",
    "pass_at_k",
    "aggregate",
    "trial_reward",
    "outcome",
    "job_stats",
    "read_reward",
    "run_job",
    "run_trial",
)

BY_A_TEST = "by a test of the driver"
"""The last line of the output if a test kills the mutant, but no vector."""

_DRIVER_TESTS = [f"tests/driver/test_{name}.py" for name in ("copied_mounts", "rewards", "trial", "whole_job")]


def wrong_answers(operation: Operation[Any], clock: Clock) -> Iterator[str]:
    """Yield the id and the series of each vector to which the clean room does not give the recorded answer."""
    vectors = read_vectors(operation.name)
    for series in Series:
        runner = CleanRoom(series)
        for vector in vectors:
            if operation.needs_modes(vector.case) and not modes_count():
                continue
            recorded = vector.answer(series)
            with operation.arguments(vector.case) as arguments:
                answer = ask(runner, operation.name, arguments, clock)
            if recorded is None or operation.compare(vector.case, recorded, answer):
                yield f"{vector.id} as series {series}"


def operations_for(module: str) -> tuple[str, ...]:
    """Return the operations to ask about a mutated module; those that kill its mutants quickest come first."""
    if not module.startswith("parity/driver/"):
        return _QUICKEST_FIRST
    return ("run_job", "run_trial") if "job" in module else ("run_trial", "run_job")


def main(module: str = "") -> int:
    """Ask the operations, and for a module of the driver run its tests; return the exit code."""
    clock = Clock(Clock.DEFAULT)
    with clock.installed():
        for name in operations_for(module):
            for wrong in wrong_answers(OPERATIONS[name], clock):
                print(wrong)
                return 1
    if module.startswith("parity/driver/"):
        asked = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "--noconftest", *_DRIVER_TESTS], check=False
        )
        if asked.returncode:
            print(BY_A_TEST)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
