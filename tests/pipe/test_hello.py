"""Tests for the hello of a program: an invalid one is reported in one line, and a restart must repeat the first one."""

import json
from pathlib import Path

import pytest

from parity.operations.answers import Crash, Value
from parity.runners.pipe import PipeError, PipeRunner
from parity.scorer.series import Series
from tests.pipe.processes import marked_environment, processes_with
from tests.running import PYTHON

_PROGRAM = """
import json, os, pathlib, sys
starts = pathlib.Path(sys.argv[1])
start = len(starts.read_text()) if starts.exists() else 0
starts.write_text("x" * (start + 1))
hello = json.loads(sys.argv[2])[start:] or [None]
if hello[0] is None:
    sys.exit("no more licences")
greeting = json.loads(sys.stdin.readline())
print(json.dumps({"hello": hello[0]}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    text = question["input"]["text"]
    if text == "die":
        sys.exit(1)
    print(json.dumps({"id": question["id"], "value": text and greeting["hello"][text]}), flush=True)
"""
_GOOD = {"name": "starter", "version": "2", "operations": ["reason_code"]}


@pytest.fixture
def program(tmp_path: Path) -> str:
    """Return the beginning of a command; `starting` adds the hellos, one for each start of the program."""
    path = tmp_path / "program.py"
    path.write_text(_PROGRAM)
    return f"{PYTHON} -I -S {path} {tmp_path / 'starts'}"


def starting(program: str, *hellos: object) -> str:
    """Return the command of a program that sends these hellos, one for each start."""
    return f"{program} '{json.dumps(hellos)}'"


def test_kit_sends_the_first_hello(program: str) -> None:
    """The kit's hello states the protocol, the reference and the interpreter series."""
    runner = PipeRunner(starting(program, _GOOD), Series.PY314)

    answers = [runner.answer("reason_code", (text,), 60) for text in ("reference", "interpreter")]
    runner.close()

    assert (runner.name, runner.version, runner.language) == ("starter 2", "2", None)
    assert answers == [Value("harbor==0.13.1"), Value("3.14")]


def test_program_without_a_valid_hello_is_refused(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without a valid hello is refused in one line and ended."""
    mark = marked_environment(monkeypatch)

    with pytest.raises(PipeError) as refused:
        PipeRunner(starting(program, {"name": "a", "operations": []}))

    assert "the hello lists no operations" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert processes_with(mark) == []


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("", "the command line is empty; name a program"),
        ("node 'runner.mjs", '"node \'runner.mjs" is not a command line: no closing quotation; close the quote'),
        ("a \\", "'a \\\\' is not a command line: no escaped character; double the backslash"),
        ("'' x", "\"'' x\" begins with an empty name; name a program"),
        ("/nowhere/runner", "/nowhere/runner: no such program"),
        ("~/runner", "~/runner: no such program; no shell is involved, so for ~, $VAR or && use sh -c '…'"),
        ("MODE=1 ./runner", "MODE=1: no such program; no shell is involved"),
        ("true\n--now", "true\\n--now: no hello: it ended with exit code 0"),
        ("a\0b", "a\\x00b: cannot be started: embedded null byte"),
        ("/etc", "/etc: it is a directory; name a program in it"),
        ("/etc/passwd", "/etc/passwd: it may not be executed; chmod +x it, or name its interpreter first"),
        ("true", "true: no hello: it ended with exit code 0"),
        ("echo hi", "echo hi: the line is not JSON"),
    ],
)
def test_command_without_a_hello_is_refused(command: str, complaint: str) -> None:
    """A command that cannot be started, or sends no hello, is refused in one line."""
    with pytest.raises(PipeError) as refused:
        PipeRunner(command)

    assert str(refused.value).startswith(complaint)
    assert "\n" not in str(refused.value)


def test_missing_interpreter_is_reported(tmp_path: Path) -> None:
    """The message for a script with a missing interpreter differs from that for a missing script."""
    script = tmp_path / "runner"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)

    with pytest.raises(PipeError) as refused:
        PipeRunner(str(script))

    assert str(refused.value) == f"{script}: the interpreter in its first line is missing"


def test_silent_program_is_ended() -> None:
    """A program that writes nothing is ended after a time limit."""
    with pytest.raises(PipeError, match=r"no hello: it gave no answer within 0\.2 s; does it flush after every"):
        PipeRunner("sleep 3600", start_seconds=0.2)


def test_program_with_a_changed_hello_is_not_asked_again(program: str) -> None:
    """A program that sends another hello after a restart gets no further questions."""
    runner = PipeRunner(starting(program, _GOOD, {**_GOOD, "name": "other"}))

    lost, answer = (runner.answer("reason_code", (text,), 60) for text in ("die", "reference"))
    runner.close()

    assert isinstance(lost, Crash)
    another = "it was lost, and gave another hello after its restart: other 2 (language not given) with reason_code"
    assert answer == Crash(another)


def test_order_of_operations_may_change_after_a_restart(program: str) -> None:
    """After a restart, a program may list its operations in another order."""
    hello = {**_GOOD, "operations": ["reason_code", "aggregate"]}
    runner = PipeRunner(starting(program, hello, {**hello, "operations": ["aggregate", "reason_code"]}))

    answers = [runner.answer("reason_code", (text,), 60) for text in ("die", "reference")]
    runner.close()

    assert answers[1] == Value("harbor==0.13.1")


def test_failing_program_is_started_at_most_four_times(program: str) -> None:
    """A program that fails at its hello is restarted three times, and then never again."""
    runner = PipeRunner(starting(program, _GOOD))

    answers = [runner.answer("reason_code", (text,), 60) for text in ("die", "1", "2", "3", "4")]
    runner.close()

    reasons = [answer.reason for answer in answers if isinstance(answer, Crash)]
    again = "it was lost, and did not start again: it ended with exit code 1; on standard error: no more licences"
    assert reasons == [
        "it ended with exit code 1",
        *[again] * 3,
        "it was lost, and did not start again in 3 attempts",
    ]


def test_successful_start_resets_the_count(program: str) -> None:
    """Only consecutive failed starts are counted."""
    runner = PipeRunner(starting(program, _GOOD, {**_GOOD, "name": "x"}, _GOOD, {**_GOOD, "name": "x"}, _GOOD))

    answers = [runner.answer("reason_code", (text,), 60) for text in ("die", None, None, "die", None, None)]
    runner.close()

    assert [isinstance(answer, Crash) for answer in answers] == [True, True, False, True, True, False]


def test_question_longer_than_the_pipe_has_a_time_limit(program: str) -> None:
    """A program that does not read a question that is longer than the pipe's buffer is ended at the time limit."""
    deaf = f"""{PYTHON} -c "import time; print('{{\\"hello\\": {{\\"name\\": \\"deaf\\", """
    deaf += """\\"operations\\": [\\"reason_code\\"]}}', flush=True); time.sleep(3600)" """
    runner = PipeRunner(deaf)

    answer = runner.answer("reason_code", ("x" * 1_000_000,), 0.3)
    runner.close()

    assert answer == Crash("it gave no answer within 0.3 s; does it flush after every line?", hung=True)


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("while read line; do :; done", None),
        (
            "while read line; do :; done; echo bye",
            "after its last answer it wrote bye, which answers no question",
        ),
    ],
)
def test_program_must_end_when_its_input_ends(program: str, complaint: str | None) -> None:
    """When its input ends, a program must end and write nothing more."""
    hello = json.dumps({"hello": _GOOD}).replace('"', '\\"')
    runner = PipeRunner(f"sh -c 'echo \"{hello}\"; {program}'")

    assert runner.close() == complaint
