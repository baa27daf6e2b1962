"""A plugin for runs that record golden vectors: keeps every answer of the wheel as it was given.

`-p tests.self_noise.kept_answers` writes them into the folder that PARITY_KEPT_ANSWERS names, one file a process.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.judging.checking import Checker
from parity.operations import OPERATIONS
from parity.operations.answer_wire import encode_answer
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation
from parity.operations.vectors import VECTORS
from parity.operations.wire import Json, canonical


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[None]:
    """Keep what the tests of this process ask the wheel, and write it when they have run."""
    kept: list[list[Json]] = []
    ask_reference = Checker.ask_reference

    def keep(checker: Checker, operation: Operation[Any], question: Any) -> Answer:
        answer = ask_reference(checker, operation, question)
        if not isinstance(answer, NotClaimed):
            kept.append([operation.name, canonical(operation.encode(question)), encode_answer(answer)])
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checker, "ask_reference", keep)
        result = yield
    file = Path(os.environ["PARITY_KEPT_ANSWERS"], f"{os.getpid()}.json")
    file.write_text(json.dumps(kept), encoding="utf-8")
    return result


def read_kept(folder: Path) -> dict[tuple[str, str], Json]:
    """The answers to golden vectors that such a run has kept, by operation and vector."""
    kept = (each for path in sorted(folder.glob("*.json")) for each in json.loads(path.read_text(encoding="utf-8")))
    answers = {(name, case): answer for name, case, answer in kept}
    places = {
        (name, vector.id): (name, canonical(operation.encode(vector.case)))
        for name, operation in OPERATIONS.items()
        for vector in VECTORS[name]
    }
    return {place: answers[asked] for place, asked in places.items() if asked in answers}
