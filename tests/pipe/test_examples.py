"""The example runners speak the protocol, and answer every golden vector as Harbor does."""

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.judging.comparing import left_out
from parity.operations import OPERATIONS
from parity.operations.answers import NotClaimed
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import decode_answer
from parity.runners.pipe import PipeRunner
from parity.scorer.series import Series
from tests.needs import need
from tests.pipe.test_schema import accepts
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_EXAMPLES = _ROOT / "parity" / "runners" / "examples"
_CLAIMED = ("read_reward", "aggregate", "pass_at_k")
_CLAIMED_IN_GO = _CLAIMED[1:]


def javascript(folder: Path) -> str:
    """Return the command of the example in JavaScript."""
    return shlex.join(["node", str(_EXAMPLES / "javascript" / "runner.mjs")])


def rust(folder: Path) -> str:
    """Compile the example in Rust, and return its command."""
    program, source = folder / "runner", _EXAMPLES / "rust" / "main.rs"
    assert "//! rustc -O --edition 2021 -o rust-example main.rs\n" in source.read_text()
    command = ["rustc", "--edition", "2021", "-o", str(program), str(source)]  # optimizing takes longer than all tests
    compiled = subprocess.run(command, capture_output=True, text=True)
    assert (compiled.returncode, compiled.stderr) == (0, "")
    return shlex.quote(str(program))


def go(folder: Path) -> str:
    """Compile the example in Go, and return its command."""
    program = folder / "runner"
    sources = sorted(str(path) for path in (_EXAMPLES / "go").glob("*.go"))
    compiled = subprocess.run(["go", "build", "-o", str(program), *sources], capture_output=True, text=True)
    assert (compiled.returncode, compiled.stderr) == (0, "")
    return shlex.quote(str(program))


def _claimed(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return the operations that the example claims."""
    return _CLAIMED_IN_GO if request.node.callspec.params["command"] == "go" else _CLAIMED


_EXAMPLES_BY_NEED = {"node": javascript, "rust": rust, "go": go}


@pytest.fixture(scope="module", params=_EXAMPLES_BY_NEED)
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the command of an example runner."""
    need(request.param)
    return _EXAMPLES_BY_NEED[request.param](tmp_path_factory.mktemp("example"))


@pytest.fixture(params=Series)
def runner(command: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PipeRunner]:
    """Yield the example as a runner for one interpreter series, and compare all its traffic with the schema."""
    sent, received = tmp_path / "sent", tmp_path / "received"
    with_copies = f"tee {shlex.quote(str(sent))} | {command} | tee {shlex.quote(str(received))}"
    program = PipeRunner(shlex.join(["sh", "-c", with_copies]), request.param)
    yield program
    assert program.close() is None
    assert _refused(sent, "greeting", "question") == []
    assert _refused(received, "hello", "answer") == []


def _refused(traffic: Path, first: str, others: str) -> list[str]:
    """Return the lines that do not follow `pipe.schema.json`, by a definition for the first line and one for others."""
    hello, *lines = traffic.read_bytes().splitlines()
    named = [(first, hello), *((others, line) for line in lines)]
    return [f"{name}: {line!r}" for name, line in named if not accepts(name, json.loads(line))]


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize("name", _CLAIMED)
def test_golden_vectors(name: str, runner: PipeRunner, request: pytest.FixtureRequest) -> None:
    """Every vector of a claimed operation gets the recorded answer, for either interpreter series."""
    operation = OPERATIONS[name]
    series = request.node.callspec.params["runner"]
    wrong = []

    for entry in read_entries(name).values():
        case = operation.decode(entry["input"])
        recorded = recorded_answer(entry, series)
        assert recorded is not None
        if left_out(operation, case):
            continue
        with operation.arguments(case) as arguments:
            answer = runner.answer(name, arguments, 60)
        differs = operation.compare(case, decode_answer(operation, recorded), answer)
        if differs if name in _claimed(request) else not isinstance(answer, NotClaimed):
            wrong.append((entry["id"], recorded, answer))

    assert wrong == []


def test_another_protocol(command: str) -> None:
    """A hello with an unknown protocol is not answered."""
    hello = '{"hello":{"protocol":2,"reference":"harbor==0.13.1","interpreter":"3.12"}}\n'

    run = subprocess.run(shlex.split(command), input=hello, capture_output=True, text=True, cwd=_ROOT)

    assert run.returncode != 0
    assert run.stdout == ""
    assert "protocol" in run.stderr


@pytest.mark.needs("utf-8")
def test_the_suite_agrees(command: str, request: pytest.FixtureRequest) -> None:
    """The suite agrees with an example on drawn cases, and lists the operations that it does not claim."""
    options = ["--profile", "quick", "-p", "no:cacheprovider", "--runner-cmd", command]

    run = run_pytest("parity/", *options, "-k", " or ".join([*_CLAIMED, "outcome"]), cwd=_ROOT)

    assert run.returncode == 0, run.stdout
    claimed = _claimed(request)
    verdicts = dict(line.split(maxsplit=4)[::4] for line in run.stdout.splitlines() if line.startswith(_CLAIMED))
    assert verdicts == dict.fromkeys(claimed, "agrees") | {
        f"{name}:": verdicts[f"{name}:"] for name in claimed if f"{name}:" in verdicts
    }
    assert "not claimed" in run.stdout
