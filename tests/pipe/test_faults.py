"""Tests that each fault of a program affects only its question, and leaves no process.

This holds for questions that are sent one by one, and for several that are in flight.
"""

import re
import shlex
from pathlib import Path

import pytest

from parity.operations.answers import Crash, Value
from parity.operations.goldens import read_vectors
from parity.runners.pipe import PipeRunner
from parity.suite.report.reading import read_report, run_of
from parity.suite.run import answered_vectors
from tests.pipe.processes import marked_environment, processes_with
from tests.pipe.unruly_program import QUICK, WAYS
from tests.running import PYTHON, run_pytest

_COMMAND = f"{PYTHON} -I -S {shlex.quote(str(Path(__file__).with_name('unruly_program.py')))}"
_TIMEOUT = 600.0
"""Seconds to wait for an answer that does arrive."""

_HANGS = {"hang": 0.5, "dribble": 4.0, "chatter-for-ever": 4.0, "ignore-the-end": 0.5, "leave-a-child": 0.5}
"""The time limit in seconds for each way that never answers; longer if the program first has to write something."""

_REASONS = {
    "hang": "it gave no answer within 0.5 s",
    "dribble": "it gave no answer within 4 s, but began one: xxx",
    "chatter-for-ever": "it gave no answer within 4 s; on standard error: ",
    "ignore-the-end": "it gave no answer within 0.5 s",
    "leave-a-child": "it gave no answer within 0.5 s",
    "exit-with-three": "it ended with exit code 3; on standard error: giving | up: no more tokens",
    "die-of-a-signal": "it was ended by SIGKILL",
    "end-in-half-a-line": 'it ended with exit code 0 in the middle of a line: {"id": "',
    "close-the-output": "it closed its standard output",
    "flood": "it wrote more than 16 MiB without the end of a line",
    "garbage": "the line is not JSON (Expecting value: line 1 column 1 (char 0)): warming up the model",
    "earlier-id": "the answer has another id, '",
    "plain-number": "the line has a plain number, 1, where",
}
"""The reported reason for each way to misbehave."""

_LATE = {
    "twice": 'before it was asked, it wrote {"id": "',
    "exit-after": "it ended with exit code 0",
}
"""The reason that is reported at the next question, if the fault can only be noticed then."""


@pytest.mark.parametrize("way", WAYS)
def test_fault_affects_only_one_question(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the question at which the fault is noticed is lost, later questions are answered, and no process is left."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(_COMMAND)

    before, during, after, last = (
        runner.answer("reason_code", (text,), _HANGS.get(text[1:], _TIMEOUT))
        for text in ("before", f"!{way}", "after", "at last")
    )
    runner.close()

    assert (before, last) == (Value("before"), Value("at last"))
    crashed, reason = (during, _REASONS[way]) if way in _REASONS else (after, _LATE.get(way))
    if reason:
        assert isinstance(crashed, Crash)
        assert reason in crashed.reason
        assert crashed.hung == (way in _HANGS)
        assert "flush" not in crashed.reason
    if way not in _REASONS:
        assert during == Value(f"!{way}")
    if way not in _LATE:
        assert after == Value("after")
    assert processes_with(mark) == []


@pytest.mark.parametrize("way", QUICK)
def test_fault_loses_the_same_question_with_several_in_flight(way: str) -> None:
    """With several questions in flight, the same question is lost for the same reason as one by one."""
    texts = ("before", f"!{way}", "after", "at last")
    runner = PipeRunner(f"{_COMMAND} --pipelining")

    outcomes = runner.answers("reason_code", [(text,) for text in texts], _TIMEOUT)
    runner.close()

    lost = {text: outcome for text, outcome in zip(texts, outcomes, strict=True) if outcome != Value(text)}
    assert list(lost) == ([f"!{way}"] if way in _REASONS else ["after"] if way in _LATE else [])
    assert all(_REASONS.get(way, "") in getattr(crash, "reason", "") for crash in lost.values())


def test_hang_ends_the_questions_in_flight() -> None:
    """After a question that takes too long, no further one is answered, but earlier answers are kept."""
    runner = PipeRunner(f"{_COMMAND} --pipelining")

    first, *others = runner.answers("reason_code", [("before",), ("!hang",), ("after",)], 4.0)
    runner.close()

    assert first == Value("before")
    assert [isinstance(each, Crash) and each.hung for each in others] == [True]


def test_faults_do_not_stop_the_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run of the suite ends normally, although the program misbehaves at every third question."""
    mark = marked_environment(monkeypatch)
    suite = ("--pyargs", "parity", "--profile", "quick", "-p", "no:cacheprovider", "-k", "reason_code")

    run = run_pytest(*suite, "--runner-cmd", f"{_COMMAND} --every 3", "--report", "report.json", cwd=tmp_path)

    report = read_report(tmp_path / "report.json")
    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    assert re.search(r"^DIVERGENCE in reason_code \(withholds\): reason-code/", run.stdout, re.MULTILINE)
    assert any(each.runner.startswith("crashed: ") for each in report.divergences)
    assert answered_vectors(run_of(report).counts) == len(read_vectors("reason_code"))
    assert not all(each.runner.startswith(("crashed: ", "malformed answer: ")) for each in report.divergences)
    assert processes_with(mark) == []
