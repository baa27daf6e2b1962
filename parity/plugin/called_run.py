"""The plugin of a run for `assert_parity`: it gives the run the caller's runner, and keeps its result."""

from collections.abc import Iterator, Sequence
from io import StringIO

import pytest

from parity.plugin.hooks import SESSION
from parity.plugin.options import CALL, Call
from parity.plugin.run_end import ENDING
from parity.runners import claims
from parity.suite.findings import is_in_summary
from parity.suite.harm import counted
from parity.suite.run import answered_vectors, total


class CalledRun:
    """The hooks of such a run."""

    def __init__(self, call: Call, operations: Sequence[str]) -> None:
        """Make the plugin.

        Args:
            call: the call of `assert_parity`.
            operations: the operations that the runner has to claim.
        """
        self._call = call
        self._operations = operations
        self.text = ""
        """The sections of failed tests that the summary does not show, and the summary."""

        self.failures: list[str] = []
        """The sections of failed tests that the summary does not show."""

        self.problems: list[str] = []
        """Reasons why there is no verdict, one line each."""

        self.unclaimed: list[str] = []
        """A line for each operation that the runner lacks."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[CALL] = self._call

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_cmdline_main(self) -> Iterator[None]:
        try:
            return (yield)
        except pytest.UsageError as error:
            self.problems.append(str(error))
            raise

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if isinstance(excinfo.value, pytest.exit.Exception):
            self.problems.append(excinfo.value.msg)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not is_in_summary(report.longreprtext):
            self.failures.append(report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failures.append(report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, config: pytest.Config) -> None:
        """Write the summary a second time, as the text for the caller."""
        session, written = config.stash[SESSION], StringIO()
        self.unclaimed = [
            f"{session.checker.runner.name} has no {name}"
            for name in self._operations
            if not claims(session.checker.runner, name)
        ]
        self.problems += config.stash[ENDING].faults
        terminal = pytest.TerminalReporter(config, written)
        for section in self.failures:
            terminal.write_line(section)
        suite = config.pluginmanager.getplugin("parity-session")
        assert suite is not None
        suite.pytest_terminal_summary(terminal)
        cases = total(session.run.counts, "begun")
        if cases or answered_vectors(session.run.counts):
            generated = counted(cases, "generated case")
            terminal.write_line(f"profile {session.profile.name}: {generated}, seed {session.seed}")
        self.text = written.getvalue().rstrip("\n")
