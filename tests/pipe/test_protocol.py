"""Tests that PROTOCOL.md shows the questions and answers of golden vectors, and that `parity serve` gives them."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import parity
from parity.operations import OPERATIONS
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import decode_answer
from parity.runners.pipe.messages import hello_line
from parity.scorer import OFFICIAL
from tests.running import run_parity

_SHOWN = re.compile(
    r"^`(?P<operation>\w+)`: vector `(?P<vector>[^`]+)`\n\n(?:[^`\n][^\n]*\n\n)?"
    r"```\n-> (?P<question>.*?)\n<- (?P<answer>.*?)\n```$",
    re.DOTALL | re.MULTILINE,
)
_DOCUMENT = Path(parity.__file__).parent / "runners" / "pipe" / "PROTOCOL.md"
_TRANSCRIPTS = {match["operation"]: match for match in _SHOWN.finditer(_DOCUMENT.read_text(encoding="utf-8"))}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return `parity serve`'s answer for each operation, asked with the input of the vector shown in PROTOCOL.md."""
    typed = [hello_line(OFFICIAL).decode()]
    with ExitStack() as stack:
        for name in OPERATIONS:
            operation = OPERATIONS[name]
            arguments = stack.enter_context(operation.arguments(_vector(name).case))
            question = json.loads(_joined(_TRANSCRIPTS[name]["question"]))
            typed.append(json.dumps({**question, "input": operation.question(*arguments)}))
        directory = tmp_path_factory.mktemp("serve")
        run = run_parity("serve", "clean-room", cwd=directory, typed="".join(f"{line}\n" for line in typed))
    return dict(zip(OPERATIONS, map(json.loads, run.stdout.splitlines()[1:]), strict=True))


@pytest.mark.parametrize("name", OPERATIONS)
def test_shown_question_matches_its_vector(name: str) -> None:
    """A shown question has the vector's input; if the input is files, the question has a path."""
    question = json.loads(_joined(_TRANSCRIPTS[name]["question"]))

    with OPERATIONS[name].arguments(_vector(name).case) as arguments:
        sent: Any = OPERATIONS[name].question(*arguments)

    assert question["operation"] == name
    assert question["input"].keys() == sent.keys()
    assert OPERATIONS[name].path_member or json.dumps(question["input"]) == json.dumps(sent)


@pytest.mark.parametrize("name", OPERATIONS)
def test_documented_answer_is_that_of_serve_and_of_the_vector(name: str, answers: dict[str, dict[str, Any]]) -> None:
    """`parity serve` gives the shown answer, which is also the recorded one."""
    vector, answer = _vector(name), answers[name]
    answered = decode_answer(OPERATIONS[name], {key: answer[key] for key in answer if key != "id"})
    recorded = vector.answer(OFFICIAL)

    pattern = ".*".join(map(re.escape, _joined(_TRANSCRIPTS[name]["answer"]).split("…")))
    assert re.fullmatch(pattern, json.dumps(answer))
    assert recorded is not None
    assert OPERATIONS[name].compare(vector.case, recorded, answered) is None


def _vector(name: str) -> Vector:
    (vector,) = (each for each in read_vectors(name) if each.id == _TRANSCRIPTS[name]["vector"])
    return vector


def _joined(lines: str) -> str:
    return re.sub(r"\n +", " ", lines)
