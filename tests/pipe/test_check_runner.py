"""`parity check-runner` explains each mistake by the line sent, the line received, and the expected form."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from platform import python_version
from threading import Event

import pytest

from parity.command import check_runner, main
from parity.command.streams import say
from parity.runners.pipe.program import Lost, RunnerProgram
from parity.runners.pipe.runner import START_SECONDS
from parity.runners.pipe.smoke import smoke
from parity.runners.smoke import Check
from parity.scorer.series import Series
from tests.running import PYTHON, run_parity

_ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = """
import json, sys
sys.stdin.readline()
print(json.dumps({"hello": {"name": "learner", "version": "0.1", "language": "python",
                            "operations": ["reason_code", "aggregate"]}}), flush=True)
asked = 0
for line in sys.stdin:
    question = json.loads(line)
    number = question["id"]
    if question["operation"] == "reason_code":
        answer = {"id": number, "value": None}
    else:
        asked += 1
        answer = ANSWER
    print(json.dumps(answer), flush=True)
"""


def check(folder: Path, answer: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Check a program that gives the same answer, a Python expression, to all questions for `aggregate`."""
    program = folder / "learner.py"
    program.write_text(_PROGRAM.replace("ANSWER", answer))
    return run(f"{PYTHON} -I -S {program}", *options)


def run(command: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the subcommand on a program or runner."""
    return run_parity("check-runner", command, *options, cwd=_ROOT)


def test_ready(tmp_path: Path) -> None:
    """A program that follows the protocol is ready, even if answers are wrong or unsupported."""
    done = check(tmp_path, "{'id': number, 'unsupported': 'not yet'}")

    lines = [line for line in done.stdout.splitlines() if not line.startswith(" " * 16)]
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == "learner 0.1 (python)"
    assert lines[1].split() == ["hello", "ok"]
    assert lines[2].startswith("  reason_code   ok: 7 questions, ")
    assert lines[3] == "  aggregate     ok: 10 questions, 10 declined, 0 of the answers are harbor's"
    assert lines[4].split() == ["end", "ok"]
    assert lines[5].split() == ["restart", "ok"]
    assert lines[6].startswith("ready: pytest parity/ --runner-cmd ")
    assert lines[6].endswith("learner.py'")


@pytest.mark.needs("utf-8")
def test_a_mistake_is_explained(tmp_path: Path) -> None:
    """A mistake is shown with the lines sent, received and expected; correct operations are listed, too."""
    done = check(tmp_path, "{'id': number, 'value': {'mean': 0.5}} if asked == 2 else {'id': number, 'value': None}")

    shown = done.stdout.splitlines()
    assert done.returncode == 1
    mistake = '  aggregate     MISTAKE: the line has a plain number, 0.5, where {"f64": "…"} or {"int": "…"} should be'
    rows = [line.split(maxsplit=1) for line in shown[shown.index(mistake) + 1 :]]
    assert rows[0][0] == "sent"
    sent = json.loads(rows[0][1])
    assert sent["operation"] == "aggregate"
    number = sent["id"]
    assert rows[1] == ["received", f'{{"id": "{number}", "value": {{"mean": 0.5}}}}']
    assert rows[2] == ["expected", f'{{"id": "{number}", …}} with one of value, fault, unsupported']
    assert shown[-1] == "not ready: 1 mistake"


_GROUP = r"""^ {16}withholds: aggregate/[\w-]+: .* \((?P<times>[234]) times\)
 {16}case        (?:mean|max|min|sum) of .*
 {16}harbor      \{.*
 {16}learner 0.1 \{'(?:mean|max|min|sum)': 0\}
 {16}vectors     (?P<vectors>.*)$"""


def test_wrong_answers_are_grouped(tmp_path: Path) -> None:
    """Wrong answers of one rule are shown once, with the first case, both answers, and the ids of all vectors."""
    done = check(tmp_path, "{'id': number, 'value': {question['input']['metric']: {'int': '0'}}}")

    assert done.returncode == 0
    shown = re.search(_GROUP, done.stdout, re.MULTILINE)
    assert shown is not None, done.stdout
    assert shown["times"] == str(len(shown["vectors"].split(", ")))


_PYTHON = """
class Mine:
    name = "mine"
    def pass_at_k(self, trials):
        ANSWER
    def reason_code(self, text):
        raise Unsupported
from parity.runners import Unsupported
"""


@pytest.mark.parametrize(
    ("answer", "code", "shown"),
    [
        ("return CleanRoom().pass_at_k(trials)", 0, r"  pass_at_k     ok: 17 questions, 17 of the answers are .*"),
        ("return {}", 0, r" {16}withholds: pass-at-k/\S+: .* \(\d+ times\)"),
        ("return 1 / 0", 1, r" {16}MISTAKE: it raises ZeroDivisionError at mine.py:5, an error .* \(17 times\)"),
        ("raise SystemExit(3)", 1, r"  pass_at_k     MISTAKE: it tried to end the process: .* \(17 times\)"),
    ],
)
def test_a_runner_in_python(tmp_path: Path, answer: str, code: int, shown: str) -> None:
    """A Python runner is asked for every rule; an unexpected exception is a mistake, a wrong answer is not."""
    (tmp_path / "mine.py").write_text(f"{_PYTHON.replace('ANSWER', answer)}\nfrom parity.runners import CleanRoom\n")

    done = run_parity("check-runner", "mine:Mine", cwd=tmp_path)

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (code, "")
    assert lines[0] == f"mine (Python {python_version()})"
    assert [line for line in lines if re.fullmatch(shown, line)] != [], done.stdout
    assert "  reason_code   ok: 9 questions, 9 declined, 0 of the answers are the scoring description's" in lines
    ending = "ready: pytest --pyargs parity --runner mine:Mine" if code == 0 else "not ready: 17 mistakes"
    assert lines[-1] == ending


def test_a_runner_that_is_not_there(tmp_path: Path) -> None:
    """A module that cannot be imported gives one line, and exit code 3."""
    done = run("nowhere.at.all:Mine")

    assert done.returncode == 3
    assert done.stderr == "parity check-runner: nowhere.at.all:Mine: ModuleNotFoundError: No module named 'nowhere'\n"


def test_another_hello_at_the_next_start(tmp_path: Path) -> None:
    """A program that gives another hello at its second start is reported."""
    hello = '{"hello": {"name": "a", "version": "%s", "operations": ["reason_code"]}}'
    script = f"""printf '{hello}\\n' $$; while read line; do :; done"""

    found = [each for each in smoke(["sh", "-c", script], Series.PY312, 0.1) if isinstance(each, Check)]

    assert found[-1].about == "restart"
    assert found[-1].message.startswith("it gave another hello: a ")
    assert found[-1].expected is not None
    assert found[-1].expected.startswith("the same hello: a ")


def test_it_goes_on_after_a_crash(tmp_path: Path) -> None:
    """Each question at which the program crashes is a mistake with its last words; equal ones are shown once."""
    done = check(tmp_path, "sys.exit(f'out of memory {asked}')")

    (lost,) = [line for line in done.stdout.splitlines() if "MISTAKE" in line]
    assert done.returncode == 1
    assert lost == "  aggregate     MISTAKE: it ended with exit code 1; on standard error: out of memory 1 (10 times)"
    assert "not ready: 10 mistakes" in done.stdout


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("true", "  hello         MISTAKE: it ended with exit code 0"),
        ("echo hi there", "  hello         MISTAKE: the line is not JSON"),
        ("""echo '{"hello": {"name": "a"}}'""", "  hello         MISTAKE: the hello lists no operations"),
    ],
)
def test_no_hello(command: str, shown: str) -> None:
    """Without a hello, nothing else is asked."""
    done = run(command)

    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith(shown)
    assert done.stdout.splitlines()[-1] == "not ready: 1 mistake"


@pytest.mark.parametrize(
    ("command", "code", "complaint"),
    [
        ("/nowhere/runner", 3, "parity check-runner: /nowhere/runner: no such program"),
        ("", 3, "parity check-runner: the command line is empty; name a program"),
        ("a 'b", 3, 'parity check-runner: "a \'b" is not a command line: no closing quotation; close the quote'),
    ],
)
def test_no_program(command: str, code: int, complaint: str) -> None:
    """A program that cannot be started gives one line."""
    done = run(command)

    assert (done.returncode, done.stdout, done.stderr) == (code, "", complaint + "\n")


def test_a_hang_is_cut(tmp_path: Path) -> None:
    """`--case-timeout` limits the time of one question."""
    done = check(tmp_path, "__import__('time').sleep(3600)", "--case-timeout", "0.2")

    assert done.returncode == 1
    assert "MISTAKE: it gave no answer within 0.2 s" in done.stdout


def test_the_suggested_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The suggested command repeats `--case-timeout`, and works from any folder."""
    (tmp_path / "parity" / "suite").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("parity.runners.pipe.smoke.smoke", lambda command, series, seconds: iter(()))

    code = main(["check-runner", "./runner -x", "--case-timeout", "120"])

    assert code == 0
    assert (
        capsysbinary.readouterr().out
        == b"ready: pytest --pyargs parity --runner-cmd './runner -x' --case-timeout 120\n"
    )


def test_it_says_that_it_waits(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """If a program takes more than a moment, a line says that the command waits."""
    said = Event()

    def saying(line: str) -> None:
        say(line)
        said.set()

    def slow(command: list[str], series: Series, seconds: float) -> Iterator[Check]:
        monkeypatch.setattr(check_runner, "_MOMENT", 0.01)
        yield Check("hello", "ok")
        said.wait()
        monkeypatch.setattr(check_runner, "_MOMENT", 3600.0)
        yield Check("end", "ok")

    monkeypatch.setattr(check_runner, "_MOMENT", 3600.0)
    monkeypatch.setattr(check_runner, "say", saying)
    monkeypatch.setattr("parity.runners.pipe.smoke.smoke", slow)

    main(["check-runner", "./runner"])

    shown = b"waiting for the program: it has 60 s for its hello, and 10 s for an answer\n"
    assert capsysbinary.readouterr().err == shown


def test_the_hello_has_its_own_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hello has the suite's own time limit, whatever the limit of a question is."""
    timeouts = []

    def exchange(program: RunnerProgram, line: bytes, seconds: float) -> bytes:
        timeouts.append(seconds)
        program.kill()
        raise Lost("enough")

    monkeypatch.setattr(RunnerProgram, "exchange", exchange)
    found = list(smoke(["cat"], Series.PY312, 120.0))

    assert timeouts == [START_SECONDS]
    assert [(each.about, each.message) for each in found if isinstance(each, Check)] == [("hello", "enough")]


def test_an_output_that_takes_nothing() -> None:
    """An output that cannot be written is reported as such, not as a fault of the program."""
    line = [sys.executable, "-m", "parity", "check-runner", "true"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, cwd=_ROOT)

    assert done.returncode == 3
    assert done.stderr.startswith("parity check-runner: standard output: No space left on device")


def test_wrong_usage() -> None:
    """A time limit that is not a number is wrong usage."""
    done = run("true", "--case-timeout", "soon")

    assert done.returncode == 2
    assert "'soon' is not a number of seconds above 0" in done.stderr


def test_the_help_teaches_the_protocol() -> None:
    """The help shows the conversation, and the path of the whole protocol."""
    done = subprocess.run(
        [sys.executable, "-m", "parity", "check-runner", "--help"], capture_output=True, text=True, cwd=_ROOT
    )

    path = Path(done.stdout.rsplit("the protocol: ", 1)[1].strip())
    assert '<-  {"id": "1", "value": {"mean": {"f64": "3fe0000000000000"}}}' in done.stdout
    assert path.read_text(encoding="utf-8").startswith("# The pipe")
