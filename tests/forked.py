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
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
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
    return _forked(pytest.console_main, pytest.__file__, arguments, cwd, environment, timeout)


def run_parity(
    *arguments: str,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    typed: bytes = b"",
) -> "subprocess.CompletedProcess[str]":
    """Do as `python -m parity ARGUMENTS` does, with what is typed to read on standard input; else as `run_pytest`."""
    return _forked(parity.__main__.main, parity.__file__, arguments, cwd, environment, timeout, typed)


def _forked(
    main: Callable[[], int],
    package: str,
    arguments: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str] | None,
    timeout: float | None,
    typed: bytes = b"",
) -> "subprocess.CompletedProcess[str]":
    variables = dict(os.environ if environment is None else environment)
    line = [os.path.join(os.path.dirname(package), "__main__.py"), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(typed)
        is_interrupted = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
        arguments_of_run = (main, line, cwd, variables, _search_path(), streams, is_interrupted)
        run = _forking().Process(target=_run, args=arguments_of_run)
        run.start()
        run.join(timeout)
        if run.exitcode is None:
            assert timeout is not None
            run.kill()
            run.join()
            raise subprocess.TimeoutExpired(line, timeout)
        stdout, stderr = (path.read_text(errors="backslashreplace") for path in streams[1:])
        return subprocess.CompletedProcess(line, run.exitcode, stdout, stderr)


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
    is_interrupted: bool,
) -> None:
    """In the forked process: become what `python -m` makes of this line."""
    signal.signal(signal.SIGINT, signal.default_int_handler if is_interrupted else signal.SIG_IGN)
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
        raise SystemExit(main())
    finally:
        atexit._run_exitfuncs()
