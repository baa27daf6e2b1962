"""Faults of the protocol: each affects only its question, and leaves no process."""

import py_compile
import random
import re
import shlex
from pathlib import Path

import pytest

from parity.operations.answers import Answer, Crash, Value
from parity.operations.goldens import read_vectors
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.runners.pipe import PipeRunner
from parity.suite.report.reading import read_report
from parity.suite.vector_answers import digits
from tests.pipe.processes import marked_environment, processes_with
from tests.pipe.unruly_program import WAYS
from tests.running import PYTHON, run_pytest

PROGRAM = Path(__file__).with_name("unruly_program.py")
COMMAND = f"{PYTHON} -I -S {shlex.quote(py_compile.compile(str(PROGRAM)) or '')}"
TIMEOUT = 600.0
"""The time limit of answers that do come, in seconds."""

HANGS = {
    "hang": 0.25,
    "hang-in-half-a-line": 4.0,
    "dribble": 4.0,
    "chatter-for-ever": 4.0,
    "ignore-the-end": 0.25,
    "leave-a-child": 0.25,
}
"""The time limits of ways that never answer, in seconds; longer if the program first has to write something."""

FLUSH = "; does it flush after every line?"
"""The hint about a program that has not answered since its start."""

SHOWS = {
    "hang": "it gave no answer within 0.25 s",
    "hang-in-half-a-line": 'it gave no answer within 4 s, but began one: {"id": "',
    "dribble": "it gave no answer within 4 s, but began one: xxx",
    "chatter-for-ever": "it gave no answer within 4 s; on standard error: ",
    "ignore-the-end": "it gave no answer within 0.25 s",
    "leave-a-child": "it gave no answer within 0.25 s",
    "exit-with-three": "it ended with exit code 3; on standard error: giving | up: no more tokens",
    "die-of-a-signal": "it was ended by SIGKILL",
    "end-in-half-a-line": 'it ended with exit code 0 in the middle of a line: {"id": "',
    "close-the-output": "it closed its standard output",
    "raise-an-error": "RuntimeError: a bug of my own",
    "flood": "it wrote more than 16 MiB without the end of a line",
    "long-line": "it wrote more than 16 MiB without the end of a line",
    "garbage": "the line is not JSON (Expecting value: line 1 column 1 (char 0)): warming up the model",
    "empty-line": "the line is empty: ''",
    "not-utf8": "the line is not UTF-8 (byte ",
    "utf16": "the line is not UTF-8 (byte 1)",
    "an-array": "the line is not a JSON object",
    "a-text": "the line is not a JSON object",
    "null": "the line is not a JSON object: null",
    "no-id": "the answer has no id",
    "wrong-id": "the answer has the id '0', not '",
    "id-as-number": 'the id is no text: write "id": "',
    "earlier-id": "the answer has the id '",
    "two-lines-joined": "the line is not JSON (Extra data",
    "trailing-comma": "the line is not JSON (",
    "too-deep": "the line is nested too deeply",
    "hello-again": "the answer has no id",
    "nothing-said": "the answer has none of value, fault, unsupported",
    "value-and-fault": "the answer has value and fault",
    "unknown-member": "the answer has a member 'score' that the protocol does not know",
    "same-member-twice": "the line has an object with two members 'value'",
    "plain-int": "the line has a plain number, 1, where",
    "plain-float": "the line has a plain number, 0.5, where",
    "nan-literal": "the line has a plain number, NaN, where",
    "short-hex": "f64 takes sixteen hex digits in lower case, not '3ff0'",
    "upper-case-hex": "f64 takes sixteen hex digits in lower case, not '3FF0000000000000'",
    "padded-int": "int takes decimal digits without leading zeros, not '007'",
    "endless-int": "int takes at most 100,000 digits, not 200,000",
    "fault-as-text": "the fault is not",
    "fault-without-kind": "the fault is not",
    "fault-of-no-kind": "the fault is not",
    "fault-with-more": "the fault is not",
    "unsupported-true": "the unsupported is not a text",
}
"""The reported reason for each way to misbehave."""

LATE = {
    "twice": 'before it was asked, it wrote {"id": "',
    "more-than-asked": 'before it was asked, it wrote {"id": "999999"',
    "debug-after": "before it was asked, it wrote DEBUG: done",
    "exit-after": "it ended with exit code 0",
}
"""The reported reason at the next question, for ways that only the next question reveals."""

FINE = {"chatter"}
COSTLY = [*HANGS, "close-the-output", "flood", "long-line"]


def ask(runner: PipeRunner, text: str) -> Answer:
    """Return the answer to one text; a way that hangs has a short time limit."""
    return runner.answer("reason_code", (text,), HANGS.get(text[1:], TIMEOUT))


def test_every_way_is_expected() -> None:
    """Every way to misbehave is tested below."""
    assert WAYS.keys() == SHOWS.keys() | LATE.keys() | FINE


@pytest.mark.parametrize("way", WAYS)
def test_a_fault_costs_its_question(way: str) -> None:
    """A fault costs its question, or the next one if only that reveals it, and the following answers are right."""
    runner = PipeRunner(COMMAND)

    outcomes = [ask(runner, text) for text in ("before", f"!{way}", "after", "at last")]
    runner.close()

    assert (outcomes[0], outcomes[3]) == (Value("before"), Value("at last"))
    if way in SHOWS:
        assert isinstance(outcomes[1], Crash)
        assert SHOWS[way] in outcomes[1].reason
        assert outcomes[1].hung == (way in HANGS)
        assert "flush" not in outcomes[1].reason
        assert outcomes[2] == Value("after")
    else:
        assert outcomes[1] == Value(f"!{way}")
    if way in LATE:
        assert isinstance(outcomes[2], Crash)
        assert LATE[way] in outcomes[2].reason


def test_a_thousand_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among a thousand faults in random order, every question gets its right verdict, and no process is left."""
    mark = marked_environment(monkeypatch)
    drawn = random.Random(20251122)
    faults = [way for way in WAYS if way not in {*COSTLY, *FINE}]
    ways = [*COSTLY, *drawn.choices(faults, k=1000 - len(COSTLY))]
    drawn.shuffle(ways)
    runner = PipeRunner(COMMAND)

    wrong = []
    spoiled = ""
    for number, way in enumerate(ways):
        plain = ask(runner, f"text {number}")
        if not _is_right(plain, f"text {number}", LATE.get(spoiled)):
            wrong.append((number, spoiled, plain))
        answer = ask(runner, f"!{way}")
        if not _is_right(answer, f"!{way}", SHOWS.get(way)):
            wrong.append((number, way, answer))
        spoiled = way
    complaint = runner.close()

    assert wrong == []
    assert len(set(ways)) > 40
    assert (complaint is None) == (ways[-1] not in LATE)
    assert processes_with(mark) == []


def test_no_fault_ends_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run of the suite ends normally, although the program misbehaves at every third question."""
    mark = marked_environment(monkeypatch)
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider", "-k", "reason_code")

    run = run_pytest(*suite, "--runner-cmd", f"{COMMAND} --every 3", "--report", "report.json", cwd=tmp_path)

    report = read_report(tmp_path / "report.json")
    answers = list(report.answers["reason_code"].values())
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    assert re.search(r"^reason_code +\d+ +\d+ +\d+  diverges", run.stdout, re.MULTILINE)
    assert re.search(r"^DIVERGENCE in reason_code \(withholds\): reason-code/", run.stdout, re.MULTILINE)
    assert any(each.runner.startswith("crashed: ") for each in report.divergences)
    assert len(answers) == len(read_vectors("reason_code"))
    assert 30 < answers.count(digits(REASON_CODE, ErrorText(None), Crash("whatever"))) < 60
    assert processes_with(mark) == []


def _is_right(answer: Answer, text: str, reason: str | None) -> bool:
    if reason is None:
        return answer == Value(text)
    return isinstance(answer, Crash) and reason in answer.reason.replace(FLUSH, "", 1)
