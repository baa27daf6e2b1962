"""Several questions in flight get the same verdicts as one by one."""

from pathlib import Path

import pytest

from parity.operations.answers import Answer, Crash, Value
from parity.operations.read_reward import READ_REWARD, only_json, only_text
from parity.runners.asking import Clock, ask_several
from parity.runners.pipe import PipeRunner
from tests.pipe.test_faults import COMMAND, HANGS, LATE, SHOWS, TIMEOUT
from tests.pipe.unruly_program import WAYS
from tests.running import PYTHON

_ROOT = Path(__file__).resolve().parents[2]
_UNRULY = f"{COMMAND} --pipelining"
_HANG_SECONDS = 4.0
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


def _program(folder: Path, body: str, *, pipelining: bool = True) -> str:
    """Return the command of a program that processes all questions that it has read at once in this way."""
    path = folder / "reader.py"
    path.write_text(_PROGRAM.replace("PIPELINING", str(pipelining)).replace("BODY", body))
    return f"{PYTHON} -I -S {path}"


def _answers(command: str, *texts: str, seconds: float = TIMEOUT) -> list[Answer]:
    runner = PipeRunner(command)
    answers = runner.answers("reason_code", [(text,) for text in texts], seconds)
    runner.close()
    return answers


@pytest.mark.parametrize("way", sorted(WAYS.keys() - HANGS.keys()))
def test_a_fault_costs_its_question(way: str) -> None:
    """Among questions in flight, the same question is lost for the same reason as one by one."""
    outcomes = _answers(_UNRULY, "before", f"!{way}", "after", "at last")

    lost = 1 if way in SHOWS else 2 if way in LATE else None
    expected = [Value("before"), Value(f"!{way}"), Value("after"), Value("at last")]
    assert [each for each in range(4) if outcomes[each] != expected[each]] == [lost] * (lost is not None)
    if way in SHOWS:
        assert isinstance(outcomes[1], Crash)
        assert SHOWS[way] in outcomes[1].reason


@pytest.mark.parametrize("way", ["hang", "dribble"])
def test_a_hang_ends_the_questions(way: str) -> None:
    """After a question that takes too long, no further one is answered; earlier answers count."""
    outcomes = _answers(_UNRULY, "before", f"!{way}", "after", seconds=_HANG_SECONDS)

    assert outcomes[0] == Value("before")
    assert isinstance(outcomes[1], Crash)
    assert outcomes[1].hung
    assert len(outcomes) == 2


def test_reading_ahead(tmp_path: Path) -> None:
    """A program that reads ahead and dies of a later question loses only that question."""
    body = "'bad' in texts and sys.exit(3); [say(*pair) for pair in zip(questions, texts)]"

    outcomes = _answers(_program(tmp_path, body), "a", "b", "bad", "c", "d")

    assert outcomes[:2] + outcomes[3:] == [Value("a"), Value("b"), Value("c"), Value("d")]
    assert isinstance(outcomes[2], Crash)
    assert outcomes[2].reason == "it ended with exit code 3"


def test_out_of_order(tmp_path: Path) -> None:
    """Answers in the wrong order count as a crash, although the program answers correctly one by one."""
    body = "[say(*pair) for pair in list(zip(questions, texts))[::-1]]"

    outcomes = _answers(_program(tmp_path, body), "a", "b", "c")

    assert isinstance(outcomes[0], Crash)
    assert "the answer has the id" in outcomes[0].reason
    assert outcomes[0].reason.endswith("(with further questions in flight; asked one by one, it answered all of them)")
    assert outcomes[1:] == [Value("b"), Value("c")]


@pytest.mark.parametrize("pipelining", [True, False])
def test_how_many_are_in_flight(pipelining: bool, tmp_path: Path) -> None:
    """All questions are sent at once to a program that supports it, and one by one to others."""
    body = "[say(question, str(len(questions))) for question in questions]"

    outcomes = _answers(_program(tmp_path, body, pipelining=pipelining), *"abc")

    assert outcomes == [Value("3" if pipelining else "1")] * 3


def test_more_than_the_pipe_holds(tmp_path: Path) -> None:
    """Questions and answers that fill the pipe in both directions do not block each other."""
    body = "[say(*pair) for pair in zip(questions, texts)]"
    texts = [str(number) * 50_000 for number in range(40)]

    outcomes = _answers(_program(tmp_path, body), *texts)

    assert outcomes == [Value(text) for text in texts]


def test_each_has_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question has its own files, so a runner that changes those of one question affects no other."""
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    runner = PipeRunner(f"{PYTHON} -m parity serve tests.faulty.unruly:Litters")

    with READ_REWARD.arguments(only_json(b'{"a": 1}')) as one, READ_REWARD.arguments(only_text(b"0.5")) as another:
        answers = ask_several(runner, READ_REWARD, [one, another], Clock(TIMEOUT))
    runner.close()

    assert answers == [Value({"a": 1.0}), Value({"reward": 0.5})]
