"""Tests that several questions can be in flight at once."""

from pathlib import Path
from typing import Any

import pytest

from parity.operations.answers import Answer, Crash, NotClaimed, Value
from parity.operations.read_reward import READ_REWARD, only_json, only_text
from parity.runners.asking import Clock, ask_several
from parity.runners.pipe import PipeRunner
from tests.running import PYTHON

_ROOT = Path(__file__).resolve().parents[2]
_TIMEOUT = 600.0
_PROGRAM = """
import json, os, select, sys
HELLO = {"name": "reader", "operations": ["reason_code"], "pipelining": PIPELINING}
rest = b""
def read():
    global rest
    chunk = os.read(0, 65536)
    chunk or sys.exit()
    rest += chunk
    *lines, rest = rest.split(b"\\n")
    return [json.loads(line) for line in lines]
def say(question, value):
    os.write(1, json.dumps({"id": question["id"], "value": value}).encode() + b"\\n")
read()
os.write(1, json.dumps({"hello": HELLO}).encode() + b"\\n")
while True:
    questions = read()
    texts = [question["input"]["text"] for question in questions]
    BODY
"""


def _answers(directory: Path, body: str, *texts: str, pipelining: bool = True) -> list[Answer]:
    """Return the answers of a program that runs this code for all questions that it has read at once."""
    path = directory / "reader.py"
    path.write_text(_PROGRAM.replace("PIPELINING", str(pipelining)).replace("BODY", body))
    runner = PipeRunner(f"{PYTHON} -I -S {path}")
    answers = runner.answers("reason_code", [(text,) for text in texts], _TIMEOUT)
    runner.close()
    return answers


def test_program_that_reads_ahead_loses_one_question(tmp_path: Path) -> None:
    """A program that reads ahead and dies at a question loses only that question."""
    body = "'bad' in texts and sys.exit(3); [say(*pair) for pair in zip(questions, texts)]"

    outcomes = _answers(tmp_path, body, "a", "b", "bad", "c", "d")

    died = Crash("it ended with exit code 3")
    assert outcomes == [Value("a"), Value("b"), died, Value("c"), Value("d")]


@pytest.mark.parametrize("pipelining", [True, False])
def test_question_without_a_wire_form_is_not_claimed(pipelining: bool, tmp_path: Path) -> None:
    """A question that cannot be written as JSON is not sent, and the others are answered."""
    unwritable: Any = object()

    outcomes = _answers(
        tmp_path,
        "[say(*pair) for pair in zip(questions, texts)]",
        unwritable,
        "a",
        unwritable,
        "b",
        pipelining=pipelining,
    )

    reason = "the question has no form on the wire (WireError: object has no form on the wire)"
    assert outcomes == [NotClaimed(reason), Value("a"), NotClaimed(reason), Value("b")]


def test_program_is_not_lost_by_a_question_without_a_wire_form(tmp_path: Path) -> None:
    """If no question can be sent, the program is neither asked nor ended."""
    unwritable: Any = object()

    outcomes = _answers(tmp_path, "sys.exit(3)", unwritable, unwritable)

    assert [type(outcome) for outcome in outcomes] == [NotClaimed, NotClaimed]


def test_answers_out_of_order_are_a_crash(tmp_path: Path) -> None:
    """Answers in the wrong order are reported as a crash, even if the program answers correctly one by one."""
    body = "[say(*pair) for pair in list(zip(questions, texts))[::-1]]"

    outcomes = _answers(tmp_path, body, "a", "b", "c")

    assert isinstance(outcomes[0], Crash)
    assert "the answer has another id, '" in outcomes[0].reason
    assert outcomes[0].reason.endswith("(with further questions in flight; asked one by one, it answered all of them)")
    assert outcomes[1:] == [Value("b"), Value("c")]


@pytest.mark.parametrize("pipelining", [True, False])
def test_questions_are_sent_at_once_only_if_supported(pipelining: bool, tmp_path: Path) -> None:
    """If the program's hello supports it, all questions are sent at once, and otherwise one by one."""
    body = "[say(question, str(len(questions))) for question in questions]"

    outcomes = _answers(tmp_path, body, *"abc", pipelining=pipelining)

    assert outcomes == [Value("3" if pipelining else "1")] * 3


def test_full_pipes_do_not_block(tmp_path: Path) -> None:
    """Questions and answers that fill the pipes in both directions do not block each other."""
    texts = [str(number) * 50_000 for number in range(40)]

    outcomes = _answers(tmp_path, "[say(*pair) for pair in zip(questions, texts)]", *texts)

    assert outcomes == [Value(text) for text in texts]


def test_each_question_has_its_own_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a runner changes the files of one question, no other question is affected."""
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    runner = PipeRunner(f"{PYTHON} -m parity serve tests.faulty.unruly:Litters")

    with READ_REWARD.arguments(only_json(b'{"a": 1}')) as one, READ_REWARD.arguments(only_text(b"0.5")) as another:
        answers = ask_several(runner, READ_REWARD.name, [one, another], Clock(_TIMEOUT))
    runner.close()

    assert answers == [Value({"a": 1.0}), Value({"reward": 0.5})]
