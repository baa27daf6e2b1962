"""Tests that the example runner speaks the protocol, and answers every golden vector as Harbor does."""

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
from parity.runners.pipe import PipeRunner
from parity.scorer.series import Series
from parity.suite.comparer import left_out
from tests.pipe.schema import accepts
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_CLAIMED = ("read_reward", "aggregate", "pass_at_k")
_COMMAND = shlex.join(["node", str(_ROOT / "parity" / "runners" / "examples" / "javascript" / "runner.mjs")])

pytestmark = pytest.mark.needs("node")


@pytest.fixture(params=Series)
def runner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PipeRunner]:
    """Yield the example as a runner for one interpreter series, and check each of its messages with the schema."""
    sent, received = tmp_path / "sent", tmp_path / "received"
    with_copies = f"tee {shlex.quote(str(sent))} | {_COMMAND} | tee {shlex.quote(str(received))}"
    program = PipeRunner(shlex.join(["sh", "-c", with_copies]), request.param)
    yield program
    assert program.close() is None
    assert _refused(sent, "greeting", "question") == []
    assert _refused(received, "hello", "answer") == []


def _refused(traffic: Path, first: str, others: str) -> list[str]:
    """Return the lines that the schema refuses, using one definition for the first line and one for all others."""
    hello, *lines = traffic.read_bytes().splitlines()
    named = [(first, hello), *((others, line) for line in lines)]
    return [f"{name}: {line!r}" for name, line in named if not accepts(name, json.loads(line))]


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize("name", _CLAIMED)
def test_example_answers_every_vector_as_recorded(
    name: str, runner: PipeRunner, request: pytest.FixtureRequest
) -> None:
    """The example answers each vector of its operations as recorded, for each interpreter series."""
    operation = OPERATIONS[name]
    series = request.node.callspec.params["runner"]
    wrong = []

    for vector in read_vectors(name):
        recorded = vector.answer(series)
        assert recorded is not None
        if left_out(operation, vector.case):
            continue
        with operation.arguments(vector.case) as arguments:
            answer = runner.answer(name, arguments, 60)
        if operation.compare(vector.case, recorded, answer):
            wrong.append((vector.id, recorded, answer))

    assert wrong == []


def test_unknown_protocol_is_refused() -> None:
    """The example does not answer a hello that has an unknown protocol version."""
    hello = '{"hello":{"protocol":2,"reference":"harbor==0.13.1","interpreter":"3.12"}}\n'

    run = subprocess.run(shlex.split(_COMMAND), input=hello, capture_output=True, text=True, cwd=_ROOT)

    assert run.returncode != 0
    assert run.stdout == ""
    assert "protocol" in run.stderr


@pytest.mark.needs("utf-8")
def test_suite_agrees_with_the_example() -> None:
    """The suite finds no divergence in the example, and lists the operations that the example does not claim."""
    options = ["--profile", "quick", "-p", "no:cacheprovider", "--runner-cmd", _COMMAND]

    run = run_pytest("parity/", *options, "-k", " or ".join([*_CLAIMED, "outcome"]), cwd=_ROOT)

    assert run.returncode == 0, run.stdout
    verdicts = dict(line.split(maxsplit=4)[::4] for line in run.stdout.splitlines() if line.startswith(_CLAIMED))
    assert verdicts == dict.fromkeys(_CLAIMED, "agrees") | {
        f"{name}:": verdicts[f"{name}:"] for name in _CLAIMED if f"{name}:" in verdicts
    }
    assert "not claimed" in run.stdout
