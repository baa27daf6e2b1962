"""`assert_parity`: the suite as one call, in a test or script of the runner's own project.

The suite runs in a forked process. So the runner is the caller's own object, and the suite changes nothing in the
calling process: no Hypothesis settings, no locale, no signal handlers, no modules.
"""

import multiprocessing
import os
import re
import shlex
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parity.plugin.options import ProfileName

_PACKAGE = Path(__file__).resolve().parents[1]
_HERE = f"{__name__}:caller_runner"
_ENDED = "the suite's process ended ({how}) before there was a verdict: does the runner end its process?"
_SECTION = re.compile(r"^=+ ", re.MULTILINE)
_WHY = re.compile(r"^(?:ERROR|Exit): (.*(?:\n[^\s\d=!].*)*)", re.MULTILINE)
_FAILURES = re.compile(r"^=+ (?:FAILURES|ERRORS) =+$", re.MULTILINE)
_CLOSING = re.compile(r"\n[^\n]* in [\d.]+s[^\n]*\n?\Z")
_REPLAY = re.compile(
    rf"^(  replay +)pytest .*?--replay (\S+)(?: --reference (.+))? --runner {re.escape(_HERE)}$", re.MULTILINE
)

_FORKING = threading.Lock()
"""Held while a process is forked, because some libraries do not allow two threads to fork at the same time."""

caller_runner: object = None
"""The runner, in the forked process."""


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
        replay: a replay file; only its case is run.

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
    if replay is not None and operations:
        raise ValueError("a replay file names its operation: leave out operations")
    options = {
        "runner": runner if isinstance(runner, str) else None if runner is None else _HERE,
        "runner-cmd": command,
        "profile": profile,
        "seed": seed,
        "reference": reference,
        "divergences": divergences,
        "replay": replay,
    }
    paths = [str(_PACKAGE / "operations" / name) for name in operations] or [str(_PACKAGE)]
    line = [*paths, *(f"--{name}={value}" for name, value in options.items() if value is not None)]
    code, printed = _run_suite(line, runner, operations)
    section = _SECTION.search(printed)
    shown = _CLOSING.sub("", printed[section.start() if section else 0 :])
    shown = _REPLAY.sub(_replay_call, shown)
    if code == 1:
        raise AssertionError(f"not scored as Harbor does:\n{shown}")
    if code != 0:
        why = "; ".join(_WHY.findall(printed)) or f"the suite ended with code {code}"
        raise SuiteError(f"{why}\n{shown}" if _FAILURES.search(printed) else why)
    return shown


def _replay_call(command: re.Match[str]) -> str:
    """Return the call of `assert_parity` that replays the same case as a command line."""
    label, file, reference = command.groups()
    named = "" if reference is None else f", reference={shlex.split(reference)[0]!r}"
    return f"{label}assert_parity(…, replay={file!r}{named})"


def _run_suite(line: Sequence[str], runner: object, operations: Sequence[str]) -> tuple[int, str]:
    """Run the suite in a forked process; return its exit code and its output."""
    if not hasattr(os, "fork"):
        raise SuiteError("assert_parity needs os.fork, which this system lacks; run pytest --pyargs parity instead")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forking with threads; the child uses none of them
        output_file, code_file = Path(directory, "output"), Path(directory, "code")
        process = multiprocessing.get_context("fork").Process(
            target=_in_child, args=(line, runner, operations, output_file, code_file), name="assert_parity"
        )
        with _FORKING:
            process.start()
        try:
            process.join()
        finally:
            process.kill()
            process.join()
        if not code_file.exists():
            raise SuiteError(_ENDED.format(how=f"exit code {process.exitcode}"))
        return int(code_file.read_text()), output_file.read_text(encoding="utf-8")


def _in_child(
    line: Sequence[str], runner: object, operations: Sequence[str], output_file: Path, code_file: Path
) -> None:
    global caller_runner
    caller_runner = runner
    output = os.open(output_file, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    stream = open(output, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    sys.stdout = sys.stderr = stream
    for name in [name for name in os.environ if name.startswith(("PYTEST_", "COV_"))]:
        del os.environ[name]  # they are about the calling test run
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    from parity.operations.files.directories import remove_process_directory
    from parity.plugin.alone import alone
    from parity.plugin.hooks import SESSION
    from parity.runners import claims
    from parity.suite.harm import counted
    from parity.suite.run import answered_vectors, total

    class ClaimCheck:
        """Records the operations that the runner does not claim, and names the settings below the summary."""

        missing: Sequence[str] = ()

        def pytest_sessionfinish(self, session: pytest.Session) -> None:
            runner = session.config.stash[SESSION].checker.runner
            self.missing = [f"{runner.name} has no {name}" for name in operations if not claims(runner, name)]

        @pytest.hookimpl(trylast=True)
        def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
            session = config.stash[SESSION]
            cases = total(session.run.counts, "begun")
            if not cases and not answered_vectors(session.run.counts):
                return
            generated = counted(cases, "generated case")
            terminalreporter.write_line(f"profile {session.profile.name}: {generated}, seed {session.seed}")

    # Resources that the caller left open must cause no warning in the run.
    disabled = ["-p", "no:unraisableexception", "-p", "no:cacheprovider"]
    quiet = [*disabled, "-s", "-q", "-rN", "--no-header", "--disable-warnings", "--color=no"]
    claim_check = ClaimCheck()
    arguments = alone(["-p", "parity.plugin.entry_point", *quiet, *line])
    code = pytest.main(arguments, plugins=[claim_check])
    if code == pytest.ExitCode.OK and claim_check.missing:
        print(f"ERROR: not claimed: {'; '.join(claim_check.missing)}")
        code = pytest.ExitCode.USAGE_ERROR
    sys.stdout.flush()
    remove_process_directory()
    code_file.write_text(str(int(code)))  # a runner may have ended the process with any code
    os._exit(code)
