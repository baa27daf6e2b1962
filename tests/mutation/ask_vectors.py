"""Asks the scorer and the driver the golden vectors of both series; the first wrong answer ends it with exit code 1.

    python -m tests.mutation.ask_vectors

Cosmic Ray runs this on each mutant, so it imports what answers, reads `golden/` and does nothing else.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer
from parity.operations.goldens import golden_folder, recorded_answer
from parity.operations.operation import Operation
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask
from parity.scorer import Series

# `harbor_env` is left out: it takes as long as all others, and asks for what lies above the scorer and the driver.
QUICKEST_FIRST = (
    "reason_code",
    "pass_at_k",
    "aggregate",
    "trial_reward",
    "outcome",
    "job_stats",
    "read_reward",
    "run_job",
    "run_trial",
)


def wrong_answers(operation: Operation[Any], clock: Clock) -> Iterator[str]:
    """Ids of vectors that the clean room answers otherwise than was recorded, each with its series."""
    golden = json.loads((golden_folder() / f"{operation.name}.json").read_text(encoding="utf-8"))
    for series in Series:
        runner = CleanRoom(series)
        for vector in golden["vectors"]:
            case, recorded = operation.decode(vector["input"]), recorded_answer(vector, series)
            with operation.arguments(case) as arguments:
                answer = ask(runner, operation.name, arguments, clock)
            if operation.compare(case, decode_answer(operation, recorded), answer):
                yield f"{vector['id']} as series {series}"


def main() -> int:
    """Ask the operations, the quickest first."""
    clock = Clock(Clock.DEFAULT)
    with clock.installed():
        for name in QUICKEST_FIRST:
            for wrong in wrong_answers(OPERATIONS[name], clock):
                print(wrong)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
