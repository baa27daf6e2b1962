"""All answers of the reference to the golden vectors, by bits, with their keys in the original order.

`python -m tests.self_noise.answers FILE` records them in the present environment.
"""

import json
import sys
from pathlib import Path

from parity.operations import OPERATIONS
from parity.operations.answers import NotClaimed
from parity.operations.operation import encode_answer
from parity.operations.vectors import VECTORS
from parity.operations.wire import Json
from parity.reference import load_for, open_reference
from parity.runners.asking import ask


def answers() -> dict[str, dict[str, Json]]:
    """Return the answers by operation and vector, without those that the reference cannot give here."""
    authorities = open_reference().authorities
    by_operation: dict[str, dict[str, Json]] = {}
    for name, operation in OPERATIONS.items():
        load_for(name)
        by_operation[name] = {}
        for vector in VECTORS[name]:
            with operation.arguments(vector.case) as arguments:
                answer = ask(authorities, name, arguments)
            if not isinstance(answer, NotClaimed):
                by_operation[name][vector.id] = encode_answer(answer)
    return by_operation


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(answers()), encoding="utf-8")
