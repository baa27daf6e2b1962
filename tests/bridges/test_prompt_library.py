"""prompt-library over the pipe: it takes one finite number, from reward.json first, and null if there is none."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.operations.answers import Value
from parity.runners.pipe import PipeRunner
from tests.bridges.asking import answers

_PROGRAM = Path(__file__).parents[2] / "parity" / "runners" / "bridges" / "prompt_library.mjs"


class _Program:
    """The program, with the interface of a bridge in Python."""

    def __init__(self) -> None:
        self.pipe = PipeRunner(f"node {shlex.quote(str(_PROGRAM))}")

    def read_reward(self, directory: Path) -> object:
        answer = self.pipe.answer("read_reward", (directory,), 60)
        assert isinstance(answer, Value)
        return answer.value


@pytest.fixture
def bridge() -> Iterator[_Program]:
    """Yield the running program, and end it afterwards."""
    program = _Program()
    yield program
    assert program.pipe.close() is None


def test_known_answers(bridge: _Program) -> None:
    """The program gives the answers that the checkout was observed to give."""
    answered = answers(bridge)

    assert answered == {
        "json_and_txt": "{'reward': 0.25}",
        "nothing": "None",
        "empty": "None",
        "true": "None",
        "quoted": "None",
        "nan": "None",
        "list": "{'reward': 1.0}",
        "null": "None",
        "no_reward_key": "None",
    }
