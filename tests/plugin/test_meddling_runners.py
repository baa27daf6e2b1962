"""Tests that a runner in the suite's process gets exit code 0 for right answers alone, whatever else it does."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parity import SuiteError, assert_parity
from parity.suite.report.reading import read_report
from tests.running import FAST, ROOT, run_pytest

_SUITE = (*FAST, "--pyargs", "parity", "--reference", "golden", "-k", "reason_code")
_RUNNER = """
import atexit, builtins, json, os, signal, sys, warnings
import pytest
from parity.runners import CleanRoom
RIGHT = CleanRoom().reason_code
{module}

class Mine:
    name = "mine"
    def reason_code(self, text):
        {method}
"""
_DISAGREES, _NO_VERDICT = pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR
_WRONG = "return 'harbor_reward_parse_error'"
_MEDDLING = [
    # What the runner does when it is imported, and when it is asked; and the exit code.
    ("", "os._exit(0)", _NO_VERDICT),
    ("", "os.kill(os.getpid(), signal.SIGKILL)", _NO_VERDICT),
    ("os._exit(0)", "", _NO_VERDICT),
    ("sys.exit(0)", "", _NO_VERDICT),
    ("atexit.register(os._exit, 0)", _WRONG, _DISAGREES),
    ("", "sys.exit(0)", _DISAGREES),
    ("", "pytest.skip('no')", _DISAGREES),
    ("", "pytest.xfail('no')", _DISAGREES),
    ("", "pytest.fail('no')", _DISAGREES),
    ("", "pytest.exit('no', 0)", _DISAGREES),
    ("", "raise GeneratorExit", _DISAGREES),
    ("", "raise KeyboardInterrupt", pytest.ExitCode.INTERRUPTED),
    ("", f"os.chdir('gone'); os.rmdir(os.getcwd()); {_WRONG}", _DISAGREES),
    ("", f"sys.stdout.close(); {_WRONG}", _DISAGREES),
    ("", f"os.close(1); os.close(2); {_WRONG}", _DISAGREES),
    ("", f"os.closerange(3, 200); {_WRONG}", _NO_VERDICT),
    ("", f"sys.stdout = sys.stderr = None; {_WRONG}", _DISAGREES),
    ("", f"signal.signal(signal.SIGINT, signal.SIG_IGN); {_WRONG}", _DISAGREES),
    ("warnings.simplefilter('error')", _WRONG, _DISAGREES),
    ("builtins.print = builtins.repr = None", _WRONG, _NO_VERDICT),
    ("json.loads = json.dumps = None", _WRONG, _NO_VERDICT),
    ("sys.exit = os._exit", _WRONG, _DISAGREES),
]


def _write(directory: Path, module: str, method: str) -> None:
    (directory / "gone").mkdir()
    (directory / "mine.py").write_text(_RUNNER.format(module=module, method=method or "return RIGHT(text)"))


@pytest.mark.parametrize(("module", "method", "code"), _MEDDLING)
def test_runner_that_meddles_never_agrees(module: str, method: str, code: int, tmp_path: Path) -> None:
    """The exit code of a runner that ends its process, or changes it, is never that of a runner that agrees."""
    _write(tmp_path, module, method)

    ran = run_pytest(
        *_SUITE, "--runner", "mine:Mine", cwd=tmp_path, environment={**os.environ, "PYTHONPATH": os.fspath(ROOT)}
    )

    assert ran.returncode == code, ran.stdout + ran.stderr


def test_call_with_a_runner_that_ends_its_process_raises_an_error() -> None:
    """`assert_parity` does not take the end of the runner's process for agreement."""

    class Ends:
        name = "ends"

        def reason_code(self, text: str | None) -> str | None:
            os._exit(0)

    with pytest.raises(SuiteError, match=r"the suite's process ended \(exit code 0\) before there was a verdict"):
        assert_parity(Ends(), operations=["reason_code"])


_SLEEPS = """
import sys, time

class Mine:
    name = "mine"
    def read_reward(self, directory):
        return {"reward": 1.0}
    def reason_code(self, text):
        print("asked", file=sys.__stderr__, flush=True)
        time.sleep(3600)
"""


def _take_ctrl_c() -> None:
    """Let a process take SIGINT, which whoever runs this test may ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("to_group", [True, False])
def test_ctrl_c_after_a_divergence_ends_the_run_and_shows_it(to_group: bool, tmp_path: Path) -> None:
    """Ctrl-C ends a run with pytest's code for it; what was found before is shown and recorded."""
    (tmp_path / "mine.py").write_text(_SLEEPS)
    options = ["-k", "read_reward or reason_code", "--case-timeout", "3600", "-s", "--report", "report.json"]
    command = [sys.executable, "-m", "pytest", *_SUITE, *options, "--runner", "mine:Mine"]

    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.fspath(ROOT)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_take_ctrl_c,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        assert running.stderr.readline() == "asked\n"
        os.killpg(running.pid, signal.SIGINT) if to_group else os.kill(running.pid, signal.SIGINT)
        printed, _ = running.communicate()

    assert running.returncode == pytest.ExitCode.INTERRUPTED, printed
    assert "DIVERGENCE in read_reward (pays out)" in printed
    assert read_report(tmp_path / "report.json").final.verdict == "diverges"


def test_termination_ends_the_run(tmp_path: Path) -> None:
    """SIGTERM, sent to the process that was started, ends all processes of the run."""
    (tmp_path / "mine.py").write_text(_SLEEPS)
    command = [sys.executable, "-m", "pytest", *_SUITE, "-s", "--case-timeout", "3600", "--runner", "mine:Mine"]

    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.fspath(ROOT)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        assert running.stderr.readline() == "asked\n"
        running.terminate()
        running.communicate()  # waits until no process has the other end

    assert running.returncode == -signal.SIGTERM
