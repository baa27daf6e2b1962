"""A plugin for runs that ask golden vectors: stores the wheel's original answers.

`-p tests.self_noise.kept_answers` writes them into the folder that PARITY_KEPT_ANSWERS names, one file a process.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.judging.checking import Checker
from parity.judging.comparing import left_out
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation, encode_answer
from parity.operations.vectors import VECTORS
from parity.operations.wire import Json, canonical
from parity.runners.asking import ask

_KEPT: list[list[Json]] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Store the wheel's answers in a test of golden vectors."""
    if "golden" not in getattr(item, "fixturenames", ()):
        return (yield)

    def keep(checker: Checker, operation: Operation[Any], question: Any) -> Answer:
        if why := left_out(operation, question):
            return why
        with operation.arguments(question) as arguments:
            answer = ask(checker.reference, operation.name, arguments, checker.clock)
        operation.remember(question, answer)
        if not isinstance(answer, NotClaimed):
            _KEPT.append([operation.name, canonical(operation.encode(question)), encode_answer(answer)])
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checker, "ask_reference", keep)
        return (yield)


def pytest_sessionfinish() -> None:
    """Write the stored answers when the tests of this process have run."""
    file = Path(os.environ["PARITY_KEPT_ANSWERS"], f"{os.getpid()}.json")
    file.write_text(json.dumps(_KEPT), encoding="utf-8")


def read_kept(folder: Path) -> dict[tuple[str, str], Json]:
    """Return the stored answers to golden vectors, by operation and vector."""
    answers = {(name, case): answer for name, case, answer in _kept(folder)}
    places = {
        (name, vector.id): (name, canonical(operation.encode(vector.case)))
        for name, operation in OPERATIONS.items()
        for vector in VECTORS[name]
    }
    return {place: answers[asked] for place, asked in places.items() if asked in answers}


def _kept(folder: Path) -> Iterator[list[Any]]:
    for path in sorted(folder.glob("*.json")):
        yield from json.loads(path.read_text(encoding="utf-8"))
