"""Tests of the exit code of a run in which another plugin fails, warns, or interrupts."""

from pathlib import Path

import pytest

from tests.plugin.ended_runs import HOOKS, NO_VERDICT, SOME, WRONG, is_shown_in_a_line, plugin_of
from tests.running import Run


@pytest.mark.parametrize("hook", HOOKS)
def test_failing_plugin_leaves_no_verdict(hook: str, tmp_path: Path, run: Run) -> None:
    """If another plugin fails in any hook, there is no verdict."""
    plugin = plugin_of(tmp_path, hook, "raise RuntimeError('out of order')")

    ran = run(*plugin, *SOME)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert is_shown_in_a_line(ran, "RuntimeError: out of order")


def test_full_trace_shows_the_traceback_of_a_plugins_error(tmp_path: Path, run: Run) -> None:
    """`--full-trace` shows the traceback of another plugin's error."""
    plugin = plugin_of(tmp_path, "pytest_unconfigure", "raise RuntimeError('out of order')")

    ran = run(*plugin, *SOME, "--full-trace")

    assert ran.returncode == NO_VERDICT
    assert "raise RuntimeError('out of order')" in ran.stdout + ran.stderr


def test_failing_plugin_in_a_worker_leaves_no_verdict(tmp_path: Path, run_process: Run) -> None:
    """An error of another plugin in a worker is reported like one in the main process."""
    in_worker = "if hasattr(items[0].config, 'workerinput'): raise RuntimeError('out of order')"
    plugin = plugin_of(tmp_path, "pytest_collection_modifyitems", in_worker)

    ran = run_process(*plugin, *SOME, "-p", "xdist", "-n", "1")

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr
    assert is_shown_in_a_line(ran, "no verdict: RuntimeError: out of order")


@pytest.mark.parametrize(
    ("name", "code"), [("nowhere", pytest.ExitCode.USAGE_ERROR), ("broken", pytest.ExitCode.INTERNAL_ERROR)]
)
def test_missing_plugin_ends_with_pytests_code(name: str, code: int, tmp_path: Path, run: Run) -> None:
    """If another plugin cannot be imported, pytest ends the run before it loads the suite."""
    (tmp_path / "broken.py").write_text("1 / 0")

    ran = run("-p", name, *SOME)

    assert ran.returncode == code, ran.stdout + ran.stderr


@pytest.mark.parametrize("does", ["session.exitstatus = 1", "import pytest; pytest.exit('enough', 1)", "exit(1)"])
def test_exit_code_of_another_plugin_is_ignored(does: str, tmp_path: Path, run: Run) -> None:
    """An exit code 1 from another plugin does not mean that the runner disagrees."""
    plugin = plugin_of(tmp_path, "pytest_sessionfinish", does)

    ran = run(*plugin, *SOME)

    assert ran.returncode == NO_VERDICT, ran.stdout + ran.stderr


@pytest.mark.parametrize("hook", ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_unconfigure"])
def test_failing_plugin_does_not_change_the_exit_code_for_a_divergence(hook: str, tmp_path: Path, run: Run) -> None:
    """If another plugin fails after a divergence, the exit code is still 1."""
    plugin = plugin_of(tmp_path, hook, "raise RuntimeError('out of order')")

    ran = run(*plugin, *WRONG)

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    assert is_shown_in_a_line(ran, "RuntimeError: out of order")


@pytest.mark.parametrize("hook", ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_unconfigure"])
def test_warning_at_the_end_does_not_change_the_verdict(hook: str, tmp_path: Path, run: Run) -> None:
    """A warning at the end that is turned into an error does not change the verdict."""
    plugin = plugin_of(tmp_path, hook, "import warnings; warnings.warn('no cache')")

    ran = run(*plugin, *SOME, "-W", "error")

    assert ran.returncode == pytest.ExitCode.OK, ran.stdout + ran.stderr
    assert is_shown_in_a_line(ran, "parity warning: UserWarning: no cache")


@pytest.mark.parametrize("hook", ["pytest_configure", "pytest_runtest_setup", "pytest_unconfigure"])
def test_interrupt_ends_the_run_with_pytests_code(hook: str, tmp_path: Path, run: Run) -> None:
    """Ctrl-C at the beginning, in the middle and at the end ends the run like pytest's own interrupt."""
    plugin = plugin_of(tmp_path, hook, "raise KeyboardInterrupt")

    ran = run(*plugin, *SOME)

    assert ran.returncode == pytest.ExitCode.INTERRUPTED, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_interrupt_while_plugins_start_prints_nothing(tmp_path: Path, run_process: Run) -> None:
    """Ctrl-C while plugins start ends the run with pytest's code for an interrupt, without output."""
    (tmp_path / "theirs.py").write_text("def pytest_load_initial_conftests(): raise KeyboardInterrupt")

    ran = run_process("-p", "theirs", *SOME)

    assert (ran.returncode, ran.stdout, ran.stderr) == (pytest.ExitCode.INTERRUPTED, "", "")
