"""The questions and answers that PROTOCOL.md shows are those of golden vectors, and of `parity serve`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import parity
from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
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
_TRANSCRIPTS = {found["operation"]: found for found in _SHOWN.finditer(_DOCUMENT.read_text(encoding="utf-8"))}


def test_each_operation_is_shown() -> None:
    """There is one question of each operation."""
    assert list(_TRANSCRIPTS) == list(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_transcript_is_true(name: str, tmp_path: Path) -> None:
    """The question is the vector's, and `parity serve` answers it as shown and as recorded."""
    operation, shown = OPERATIONS[name], _TRANSCRIPTS[name]
    (vector,) = (each for each in read_vectors(name) if each.id == shown["vector"])
    question = json.loads(_joined(shown["question"]))

    with operation.arguments(vector.case) as arguments:
        sent: Any = operation.question(*arguments)
        typed = json.dumps({**question, "input": sent})
        run = run_parity("serve", "clean-room", cwd=tmp_path, typed=f"{hello_line(OFFICIAL).decode()}\n{typed}\n")

    answer = json.loads(run.stdout.splitlines()[1])
    pattern = ".*".join(map(re.escape, _joined(shown["answer"]).split("…")))
    assert operation.path_member or json.dumps(question["input"]) == json.dumps(sent)
    assert set(question["input"]) == set(sent)
    assert question["operation"] == name
    assert re.fullmatch(pattern, json.dumps(answer))
    answered = decode_answer(operation, {key: answer[key] for key in answer if key != "id"})
    recorded = vector.answer(OFFICIAL)
    assert recorded is not None
    assert operation.compare(vector.case, recorded, answered) is None


def _joined(lines: str) -> str:
    return re.sub(r"\n +", " ", lines)
