"""The pytest plugin of the suite's runs: options, the session's header and summary, and reports of divergences."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from parity.reference.separate.client import ReferenceLost
from parity.suite.plugin.collection import SUITE, Selection, draws, is_left_out, rank, select, verifies_goldens
from parity.suite.plugin.command_line import with_own_paths
from parity.suite.plugin.options import CLASHES, check_options, has_workers, relative, suite_command
from parity.suite.plugin.run_end import ENDING, was_interrupted

if TYPE_CHECKING:
    from parity.suite.plugin.session import Session
    from parity.suite.records import End

_LARGE_REPR = "ignore:Generating overly large repr"
MARKERS = (
    "operation(name): the operation that this test asks for",
    "smoke: checks the reference itself, before any runner is judged by it",
    "replay: asks the cases of --replay, and is left out of every other run",
)
SESSION = pytest.StashKey["Session"]()
_MOST_REASONS = 3
"""The number of reasons that are listed if nothing is tested."""

_FAILED = pytest.StashKey[list[Any]]()
"""The reports of failed tests, kept while pytest's summary leaves some of them out."""


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Verify the reference and load the runner before anything is collected."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    # Hypothesis describes failing cases with all their bytes; the suite has its own reports.
    config.addinivalue_line("filterwarnings", _LARGE_REPR)
    config.addinivalue_line("filterwarnings", "default::pytest.PytestWarning")  # such as a cache that cannot be written
    if config.option.help or config.option.version:
        return
    if config.option.pyargs:
        config.args[:] = with_own_paths(config.args, config.invocation_params.dir)
    from parity.suite.plugin.session import SessionError
    from parity.suite.plugin.session_start import open_session, report_places, show

    check_options(config.option)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # a runner's warning at its import is not an error
            session = open_session(config.option, partial(show, config))
    except SessionError as error:
        raise pytest.UsageError(str(error)) from None
    try:
        reports = [] if hasattr(config, "workerinput") else report_places(config.option)
    except SessionError as error:
        session.close()
        raise pytest.UsageError(str(error)) from None
    if not (hasattr(config, "workerinput") or session.replays or config.option.collectonly):
        session.remove_replays()
    if has_workers(config.option):
        session.end_program()  # each worker starts a program of its own
    config.stash[SESSION] = session
    config.pluginmanager.register(SuitePlugin(config, session, reports), "parity-session")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> Iterator[None]:
    """Leave out pytest's section for each failure that the suite's own summary shows."""
    from parity.suite.findings import is_in_summary

    failed = terminalreporter.stats.get("failed", [])
    if SESSION in config.stash and failed:
        config.stash[_FAILED] = failed
        terminalreporter.stats["failed"] = [each for each in failed if not is_in_summary(str(each.longrepr))]
    return (yield)


class SuitePlugin:
    """The hooks of a run that collects the suite."""

    def __init__(self, config: pytest.Config, session: Session, reports: list[Path]) -> None:
        self.config = config
        self.session = session
        self.reports = reports
        self.ending = config.stash[ENDING]
        self.ran = False
        """Whether a test was started."""

        self.unwritten: list[str] = []
        self.drafted: list[str] = []
        self.skipped: dict[str, None] = {}
        """The reasons why tests of operations were skipped, each once."""

        self.collected: list[pytest.Item] = []
        """The tests of the suite, before any is left out."""

        self.selection = Selection()

    def pytest_report_header(self) -> list[str]:
        return [*self.session.header(), *self.config.stash[CLASHES].values()]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return is_left_out(collection_path, replaying=bool(self.session.replays)) or None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        shards = self.session.scale(metafunc.function)
        if shards > 1:
            metafunc.fixturenames.append("shard")
            metafunc.parametrize("shard", range(shards), ids="shard-{}".format)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if item.path.is_relative_to(SUITE):
            self.collected.append(item)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        replaying = bool(self.session.replays)
        ours = [item for item in items if item.path.is_relative_to(SUITE)]
        unwanted = [item for item in ours if (item.get_closest_marker("replay") is not None) != replaying]
        if self.session.golden_only and not replaying:
            unwanted = [item for item in ours if "golden" not in getattr(item, "fixturenames", ())]
        for item in ours:  # another project's warning filters must not change an answer
            item.add_marker(pytest.mark.filterwarnings("default", _LARGE_REPR))
        if unwanted:
            items[:] = [item for item in items if item not in unwanted]
            self.config.hook.pytest_deselected(items=unwanted)
        from parity.suite.plugin.session import SessionError

        try:
            for item in ours:
                if item not in unwanted:
                    self.session.prepare(item)
        except SessionError as error:
            raise pytest.UsageError(str(error)) from None
        drawing = any(map(draws, items))
        again = verifies_goldens(self.config.option, self.session.reference, drawing=drawing)
        self.session.checker.verifies_goldens = again
        items.sort(key=lambda item: (self.session.round_of(item), rank(item)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.selection = select(session.items, self.collected, self.session.items_per_test)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        return self.session.leaves_out(item) or None

    def pytest_runtest_logstart(self) -> None:
        if self.reports and not self.ran:
            from parity.suite.report.report_files import mark

            mark(self.reports)
        self.ran = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        try:
            self.session.begin(item)
            with self.session.checker.clock.installed():
                return (yield)
        except ReferenceLost as lost:
            self._stop(item, str(lost), "the reference was lost")
        except Exception:
            from parity.suite.plugin.session_start import lack_of_room

            if lack := lack_of_room():  # the lack of room may have caused the test's findings
                self._stop(item, lack, "no room for files")
            raise

    def _stop(self, item: pytest.Item, why: str, reason: str) -> NoReturn:
        """End the run without a verdict, and skip the test that cannot go on."""
        self.session.lost = why
        item.session.shouldstop = reason
        pytest.skip(reason)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report: pytest.TestReport = yield
        if call.excinfo is not None and report.failed:
            from parity.suite.findings import is_disagreement, is_stale_only

            report.__dict__["parity_disagrees"] = is_disagreement(call.excinfo.value)
            report.__dict__["parity_stale_only"] = is_stale_only(call.excinfo.value)
            text = self.session.report_findings(call.excinfo.value, self._replay_command)
            if text:
                report.longrepr = text
        # pytest-xdist sends this along, so that a failure counts for its operations.
        report.__dict__.update(parity_asked=self.session.asked(item))
        return report

    def _replay_command(self, path: Path) -> str:
        return suite_command(self.config, "--replay", relative(path), *self.session.options)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # raised by another plugin
            self.ending.note(error)
        finally:
            self._finish(session)

    def _finish(self, session: pytest.Session) -> None:
        self.session.cut = was_interrupted(session)
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            self.session.close()
            tally, selection = self.session.tally.to_plain(), astuple(self.selection)
            output["parity"] = tally, selection, self.session.lost, self.session.complaint
            return
        self.session.keep_replays()
        self._write_draft(session)
        self.session.close()
        status = int(session.exitstatus)
        if self.session.lost:
            self.ending.faults = [self.session.lost]
            status = pytest.ExitCode.USAGE_ERROR
        if status == pytest.ExitCode.OK and (why := self._why_nothing_is_tested()):
            self.ending.faults.append(f"nothing is tested: {why}")
            status = pytest.ExitCode.NO_TESTS_COLLECTED
        session.exitstatus = self.ending.decide(status)
        if self.reports and self.ran:
            self._write_reports(int(session.exitstatus))
            session.exitstatus = self.ending.decide(status)

    def _why_nothing_is_tested(self) -> str | None:
        """Return the reasons why no answer from the runner was compared; None if one was, or if no test needs one."""
        counts = self.session.tally.operations.values()
        if any(each.comparisons or each.vectors or each.skipped for each in counts):
            return None
        if any(each.not_claimed for each in counts):
            return f"{self.session.checker.runner.name} claims no case"
        reasons = [*self.skipped]
        more = [f"and {len(reasons) - _MOST_REASONS} more"] if len(reasons) > _MOST_REASONS else []
        return "; ".join([*reasons[:_MOST_REASONS], *more]) or None

    def _write_draft(self, session: pytest.Session) -> None:
        from parity.suite.plugin.session import SessionError

        if (path := self.config.option.parity_write_divergences) is None:
            return
        if self.session.cut or self.config.option.collectonly:
            why = "no test ran" if self.config.option.collectonly else "the run did not get to its end"
            self.drafted = [f"{path} was not written: {why}"]
            return
        try:
            self.drafted = [f"{path}: {line}" for line in self.session.write_draft()]
        except SessionError as error:
            self.ending.faults.append(f"{path} {error}")

    def _write_reports(self, exit_code: int) -> None:
        from parity.suite.plugin.session_report import report_of
        from parity.suite.report.report_files import write_report

        end: End = "interrupted" if self.session.cut else "finished"
        report = report_of(self.session, self.selection, end=end, exit_code=exit_code)
        self.unwritten = write_report(report, self.reports)
        self.ending.faults += self.unwritten

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if sent := getattr(node, "workeroutput", {}).get("parity"):
            tally, selection, lost, complaint = sent
            self.session.tally.add(tally)
            self.selection = Selection(*selection)
            self.session.lost, self.session.complaint = self.session.lost or lost, self.session.complaint or complaint

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ending.disagrees |= getattr(report, "parity_disagrees", False)
        is_stale_only = getattr(report, "parity_stale_only", False)
        asked: list[str] = getattr(report, "parity_asked", [])  # the report of a dead worker names no operations
        if asked and isinstance(report.longrepr, tuple):  # it was skipped
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] = None
        if report.failed and not is_stale_only:
            self.session.tally.note_failure(asked)

    def pytest_unconfigure(self) -> None:
        self.session.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if _FAILED in self.config.stash:  # pytest has already shown its sections
            terminalreporter.stats["failed"] = self.config.stash[_FAILED]
        if not self.session.lost:
            self._write_summary(terminalreporter)
        self.ending.write(terminalreporter)

    def _write_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from parity.suite.plugin.summary import leave_out_reported, write_summary

        if not self.config.option.collectonly:
            verbose = self.config.option.verbose > 0
            shows_all = verbose or bool(self.session.replays)
            write_summary(terminalreporter, self.session, complete=self.selection.complete, verbose=shows_all)
            if not verbose:
                leave_out_reported(terminalreporter)
        if self.session.recording:
            self.drafted += self.session.recording.lines(self.session.identity.series)
        for line in self.drafted:
            terminalreporter.write_line(line)
        if self.reports and not self.ran:
            terminalreporter.write_line("report: none is written, because no test ran")
            return
        for path in self.reports if not self.unwritten else ():
            terminalreporter.write_line(f"report: {relative(path)}")
