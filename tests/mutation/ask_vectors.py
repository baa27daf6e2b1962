"""Runs the clean room on the golden vectors in each interpreter series, until the first wrong answer.

    python -m tests.mutation.ask_vectors [MODULE]

A wrong answer ends the program with exit code 1. Cosmic Ray runs the program for each mutant, so it imports only the
clean room, and reads the expected answers from `golden/`. A mutated module is run only on the vectors that reach it,
such as those of rollouts for one in `harbor_env`. Then tests of the driver, of HarborEnv, of the formats or of the
commands on a job's directory run, because no vector covers features that Harbor lacks. For root, vectors that need file
modes are left out.
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

# `harbor_env` is left out: it takes as long as all others together, and mostly runs code above the scorer and driver.
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

_OPERATIONS = {
    "parity/harbor_env/": ("harbor_env",),
    "parity/driver/job": ("run_job", "run_trial"),
    "parity/driver/": ("run_trial", "run_job"),
    "parity/formats/": ("trial_score", "run_trial", "run_job"),
    "parity/scorer/job_directory/": ("trial_score", "run_job"),
}
"""The operations whose vectors reach a mutated module, by how its path begins; all but `harbor_env` for the others."""

BY_A_TEST = "by a test"
"""The last line of the output if a test kills the mutant, but no golden vector."""

TESTS = {
    "parity/driver/": [
        f"tests/driver/test_{name}.py" for name in ("copied_mounts", "reward_limits", "trial_plan", "whole_job")
    ],
    "parity/formats/": ["tests/formats", "tests/driver/test_models.py"],
    "parity/scorer/job_directory/": [
        f"tests/score/test_{name}.py"
        for name in ("verdicts", "bad_files", "diff", "directories", "drawn_jobs", "orders", "wrong_types")
    ],
    "parity/harbor_env/": [
        f"tests/harbor_env/test_{name}.py"
        for name in ("scoring", "constructor", "evaluation", "infrastructure", "hostile", "fault_table", "subclasses")
    ],
}
"""The tests that run if no golden vector kills a mutant, by the directory of the mutated module."""


def wrong_answers(operation: Operation[Any], clock: Clock) -> Iterator[str]:
    """Yield the id and the series of each vector for which the clean room does not return the recorded answer."""
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
    """Return the operations to run for a mutated module; those that kill mutants most quickly come first."""
    return next((names for start, names in _OPERATIONS.items() if module.startswith(start)), _QUICKEST_FIRST)


def main(module: str = "") -> int:
    """Run the golden vectors and the tests for a mutated module, and return the exit code."""
    clock = Clock(Clock.DEFAULT)
    with clock.installed():
        for name in operations_for(module):
            for wrong in wrong_answers(OPERATIONS[name], clock):
                print(wrong)
                return 1
    tests = next((tests for start, tests in TESTS.items() if module.startswith(start)), [])
    if not tests:
        return 0
    asked = subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *tests], check=False)
    if asked.returncode:
        print(BY_A_TEST)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
