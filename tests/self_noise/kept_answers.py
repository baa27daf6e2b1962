"""A plugin for runs that ask golden vectors: keeps the answers of the wheel to them as they were given.

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

_KEPT: list[list[Json]] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Keep what a test of golden vectors asks the wheel."""
    if "golden" not in getattr(item, "fixturenames", ()):
        return (yield)
    ask_reference = Checker.ask_reference

    def keep(checker: Checker, operation: Operation[Any], question: Any) -> Answer:
        answer = ask_reference(checker, operation, question)
        if not isinstance(answer, NotClaimed):
            _KEPT.append([operation.name, canonical(operation.encode(question)), encode_answer(answer)])
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checker, "ask_reference", keep)
        return (yield)


def pytest_sessionfinish() -> None:
    """Write it when the tests of this process have run."""
    file = Path(os.environ["PARITY_KEPT_ANSWERS"], f"{os.getpid()}.json")
    file.write_text(json.dumps(_KEPT), encoding="utf-8")


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
