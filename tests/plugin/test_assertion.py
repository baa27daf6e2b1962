"""Tests of `assert_parity`, which runs the suite in one call from tests and scripts of other projects."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from parity import SuiteError, assert_parity
from parity.plugin.profiles import FIXED_SEED
from parity.runners import CleanRoom
from tests.plugin.forgetful import RIGHT, WRONG
from tests.running import PYTHON, ROOT, Run, run_pytest

_OPERATIONS = ("reason_code",)
_ASSERTS = "assert_parity(Mine(), operations=['pass_at_k'])"
_FILE = f"""
from parity import assert_parity
from parity.runners import CleanRoom, Unsupported

class Mine:
    name = "mine"
    def pass_at_k(self, trials):
        return CleanRoom().pass_at_k(trials)

def test_it():
    {_ASSERTS}

if __name__ == "__main__":
    {_ASSERTS}
"""


def _raises() -> object:
    raise ZeroDivisionError("no runner")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test in an empty directory, where replay files are written."""
    monkeypatch.chdir(tmp_path)


def test_call_with_an_agreeing_runner_returns_the_summary() -> None:
    """The suite calls the caller's own runner object, and the call returns the summary if the runner agrees."""
    summary = assert_parity(RIGHT, operations=_OPERATIONS)

    assert summary.splitlines()[0].strip("= ") == "parity: forgetful against harbor 0.13.1"
    assert re.search(r"^reason_code +0 +0 +\d+  agrees$", summary, re.MULTILINE)
    assert summary.splitlines()[-1] == f"profile default: 0 generated cases, seed {FIXED_SEED}"


def test_conftest_of_the_caller_is_not_loaded(tmp_path: Path) -> None:
    """A conftest of the caller's project may fail, or have options of the same names as the suite."""
    (tmp_path / "conftest.py").write_text("raise RuntimeError")

    assert "agrees" in assert_parity(RIGHT, operations=_OPERATIONS)


class _DropsFile:
    """A right runner with an open file, which it drops without closing it when it is asked."""

    name = "drops-file"

    def __init__(self, path: Path) -> None:
        self._files = [path.open("w")]

    def reason_code(self, text: str | None) -> str | None:
        self._files.clear()
        return RIGHT.reason_code(text)

    def close(self) -> None:
        self._files.pop().close()


def test_open_file_of_the_caller_causes_no_warning(tmp_path: Path) -> None:
    """A file that the caller has left open causes no warning in the forked run, which drops the last reference."""
    runner = _DropsFile(tmp_path / "left")

    summary = assert_parity(runner, operations=_OPERATIONS)

    runner.close()
    assert "agrees" in summary


def test_error_about_a_diverging_runner_has_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message has the rule, the smallest case, both answers, and a call that runs that case again, anywhere."""
    with pytest.raises(AssertionError, match=r"^not scored as Harbor does:\n") as caught:
        assert_parity(WRONG, operations=_OPERATIONS, reference=sys.executable)
    replay = re.search(r"replay +assert_parity\(…, replay='(.+)', reference='(.+)'\)", str(caught.value))
    assert replay is not None
    monkeypatch.chdir("/")
    with pytest.raises(AssertionError) as again:
        assert_parity(WRONG, operations=["aggregate"], replay=replay[1], reference=replay[2])

    for message in (str(caught.value), str(again.value)):
        assert re.search(r"DIVERGENCE in reason_code \(hides failure\): reason-code/\S+: ", message)
        assert re.search(
            r"\n  (?:vector|smallest case) +.*\n  the scoring description +'harbor.*\n  forgetful +None\n", message
        )
    assert assert_parity(RIGHT, replay=replay[1])


def test_error_names_the_calling_test() -> None:
    """The message names commands that work: for an object, the test that calls, and for a module and name, these."""
    with pytest.raises(AssertionError) as of_object:
        assert_parity(WRONG, operations=_OPERATIONS, reference="golden")
    with pytest.raises(AssertionError) as of_name:
        assert_parity("tests.plugin.forgetful:WRONG", operations=_OPERATIONS, reference="golden")

    again = "pytest tests/plugin/test_assertion.py::test_error_names_the_calling_test"
    assert f", and the same call without reference='golden': {again}\n" in str(of_object.value)
    assert " && pytest --pyargs parity --runner tests.plugin.forgetful:WRONG\n" in str(of_name.value)
    assert "parity.plugin" not in str(of_object.value)


def test_error_names_the_calling_program(tmp_path: Path) -> None:
    """In a script, the message names the command that started it."""
    (tmp_path / "script.py").write_text(
        "from parity import assert_parity\nfrom tests.plugin.forgetful import WRONG\n"
        "assert_parity(WRONG, operations=['reason_code'], reference='golden')\n"
    )
    outside = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}

    ran = subprocess.run(
        [sys.executable, "script.py"], env={**outside, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )

    assert f"without reference='golden': {PYTHON} script.py\n" in ran.stderr


def test_process_of_the_caller_is_not_changed(tmp_path: Path) -> None:
    """The call leaves no settings of Hypothesis, modules, variables or scratch directories in the caller's process."""
    before = settings.default, dict(os.environ)
    loaded = "[each for each in ('hypothesis', 'harbor', 'pytest') if each in sys.modules]"
    program = [sys.executable, "-c", f"import sys; {_FILE}\nprint({loaded})"]

    assert_parity(CleanRoom, operations=_OPERATIONS)
    variables = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(program, env=variables, capture_output=True, text=True, check=True)

    assert before == (settings.default, dict(os.environ))
    assert done.stdout == "[]\n"
    assert list(tmp_path.glob("parity-*")) == []


def test_two_threads_may_call_at_the_same_time() -> None:
    """Two threads may call `assert_parity` at the same time, each with its own runner."""
    with ThreadPoolExecutor(2) as threads:
        good, bad = (threads.submit(assert_parity, each, operations=_OPERATIONS) for each in (RIGHT, WRONG))

        assert "agrees" in good.result()
        assert isinstance(bad.exception(), AssertionError)


def test_command_and_divergences_are_accepted(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call accepts a command line in place of a runner, and a file of declared divergences."""
    served = f"{PYTHON} -m parity serve tests.plugin.forgetful:WRONG"
    drafted = tmp_path / "declared.toml"
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    options = ("--pyargs", "parity.operations.reason_code", "--runner-cmd", served, "--profile", "quick")
    run(*options, "--write-divergences", str(drafted)).check_returncode()
    drafted.write_text(drafted.read_text().replace('reason = ""', 'reason = "it forgets"'))

    summary = assert_parity(command=served, divergences=drafted, profile="quick")

    assert re.search(r"^reason_code .* diverges as declared in [\d,]+ cases, else agrees$", summary, re.MULTILINE)
    with pytest.raises(AssertionError, match=r"declared as .*, but no longer diverges: "):
        assert_parity(RIGHT, divergences=drafted, profile="quick")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "assert_parity needs a runner or a command: give exactly one of them"),
        ({"runner": CleanRoom, "command": "x"}, ValueError, "assert_parity needs a runner or a command"),
        ({"runner": CleanRoom, "operations": ["reward"]}, ValueError, "unknown operation reward; the operations "),
        ({"runner": RIGHT, "operations": ["outcome"]}, SuiteError, "not claimed: forgetful has no outcome"),
        ({"runner": "nowhere:Runner"}, SuiteError, "--runner nowhere:Runner: ModuleNotFoundError: "),
        ({"runner": object()}, SuiteError, "the runner of assert_parity: a runner needs a name, but object has none"),
        ({"runner": _raises}, SuiteError, "the runner of assert_parity: ZeroDivisionError: "),
        ({"runner": CleanRoom, "replay": "no.json"}, SuiteError, "no.json"),
    ],
)
def test_call_that_cannot_run_raises_an_error_of_one_line(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    """A call that cannot run raises an error of one line."""
    with pytest.raises(error) as caught:
        assert_parity(**arguments)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [("-W", "error"), ("-n", "1")], ids=" ".join)
def test_settings_of_the_callers_project_do_not_affect_the_run(
    run_process: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """Settings of the caller's project do not affect the run."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "test_mine.py").write_text(_FILE)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers --strict-config -x\n")

    # In a new process if warnings are errors, because warnings during imports must count, too.
    started = run_process if "error" in options else partial(run_pytest, "-p", "no:cacheprovider", cwd=tmp_path)
    done = started("-p", "xdist", *options)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
