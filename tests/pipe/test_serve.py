"""Tests that with `parity serve`, a Python runner gives the same answers over the pipe as in the kit's own process."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.operations.answers import Crash, Fault, NotClaimed, Value
from parity.operations.files.directories import process_directory
from parity.runners.pipe import PipeRunner
from parity.scorer.series import Series
from tests.running import PYTHON, run_parity

_ROOT = Path(__file__).resolve().parents[2]


class Chatty:
    """A runner that prints a lot, and fails in every way."""

    name = "chatty"

    def reason_code(self, text: str | None) -> Any:
        print("looking at", ascii(text), flush=True)
        from parity.runners import Unsupported

        match text:
            case "fault":
                raise KeyError("x")
            case "unsupported":
                raise Unsupported("not that")
            case "tuple":
                return ("a",)
            case "float":
                return Half(0.5)
            case "deep":
                deep: list[Any] = []
                for _ in range(100_000):
                    deep = [deep]
                return deep
            case "read":
                return subprocess.run(["cat"], capture_output=True, text=True).stdout + sys.stdin.read()
            case "exit":
                process_directory()
                sys.exit(9)
        return text


class Half(float):
    """A subclass of float."""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory in which the chatty runner's temporary directories are created."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def chatty(scratch: Path) -> Iterator[PipeRunner]:
    """Yield the chatty runner as a program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(scratch))
        patch.setenv("PYTHONPATH", str(_ROOT))
        runner = PipeRunner(f"{PYTHON} -m parity serve tests.pipe.test_serve:Chatty")
        yield runner
        runner.close()


def test_printed_output_does_not_disturb_answers(chatty: PipeRunner) -> None:
    """Values, faults and unsupported cases arrive, although the runner prints text."""
    texts = ("a", None, "\ud800", "fault", "unsupported")

    answered = [chatty.answer("reason_code", (text,), 60) for text in texts]

    assert answered == [Value("a"), Value(None), Value("\ud800"), Fault("KeyError", "'x'"), NotClaimed("not that")]
    assert chatty.language == f"Python {sys.version.split()[0]}"


def test_hello_lists_the_operations_of_the_runner(chatty: PipeRunner) -> None:
    """The hello lists only the operations for which the runner has a method."""
    assert chatty.claims("reason_code")
    assert not chatty.claims("aggregate")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tuple", "tuple has no form on the wire"),
        ("float", "Half has no form on the wire"),
        ("deep", "the answer is nested too deeply for the wire"),
    ],
)
def test_answer_without_a_wire_form_is_a_fault(chatty: PipeRunner, text: str, reason: str) -> None:
    """An answer that has a wrong type or is nested too deeply is reported as a fault, and is not converted."""
    answered = chatty.answer("reason_code", (text,), 60)

    assert answered == Fault("WireError", reason)


def test_exit_of_the_runner_is_a_crash(chatty: PipeRunner, scratch: Path) -> None:
    """A runner that exits loses its question, with the reason, and leaves no temporary directory."""
    answered = chatty.answer("reason_code", ("exit",), 60)

    assert isinstance(answered, Crash)
    assert "it tried to end the process: SystemExit(9)" in answered.reason
    assert list(scratch.iterdir()) == []


def test_standard_input_is_empty(chatty: PipeRunner) -> None:
    """The runner's standard input is empty, so that it cannot read the questions."""
    answered = [chatty.answer("reason_code", (text,), 60) for text in ("read", "a")]

    assert answered == [Value(""), Value("a")]


def test_interpreter_series_of_the_kit_is_used() -> None:
    """The clean-room runner adds numbers as in the interpreter series that the kit's hello states."""
    rewards = [{"reward": number} for number in (1e16, 1, 1, -1e16)]
    answered = []

    for series in Series:
        runner = PipeRunner(f"{PYTHON} -m parity serve clean-room", series)
        answered.append(runner.answer("aggregate", ("sum", rewards), 60))
        runner.close()

    assert answered == [Value({"sum": 0.0}), Value({"sum": 2.0})]


def test_help_lists_the_requirements() -> None:
    """The help lists exactly the packages that serving imports."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"\W", requirement)[0] for requirement in project["dependencies"]}
    digests = "from parity.driver.documents.task_digests import content_hash, task_checksum"
    hashing = "task = Path('tests/tasks/both-files'); content_hash(task), task_checksum(task)"
    program = f"import sys, parity.command, parity.runners.pipe.serving; from pathlib import Path; {digests}; {hashing}"

    run = subprocess.run(
        [sys.executable, "-c", f"{program}; print(*sys.modules)"], capture_output=True, text=True, check=True, cwd=_ROOT
    )
    answered = run_parity("serve", "--help", cwd=_ROOT)
    answered.check_returncode()

    assert declared & set(run.stdout.split()) == {
        name for name in declared if re.search(rf"\b{name}[,.\s]", answered.stdout)
    } - {
        "pytest",
    }


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize(
    ("spec", "lines", "message"),
    [
        ("no.such:Runner", [], "SPEC no.such:Runner: ModuleNotFoundError: No module named 'no'"),
        (
            "clean-room",
            [],
            "the input ended before its first line; "
            "start this with: pytest --pyargs parity --runner-cmd 'parity serve …'",
        ),
        ("clean-room", ["hello"], "no JSON"),
        ("clean-room", [json.dumps({"hello": {"protocol": 2, "interpreter": "3.12"}})], "no hello of protocol 1"),
        ("clean-room", [json.dumps({"hello": {"protocol": 1, "interpreter": "3.12"}}), "{}"], "no question"),
        (
            "clean-room",
            [
                json.dumps({"hello": {"protocol": 1, "interpreter": "3.12"}}),
                json.dumps({"id": "1", "operation": "read_reward", "input": {}}),
            ],
            "no question about read_reward: a question for read_reward must have directory as its only key",
        ),
    ],
)
def test_input_that_is_not_from_the_kit_is_refused(spec: str, lines: list[str], message: str) -> None:
    """Input that is not from the kit, and an unknown runner, are refused in one line."""
    run = run_parity("serve", spec, cwd=_ROOT, typed="".join(f"{line}\n" for line in lines))

    assert run.returncode == 3
    assert run.stderr.startswith(f"parity serve: {message}")
    assert run.stderr.count("\n") == 1
