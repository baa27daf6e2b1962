"""`assert_parity`: the suite as one call, in a test or script of the runner's own project.

The suite runs in a forked process. So the runner is the caller's own object, and the suite changes nothing in the
calling process: no Hypothesis settings, no locale, no signal handlers, no modules.
"""

import json
import multiprocessing
import os
import shlex
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parity.plugin.options import ProfileName

_PACKAGE = Path(__file__).resolve().parents[1]
_ENDED = "the suite's process ended ({how}) before there was a verdict: does the runner end its process?"
_DISAGREES = 1

_FORKING = threading.Lock()
"""Held while a process is forked, because some libraries do not allow two threads to fork at the same time."""


class SuiteError(Exception):
    """The suite could not run. The message states the reason and the remedy."""


def assert_parity(
    runner: object = None,
    *,
    command: str | None = None,
    operations: Sequence[str] = (),
    profile: "ProfileName" = "default",
    seed: int | None = None,
    reference: str | None = None,
    divergences: str | os.PathLike[str] | None = None,
    replay: str | os.PathLike[str] | None = None,
) -> str:
    """Compare a runner with Harbor, as `pytest --pyargs parity` does, and raise an error if it scores differently.

    Args:
        runner: an object with a `name` and a method for each operation, a class or function that makes such an object,
            or the `package.module:name` of one of these.
        command: the command line of a program that answers over a pipe, instead of a runner.
        operations: the operations to test, such as `["read_reward"]`; if empty, all that the runner has.
        profile: the profile, which sets the number of generated cases; by default that of the command. `quick` draws a
            tenth of its cases, and may miss what the command finds.
        seed: the seed of all generated cases; by default the profile's seed.
        reference: the reference, in the form that `--reference` accepts; the installed Harbor by default.
        divergences: a file of declared divergences, which must be exactly the runner's divergences.
        replay: a replay file; only its case is run, whatever `operations` says.

    Returns:
        The summary: a line for each operation, and one with the profile, the number of generated cases and the seed.

    Raises:
        AssertionError: the runner scores differently; the message has each broken rule with its smallest case.
        SuiteError: the suite cannot run, or the runner lacks one of the operations.
        ValueError: arguments contradict each other, or an operation is unknown.
    """
    __tracebackhide__ = True
    from parity.operations import OPERATIONS

    if (runner is None) == (command is None):
        raise ValueError("assert_parity needs a runner or a command: give exactly one of them")
    if unknown := [name for name in operations if name not in OPERATIONS]:
        raise ValueError(f"unknown operation {', '.join(unknown)}; the operations are {', '.join(OPERATIONS)}")
    options = {
        "runner": runner if isinstance(runner, str) else None,
        "runner-cmd": command,
        "profile": profile,
        "seed": seed,
        "reference": reference,
        "divergences": divergences,
        "replay": replay,
    }
    named = operations if replay is None else ()
    paths = [str(_PACKAGE / "operations" / name) for name in named] or [str(_PACKAGE)]
    line = [*paths, *(f"--{name}={value}" for name, value in options.items() if value is not None)]
    outcome = _run_suite(line, None if isinstance(runner, str) else runner, named)
    if outcome.code == _DISAGREES:
        raise AssertionError(f"not scored as Harbor does:\n{outcome.text}")
    if outcome.code:
        why = "; ".join(outcome.problems) or f"the suite ended with code {outcome.code}"
        raise SuiteError(f"{why}\n{outcome.text}" if outcome.failed else why)
    return outcome.text


@dataclass(frozen=True)
class Outcome:
    """The result of a run, as its process reports it."""

    code: int
    """The exit code."""

    text: str
    """The sections of failed tests that the summary does not show, and the summary."""

    problems: list[str]
    """Reasons why there is no verdict, one line each."""

    failed: bool
    """Whether a test failed for another reason than what the summary shows."""


def _run_suite(line: Sequence[str], runner: object, operations: Sequence[str]) -> Outcome:
    """Run the suite in a forked process."""
    if not hasattr(os, "fork"):
        raise SuiteError("assert_parity needs os.fork, which this system lacks; run pytest --pyargs parity instead")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forking with threads; the child uses none of them
        outcome_file = Path(directory, "outcome.json")
        process = multiprocessing.get_context("fork").Process(
            target=_in_child, args=(line, runner, operations, outcome_file), name="assert_parity"
        )
        with _FORKING:
            process.start()
        try:
            process.join()
        finally:
            process.kill()
            process.join()
        try:
            return Outcome(**json.loads(outcome_file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # a runner may have ended the process with any code
            raise SuiteError(_ENDED.format(how=f"exit code {process.exitcode}")) from None


def _command_again() -> str:
    """Return the command that makes the caller's call again: the test that calls, or the program."""
    if node := os.environ.get("PYTEST_CURRENT_TEST"):
        return shlex.join(["pytest", node.rpartition(" (")[0]])
    return shlex.join(sys.orig_argv)


def _in_child(line: Sequence[str], runner: object, operations: Sequence[str], outcome_file: Path) -> None:
    again = _command_again()
    output = os.open(os.devnull, os.O_WRONLY)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdout = sys.stderr = open(output, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "COV_"))]:
        del os.environ[name]  # they are about the calling test run
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    from parity.operations.files.directories import remove_process_directory
    from parity.plugin.alone import alone
    from parity.plugin.called_run import CalledRun
    from parity.plugin.options import Call

    quiet = ["-p", "no:cacheprovider", "-s", "-q", "-rN", "--no-header", "--disable-warnings", "--color=no"]
    called = CalledRun(Call(runner, again), operations)
    code = int(pytest.main(alone(["-p", "parity.plugin.entry_point", *quiet, *line]), plugins=[called]))
    if code == pytest.ExitCode.OK and called.unclaimed:
        called.problems.append(f"not claimed: {'; '.join(called.unclaimed)}")
        code = pytest.ExitCode.USAGE_ERROR
    remove_process_directory()
    outcome = {"code": code, "text": called.text, "problems": called.problems, "failed": bool(called.failures)}
    outcome_file.write_text(json.dumps(outcome), encoding="ascii")
    os._exit(code)
