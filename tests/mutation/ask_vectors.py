"""Asks the clean room the golden vectors of both series; the first wrong answer ends the program with exit code 1.

    python -m tests.mutation.ask_vectors [MODULE]

Cosmic Ray runs this on each mutant, so it imports only what answers, and reads `golden/`. A module of the driver is
asked only about trials and jobs, one of HarborEnv only about rollouts. Then tests of the driver or of HarborEnv run,
because Harbor lacks some of their features. Vectors that need file modes are left out as root.
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

# Without `harbor_env`, which takes as long as all others, and asks for what lies above the scorer and the driver.
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

BY_A_TEST = "by a test"
"""The last line of the output if a test kills the mutant, but no vector."""

_TESTS = {
    "parity/driver/": [f"tests/driver/test_{name}.py" for name in ("copied_mounts", "rewards", "trial", "whole_job")],
    "parity/harbor_env/": [
        f"tests/harbor_env/test_{name}.py"
        for name in ("scoring", "constructor", "evaluation", "infrastructure", "hostile", "fault_table")
    ],
}
"""The tests that run on a mutant that no vector kills, by directory of its module."""


def wrong_answers(operation: Operation[Any], clock: Clock) -> Iterator[str]:
    """Yield the id and the series of each vector to which the clean room does not give the recorded answer."""
    vectors = read_vectors(operation.name)
    for series in Series:
        runner = CleanRoom(series)
        runner.load(operation.name)
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
    if module.startswith("parity/harbor_env/"):
        return ("harbor_env",)
    if not module.startswith("parity/driver/"):
        return _QUICKEST_FIRST
    return ("run_job", "run_trial") if "job" in module else ("run_trial", "run_job")


def main(module: str = "") -> int:
    """Ask the operations, and run the tests that `_TESTS` has for the module; return the exit code."""
    clock = Clock(Clock.DEFAULT)
    with clock.installed():
        for name in operations_for(module):
            for wrong in wrong_answers(OPERATIONS[name], clock):
                print(wrong)
                return 1
    tests = next((tests for start, tests in _TESTS.items() if module.startswith(start)), [])
    if not tests:
        return 0
    asked = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *tests], check=False)
    if asked.returncode:
        print(BY_A_TEST)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
