"""Runs the suite alone: in a second session of pytest, without the conftests, ini and addopts of the caller's project.

pytest reads those before a run knows that it is one of the suite, and a fixture, a hook or a setting among them can
change a verdict. What the caller says by hand counts: the command line, PYTEST_ADDOPTS, `-p` and installed plugins.
The project's `pythonpath` counts, too, because it is where the runner is.
"""

import ctypes
import os
import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

_MARK = "parity.plugin.fixtures"
_INI = Path(__file__).with_name("suite.ini")
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_NO_VERDICT = int(pytest.ExitCode.USAGE_ERROR)
_PASSED_ON = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2}
_ENDED = "the process of the suite ended ({how}) before there was a verdict: does the runner end its process?"


def is_alone(config: pytest.Config) -> bool:
    """Return whether a session is one of the suite alone."""
    return config.pluginmanager.hasplugin(_MARK)


def by_hand(config: pytest.Config) -> list[str]:
    """Return the arguments that the caller gave by hand: PYTEST_ADDOPTS and the command line."""
    return [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *map(str, config.invocation_params.args)]


def alone(arguments: Sequence[str], python_path: Sequence[Path] = ()) -> list[str]:
    """Return pytest's arguments for a session of the suite alone.

    Args:
        arguments: the arguments of the caller; their `-c` and `--rootdir` count.
        python_path: directories of the caller's modules.
    """
    place = arguments.index("--") if "--" in arguments else len(arguments)
    own = ["-p", _MARK, "-c", os.fspath(_INI), "--rootdir", os.fspath(Path.cwd()), "--noconftest"]
    paths = ["-o", f"pythonpath={shlex.join(map(str, python_path))}"] if python_path else []
    return [*own, *arguments[:place], *paths, *arguments[place:]]


def run_alone(config: pytest.Config) -> int:
    """Run the suite as the caller asks for it, and return the exit code.

    If pytest is the program of this process, the suite runs in a forked one. So a runner that ends its process, even
    with code 0, cannot end the run with a verdict.
    """
    params = config.invocation_params
    arguments = alone(list(map(str, params.args)), config.getini("pythonpath"))
    is_program = list(map(str, params.args)) == sys.argv[1:] and not params.plugins
    if is_program and hasattr(os, "fork") and threading.current_thread() is threading.main_thread():
        return _run_forked(lambda: int(pytest.main(arguments)))
    return int(pytest.main(arguments, params.plugins))


def _run_forked(run: Callable[[], int]) -> int:
    """Run a function in a forked process, and return the exit code in that process alone.

    This process passes signals on, waits, and ends with the code that the other one reported.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {*_PASSED_ON, signal.SIGCHLD})
    handled = signal.signal(signal.SIGCHLD, lambda *_: None)  # a signal that is ignored may not be waited for
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads of other plugins
        child = os.fork()
    if child == 0:
        os.close(reading)
        signal.signal(signal.SIGCHLD, handled)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        _end_with_parent()
        try:
            code = run()
        except KeyboardInterrupt:
            code = int(pytest.ExitCode.INTERRUPTED)
        except SystemExit as ended:  # any other one may be the runner's
            if ended.code != pytest.ExitCode.INTERRUPTED:
                raise
            code = int(pytest.ExitCode.INTERRUPTED)
        with suppress(OSError):  # a runner may have closed all files
            os.write(writing, bytes([code]))
        return code
    os.close(writing)
    status, passed_on = _wait(child)
    os.set_blocking(reading, False)
    try:
        reported = os.read(reading, 1)
    except BlockingIOError:  # a process of the runner's still has the other end
        reported = b""
    if not reported:
        _end_by(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, passed_on)
        code = os.waitstatus_to_exitcode(status)
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        os.write(2, f"ERROR: {_ENDED.format(how=how)}\n".encode())
    os._exit(reported[0] if reported else _NO_VERDICT)  # the other process has done what is to be done at exit


def _end_with_parent() -> None:
    """End this process if its parent is killed, where the system can do so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))


def _end_by(number: int, passed_on: set[int]) -> None:
    """End this process by a signal if it ended the other process, and was sent to this one; otherwise do nothing."""
    if number in passed_on:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})


def _wait(child: int) -> tuple[int, set[int]]:
    """Wait for the end of a process; return its status, and the signals that this process received and passed on."""
    passed_on: set[int] = set()
    while True:
        number, is_for_both = _next_signal()
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status, passed_on
        elif not is_for_both:
            passed_on.add(number)
            os.kill(child, number)


def _next_signal() -> tuple[int, bool]:
    """Wait for a signal; return it, and whether the terminal sent it to both processes, as it does for Ctrl-C."""
    awaited = {*_PASSED_ON, signal.SIGCHLD}
    if not hasattr(signal, "sigwaitinfo"):  # macOS
        return signal.sigwait(awaited), sys.stdin is not None and sys.stdin.isatty()
    received = signal.sigwaitinfo(awaited)
    return received.si_signo, received.si_code > 0
