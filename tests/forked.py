"""Runs pytest or `parity` in a process of its own that has imported what it needs: forked instead of started afresh.

Harbor, pydantic and Hypothesis take seconds to import; here each process that runs tests pays for them once.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

import pytest

import parity.__main__


def run_pytest(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> "subprocess.CompletedProcess[str]":
    """Do as `python -m pytest ARGUMENTS` does, with nothing to read on standard input; Ctrl-C works as it does here.

    Only what an interpreter reads of its environment when it starts, such as PYTHONHASHSEED, is that of these tests.

    Args:
        arguments: what follows `pytest`.
        cwd: the folder to run in.
        environment: all variables; those of this process by default.
        timeout: seconds, after which the process is killed; None for no limit.

    Raises:
        subprocess.TimeoutExpired: it was killed.
    """
    with started_pytest(*arguments, cwd=cwd, environment=environment) as run:
        return run.ended(timeout)


def started_pytest(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None, ignored: Sequence[signal.Signals] = ()
) -> "AbstractContextManager[ForkedRun]":
    """As `run_pytest`, but without waiting for its end, and ignoring these signals; it does not stay."""
    return _started(pytest.console_main, pytest.__file__, arguments, cwd, environment, ignored=ignored)


def run_parity(
    *arguments: str,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    typed: bytes = b"",
) -> "subprocess.CompletedProcess[str]":
    """Do as `python -m parity ARGUMENTS` does, with what is typed to read on standard input; else as `run_pytest`."""
    with _started(parity.__main__.main, parity.__file__, arguments, cwd, environment, typed) as run:
        return run.ended(timeout)


class ForkedRun:
    """A run in a process of its own."""

    def __init__(self, process: ForkServerProcess, line: Sequence[str], outputs: Sequence[Path]) -> None:
        self._process, self._line, self._outputs = process, line, outputs

    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.exitcode is None

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def ended(self, timeout: float | None = None) -> "subprocess.CompletedProcess[str]":
        """What became of it, when it has ended; for `timeout` see `run_pytest`."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self._line, timeout)
        stdout, stderr = (path.read_text(errors="backslashreplace") for path in self._outputs)
        return subprocess.CompletedProcess(self._line, self._process.exitcode, stdout, stderr)


@contextmanager
def _started(
    main: Callable[[], int],
    package: str,
    arguments: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str] | None,
    typed: bytes = b"",
    ignored: Sequence[signal.Signals] = (),
) -> Iterator[ForkedRun]:
    variables = dict(os.environ if environment is None else environment)
    line = [os.path.join(os.path.dirname(package), "__main__.py"), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(typed)
        arguments_of_run = (main, line, cwd, variables, _search_path(), streams, ignored)
        process = _forking().Process(target=_run, args=arguments_of_run)
        process.start()
        try:
            yield ForkedRun(process, line, streams[1:])
        finally:
            process.kill()
            process.join()


def begin_forking() -> None:
    """Start what forks, with the environment of now, unless it has been started."""
    _forking()
    forkserver.ensure_running()


@cache
def _forking() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.loaded_suite"])
    return context


@cache
def _search_path() -> list[str]:
    """Where an interpreter looks for modules, whatever pytest has added here."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", "-c", "import sys; print(*sys.path, sep='\\n')"]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split("\n")[:-1]


def _run(
    main: Callable[[], int],
    line: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str],
    search_path: list[str],
    streams: list[Path],
    ignored: Sequence[signal.Signals],
) -> None:
    """In the forked process: become what `python -m` makes of this line."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        as_begun = signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL
        signal.signal(each, signal.SIG_IGN if each in ignored else as_begun)
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    tempfile.tempdir = None
    added = environment.get("PYTHONPATH", "")
    sys.path[:] = [os.getcwd(), *(added.split(os.pathsep) if added else []), *search_path]
    sys.argv = [*line]
    atexit._clear()
    try:
        if main is pytest.console_main and "-n" in line:
            from tests.forked_workers import fork_workers  # environments of bridges are without pytest-xdist

            fork_workers(int(line[line.index("-n") + 1]))
        raise SystemExit(main())
    finally:
        atexit._run_exitfuncs()
