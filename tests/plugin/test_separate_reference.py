"""Tests of `--reference PYTHON`, which uses the Harbor in another environment, and of faults there."""

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Value
from parity.operations.goldens import read_vectors
from parity.reference import ENVIRONMENT_FILE, ReferenceLost, SeparateReference, WheelError, open_reference
from parity.runners.asking import ask, ask_several
from tests.running import PYTHON, Run

_QUICK = ("--pyargs", "parity", "--profile", "quick", "-k", "aggregate")
_WRONG = ("--runner", "tests.faulty.aggregate.sums:AddsOneByOne")


@pytest.fixture(scope="module")
def separate() -> Iterator[SeparateReference]:
    """Yield this environment's Harbor in a separate process."""
    reference = SeparateReference(sys.executable)
    yield reference
    reference.close()


@pytest.fixture
def failing(tmp_path: Path) -> Any:
    """Return a function that makes a fake interpreter from a shell script. `REAL` is the real interpreter there."""

    def make(script: str) -> str:
        path = tmp_path / "failing-python"
        path.write_text(f"#!/bin/sh\nREAL='{sys.executable}'\n{script}\n")
        path.chmod(0o755)
        return str(path)

    return make


def _answer(reference: object, operation: str, case: Any) -> Answer:
    with OPERATIONS[operation].arguments(case) as arguments:
        return ask(reference, operation, arguments)


def _without_times(output: str) -> list[str]:
    """Return the output of a run without times and without the command that started it."""
    lines = re.sub(r" in \d+\.\d+s.*| --reference (?:'[^']+'|\S+)", "", output).splitlines()
    return [line.strip("= ") for line in lines if not line.startswith("rootdir")]


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_answers_equal_the_installed_wheels(operation: str, separate: SeparateReference) -> None:
    """A separate reference gives the same answers, and the same messages except for paths."""
    beside = open_reference().wheel
    for vector in read_vectors(operation)[::25]:
        expected, answer = (_answer(each, operation, vector.case) for each in (beside, separate))

        assert OPERATIONS[operation].compare(vector.case, expected, answer) is None, vector.id


def test_identity_equals_the_installed_wheels(separate: SeparateReference) -> None:
    """A separate reference has the same wheel, interpreter and packages."""
    beside = open_reference()

    assert separate.identity == beside.identity
    assert separate.unpinned == beside.unpinned


def test_run_prints_the_same_as_with_the_installed_wheel(run: Run) -> None:
    """A run with a separate reference prints what one with the installed wheel prints, but for one option."""
    options = (*_QUICK, "-k", "aggregate and (test_sizes or golden)", *_WRONG, "-v")  # tests that shrink quickly
    beside, separate = (run(*options, *more) for more in ((), (f"--reference={sys.executable}",)))

    assert separate.returncode == beside.returncode == pytest.ExitCode.TESTS_FAILED
    assert f"--reference {PYTHON} --runner" in separate.stdout
    assert _without_times(separate.stdout) == _without_times(beside.stdout)


def test_dead_reference_is_started_again(failing: Any, tmp_path: Path) -> None:
    """A reference that dies is started again, and gets the same questions again."""
    died = tmp_path / "died"
    python = failing(f'[ -e "{died}" ] && exec "$REAL" "$@"; touch "{died}"; sed -u 2q | "$REAL" "$@"')
    cases = [(metric, [{"reward": 1}, None]) for metric in ("sum", "max", "min", "mean")]

    with closing(SeparateReference(python)) as reference:
        answers = ask_several(reference, "aggregate", cases)

    assert died.exists()
    assert answers == [Value({"sum": 1}), Value({"max": 1}), Value({"min": 0}), Value({"mean": 0.5})]


def test_unexpected_error_ends_the_run(separate: SeparateReference) -> None:
    """An unexpected error in an operation that only a reference has ends the run with one line."""
    with pytest.raises(ReferenceLost, match=r"gave no answer about stored_job, .*: AttributeError: .*; run it again"):
        separate.call("stored_job", None, Path())


@pytest.mark.parametrize(
    ("script", "workers"),
    [
        ('sed -u 9q | "$REAL" "$@"', ()),
        ('sed -u 9q | "$REAL" "$@"', ("-p", "xdist", "-n", "2")),
        ('"$REAL" "$@" | sed -u \'1!s/.*/garbage/\'', ()),
    ],
    ids=["dies", "dies with workers", "garbage"],
)
def test_reference_that_fails_twice_ends_the_run(
    script: str, workers: tuple[str, ...], failing: Any, run_process: Run
) -> None:
    """A reference that dies twice, or answers with garbage, ends the run without a verdict, with one line."""
    python = failing(script)

    ran = run_process(*_QUICK, "--reference", python, *workers)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR, ran.stdout + ran.stderr
    (line,) = (line for line in ran.stdout.splitlines() if line.startswith("ERROR: "))
    problem = "gave no answer about aggregate, so nothing is said about the runner"
    assert re.fullmatch(rf"ERROR: the reference in {python} {problem}: .*; run it again", line)
    assert "agrees" not in ran.stdout
    assert "DIVERGENCE" not in ran.stdout


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        (
            'exec "$REAL" -S "$@"',
            rf"it has no pydantic; repair it with: PYTHON -m pip install -c {ENVIRONMENT_FILE} harbor==0\.13\.1 tomli",
        ),
        ("echo garbage", "the reference does not start: PYTHON .*the line is not JSON .*: garbage; expected .*"),
        ("echo no memory >&2; exit 3", "the reference does not start: .*exit code 3; on standard error: no memory; .*"),
    ],
)
def test_interpreter_without_harbor_is_refused(failing: Any, script: str, complaint: str) -> None:
    """An interpreter without a usable Harbor is refused in one line with the fault and the remedy."""
    python = failing(script)

    with pytest.raises(WheelError, match=f"^--reference PYTHON: {complaint}".replace("PYTHON", python)) as caught:
        SeparateReference(python)

    assert "\n" not in str(caught.value)


def test_recording_from_a_separate_reference_is_refused(run: Run) -> None:
    """Recording golden files from a separate reference is refused."""
    ran = run("--pyargs", "parity", "-k", "golden", "--snapshot-update", "--reference", sys.executable)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--snapshot-update records from the harbor that is installed beside it: leave out --reference" in ran.stderr
