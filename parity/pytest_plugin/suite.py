"""The pytest plugin of runs of the suite: options, the session's header and summary, and reports of divergences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from parity.pytest_plugin.asked import is_in, with_own_paths
from parity.pytest_plugin.collecting import SUITE, draws, is_complete, is_left_out, rank, verifies_goldens
from parity.pytest_plugin.garbage import RareCollection
from parity.pytest_plugin.options import CLASHES, check_options, has_workers, suite_command
from parity.pytest_plugin.stopping import WORKER_SECONDS, Stopper
from parity.reference.separate.lost import ReferenceLost

if TYPE_CHECKING:
    from parity.pytest_plugin.session import Session

_DEFAULT_LINES = "fE"
"""Of which outcomes pytest's summary has lines by itself: failures and errors."""

_LARGE_REPR = "ignore:Generating overly large repr"
MARKERS = (
    "operation(name): the operation that this test asks for",
    "smoke: checks the reference itself, before any runner is judged by it",
    "replay: asks the cases of --replay, and is left out of every other run",
    "declared: asks the witnesses of --divergences, and is left out of every other run",
)
SESSION = pytest.StashKey["Session"]()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Verify the reference and load the runner before anything is collected."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    # Hypothesis describes failing cases with all their bytes; the reports here are our own.
    config.addinivalue_line("filterwarnings", _LARGE_REPR)
    if config.option.help or config.option.version:
        return
    if config.option.pyargs:
        config.args[:] = with_own_paths(config.args, config.invocation_params.dir)
    from parity.pytest_plugin.opening import open_session, report_places, show
    from parity.pytest_plugin.session import SessionError

    check_options(config.option)
    config.add_cleanup(RareCollection.leave_out_what_is_loaded)  # between the two times that pytest collects at the end
    stopper = Stopper()
    stopper.install(in_worker=hasattr(config, "workerinput"))
    config.add_cleanup(stopper.restore)
    try:
        session = open_session(config.option, partial(show, config))
    except SessionError as error:
        raise pytest.UsageError(str(error)) from None
    except KeyboardInterrupt:
        pytest.exit(stopper.reason, stopper.exit_code)
    try:
        reports = [] if hasattr(config, "workerinput") else report_places(config.option)
    except SessionError as error:
        session.close()
        raise pytest.UsageError(str(error)) from None
    if has_workers(config.option):
        session.end_program()  # they ask, each a program of its own
    config.stash[SESSION] = session
    config.pluginmanager.register(SuitePlugin(config, session, reports, stopper), "parity-session")


class SuitePlugin:
    """The hooks of a run that collects the suite."""

    def __init__(self, config: pytest.Config, session: Session, reports: list[Path], stopper: Stopper) -> None:
        self.config = config
        self.session = session
        self.reports = reports
        self.stopper = stopper
        self.ran = False
        """Whether a test was started."""

        self.unwritten: list[str] = []
        self.drafted: list[str] = []
        self.collected: list[pytest.Item] = []
        """The tests of the suite, before any is left out."""

        self.complete = False
        """Whether every test that draws cases was selected, so that every flag should have been reached."""

    def pytest_report_header(self) -> list[str]:
        return [*self.session.header(), *self.config.stash[CLASHES].values()]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return is_left_out(collection_path, replaying=bool(self.session.replays)) or None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        shards = self.session.scale(metafunc.function)
        if shards > 1:
            metafunc.fixturenames.append("shard")
            metafunc.parametrize("shard", range(shards), ids="shard-{}".format)

        if "declaration" in metafunc.fixturenames:
            metafunc.parametrize("declaration", self.session.declarations, ids=lambda each: each.name)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        replaying = bool(self.session.replays)
        ours = self.collected = [item for item in items if is_in(item.path, SUITE)]
        unwanted = [item for item in ours if (item.get_closest_marker("replay") is not None) != replaying]
        if not self.session.declarations:
            unwanted += [item for item in ours if item.get_closest_marker("declared") and item not in unwanted]
        if not self.session.checker.asks:
            unwanted = [item for item in ours if not draws(item)]
        if self.session.golden_only:
            unwanted = [item for item in ours if "golden" not in getattr(item, "fixturenames", ())]
        for item in ours:  # whatever another project makes errors of, its warnings change no answer
            item.add_marker(pytest.mark.filterwarnings("default", _LARGE_REPR))
        if unwanted:
            items[:] = [item for item in items if item not in unwanted]
            self.config.hook.pytest_deselected(items=unwanted)
        from parity.pytest_plugin.session import SessionError

        try:
            for item in ours:
                if item not in unwanted:
                    self.session.prepare(item)
        except SessionError as error:
            raise pytest.UsageError(str(error)) from None
        drawing = any(map(draws, items))
        again = verifies_goldens(self.config.option, self.session.reference, drawing=drawing)
        self.session.checker.verifies_goldens = again
        items.sort(key=rank)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.complete = is_complete(session.items, self.collected, self.session.profile.shards)
        RareCollection.leave_out_what_is_loaded()

    def pytest_runtest_logstart(self) -> None:
        if self.reports and not self.ran:
            from parity.report.places import mark

            mark(self.reports)
        self.ran = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        try:
            self.session.begin(item)
            with self.session.checker.clock.installed():
                return (yield)
        except ReferenceLost as lost:
            self.session.lost = str(lost)
            item.session.shouldstop = "the reference was lost"
            pytest.skip(item.session.shouldstop)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report: pytest.TestReport = yield
        if call.excinfo is not None and report.failed:
            text = self.session.report_findings(call.excinfo.value, self._replay_command)
            if text:
                from parity.judging.findings import is_in_summary

                report.longrepr = text
                if is_in_summary(text):
                    report.__dict__["_pdbshown"] = True  # pytest then leaves its section out, but not its FAILED line
        # What pytest-xdist sends along, so that a failure counts for the operations that it is about.
        report.__dict__.update(parity_asked=self.session.asked(item), parity_draws=draws(item))
        return report

    def _replay_command(self, path: Path) -> str:
        return suite_command(self.config, "--replay", _relative(path), *self.session.options)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.session.cut = _was_cut(session)
        self.session.stop_measuring()
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["parity"] = self.session.tally.to_plain()
            output["parity_complete"] = self.complete
            output["parity_lost"] = self.session.lost
            self.session.close()
            output["parity_complaint"] = self.session.complaint
            return
        self._write_draft(session)
        self.session.close()
        if self.ran and self.complete and self.session.unmatched() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.session.lost:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        if self.stopper.came:
            session.exitstatus = self.stopper.exit_code
        if self.reports and self.ran:
            self._write_reports(session)

    def _write_draft(self, session: pytest.Session) -> None:
        from parity.pytest_plugin.session import SessionError

        path = self.config.option.parity_write_divergences
        if path is None:
            return
        if self.session.cut or self.config.option.collectonly:
            why = "no test ran" if self.config.option.collectonly else "the run did not get to its end"
            self.drafted = [f"{path} was not written: {why}"]
            return
        try:
            self.drafted = [f"{path}: {line}" for line in self.session.write_draft()]
        except SessionError as error:
            self.drafted = [f"{path} {error}"]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write_reports(self, session: pytest.Session) -> None:
        from parity.pytest_plugin.reporting import report_of
        from parity.report.places import write_report

        report = report_of(
            self.session,
            complete=self.complete,
            end="interrupted" if self.session.cut else "finished",
            exit_code=int(session.exitstatus),
        )
        self.unwritten = write_report(report, self.reports)
        if self.unwritten and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        node.nodemanager.EXIT_TIMEOUT = WORKER_SECONDS

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {})
        if "parity" in sent:
            self.session.tally.add(sent["parity"])
            self.complete = sent["parity_complete"]
            self.session.lost = self.session.lost or sent["parity_lost"]
            self.session.complaint = self.session.complaint or sent["parity_complaint"]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # that of a worker that died names no operations
            asked, draws = getattr(report, "parity_asked", ()), getattr(report, "parity_draws", False)
            self.session.tally.note_failure(asked, draws=draws)

    def pytest_unconfigure(self) -> None:
        self.session.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from parity.pytest_plugin.summary import write_summary

        if self.session.lost:
            terminalreporter.write_line(self.session.lost, red=True)
            return
        if not self.config.option.collectonly:
            verbose = self.config.option.verbose > 0
            shows_all = verbose or bool(self.session.replays)
            write_summary(terminalreporter, self.session, complete=self.complete, verbose=shows_all)
            if not verbose:
                _leave_out_reported(terminalreporter)
        for line in self.drafted:
            terminalreporter.write_line(line)
        if self.reports and not self.ran:
            terminalreporter.write_line("report: none is written, because no test ran")
            return
        for line in self.unwritten:
            terminalreporter.write_line(f"report: {line}", red=True)
        if self.reports and self.session.tally.unmeasured:
            terminalreporter.write_line(f"report: without coverage of the wheel: {self.session.tally.unmeasured}")
        for path in self.reports if not self.unwritten else ():
            terminalreporter.write_line(f"report: {_relative(path)}")


def _leave_out_reported(terminal: pytest.TerminalReporter) -> None:
    """Where the summary says all that failed, leave out pytest's own line for each test, unless `-r` asks for it."""
    from parity.judging.findings import is_in_summary

    failed = terminal.stats.get("failed", [])
    asked = terminal.config.option.reportchars != _DEFAULT_LINES
    if not asked and all(is_in_summary(str(report.longrepr)) for report in failed):
        terminal.reportchars = terminal.reportchars.replace("f", "")


def _was_cut(session: pytest.Session) -> bool:
    """Whether the run did not get to its end."""
    ends = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    return session.exitstatus not in ends or bool(session.shouldfail or session.shouldstop)


def _relative(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
