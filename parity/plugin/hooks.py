"""The pytest plugin of the suite's runs: options, the session's header and summary, and reports of divergences."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import astuple
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from parity.plugin.collection import (
    SUITE,
    Selection,
    draws,
    is_left_out,
    name_of_id,
    rank,
    select,
    verifies_goldens,
)
from parity.plugin.command_line import names_suite, with_own_paths
from parity.plugin.golden_fixture import takes_goldens
from parity.plugin.options import CALL, CLASHES, check_options, has_workers, relative, replay_command
from parity.plugin.run_end import ENDING, OTHERWISE, place_in, was_interrupted
from parity.reference.separate.client import ReferenceLost

if TYPE_CHECKING:
    from parity.plugin.session import Session
    from parity.suite.records import End
    from parity.suite.run import Run

_LARGE_REPR = "ignore:Generating overly large repr"
MARKERS = (
    "operation(name): the operation that this test asks for",
    "smoke: checks the reference itself, before any runner is judged by it",
    "replay: asks the cases of --replay, and is left out of every other run",
)
SESSION = pytest.StashKey["Session"]()
_MOST_REASONS = 3
"""The number of reasons that are listed if nothing is tested."""

_MOST_TESTS = 3
"""The number of tests that are named if they did not get to their end."""

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
    here = config.invocation_params.dir
    if others := [name for name in config.args if not names_suite([name], pyargs=config.option.pyargs, directory=here)]:
        raise pytest.UsageError(f"the suite runs alone: run {' '.join(others)} by a command of its own")
    if config.option.pyargs:
        config.args[:] = with_own_paths(config.args, here)
    from parity.plugin.session import SessionError
    from parity.plugin.session_start import open_session, report_places, show

    check_options(config.option)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # a runner's warning at its import is not an error
            session = open_session(config.option, partial(show, config), config.stash.get(CALL, None))
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
        self.ending.disagrees = lambda: session.run.disagrees
        self.ran = False
        """Whether a test was started."""

        self.unwritten: list[str] = []
        self.drafted: list[str] = []
        self.collected: list[pytest.Item] = []
        """The tests of the suite, before any is left out."""

        self.deselected: set[str] = set()
        """The tests that `-k` and the like left out, by node id."""

        self.selected: dict[str, list[str]] = {}
        """The operations of each test that is to get to its end, by node id; filled in where tests are collected."""

        self.started: set[str] = set()
        """The tests that were started, by node id."""

        self.places: dict[str, str] = {}
        """Where a test was skipped, or failed outside the suite, by node id."""

        self.selection = Selection()
        self.received: dict[str, dict[str, Run]] = {}
        """What the tests of each worker found, by the worker and the test's node id."""

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
        ours = [item for item in items if item.path.is_relative_to(SUITE)]
        unwanted = [item for item in ours if self._is_unwanted(item)]
        self.deselected.update(item.nodeid for item in self.collected if self._is_unwanted(item))
        for item in ours:  # another project's warning filters must not change an answer
            item.add_marker(pytest.mark.filterwarnings("default", _LARGE_REPR))
        if unwanted:
            items[:] = [item for item in items if item not in unwanted]
            self.config.hook.pytest_deselected(items=unwanted)
        from parity.plugin.session import SessionError

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

    def _is_unwanted(self, item: pytest.Item) -> bool:
        """Return whether a test does not belong to such a run: for example one that asks the cases of `--replay`."""
        replaying = bool(self.session.replays)
        if self.session.golden_only and not replaying:
            return not takes_goldens(item)
        return (item.get_closest_marker("replay") is not None) != replaying

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.deselected.update(item.nodeid for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.selection = select(session.items, self.collected, self.session.items_per_test)
        self.selected = {
            item.nodeid: self.session.operations_of(item)
            for item in self.collected
            if item.nodeid not in self.deselected
        }

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        for name in ids:  # a worker that dies says nothing of their operations
            self.selected.setdefault(name, [])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        return self.session.leaves_out(item) or None

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.started.add(nodeid)
        if self.reports and not self.ran:
            from parity.suite.report.report_files import mark

            mark(self.reports)
        self.ran = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.session.note_left_out(item)

    @pytest.hookimpl(wrapper=True, trylast=True)  # inside the wrappers of other plugins, which may replace errors
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        try:
            with self.session.running(pyfuncitem, self._replay_command), self.session.checker.clock.installed():
                return (yield)
        except ReferenceLost as lost:
            self._stop(pyfuncitem, str(lost), "the reference was lost")
        except Exception:
            from parity.plugin.session_start import lack_of_room

            if lack := lack_of_room():  # the lack of room may have caused the test's findings
                self._stop(pyfuncitem, lack, "no room for files")
            raise

    def _stop(self, item: pytest.Item, why: str, reason: str) -> NoReturn:
        """End the run without a verdict, and skip the test that cannot go on."""
        self.session.lost = why
        item.session.shouldstop = reason
        pytest.skip(reason)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Any:
        report: pytest.TestReport = yield
        if report.when == "call" and report.failed and (section := self.session.sections.get(item.nodeid)):
            report.longrepr = section
        # pytest-xdist sends this along, so that what was found counts even if the worker dies later.
        part = self.session.parts.get(item.nodeid)
        report.__dict__.update(parity=part.dumps() if part else None)
        return report

    def _replay_command(self, path: Path) -> str:
        return replay_command(self.config, path, self.session.options)

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
            run, selection = self.session.run.dumps(), (*astuple(self.selection), self.selected)
            output["parity"] = run, selection, self.session.lost, self.session.complaint, self.ending.interrupted
            return
        for parts in self.received.values():  # of workers that died
            self.session.run = reduce(or_, parts.values(), self.session.run)
        self._count_undecided()
        self.session.keep_replays()
        self._write_draft(session)
        self.session.close()
        status = int(session.exitstatus)
        if self.session.lost:
            self.ending.faults = [self.session.lost]
            self.ending.lost = True
        if status == pytest.ExitCode.OK and (why := self._why_nothing_is_tested()):
            self.ending.faults.append(f"nothing is tested: {why}")
            status = pytest.ExitCode.NO_TESTS_COLLECTED
        session.exitstatus = self.ending.decide(status)
        if self.reports and self.ran:
            self._write_reports(int(session.exitstatus))
            session.exitstatus = self.ending.decide(status)

    def _count_undecided(self) -> None:
        """Count the selected tests that did not get to their end, and report them.

        After a run that was stopped, those that were not started are not reported.
        """
        if self.config.option.collectonly:
            return
        from parity.suite.run import grouped, total

        run = self.session.run
        tests = grouped(run.counts, lambda each: each.test)
        missing = {name: names for name, names in self.selected.items() if not total(tests[name_of_id(name)], "ended")}
        if self.session.cut:
            missing = {name: names for name, names in missing.items() if name in self.started}
        lines = []
        for name, operations in missing.items():
            reasons = [each.reason for each in tests[name_of_id(name)] if each.outcome == "failed" and each.reason]
            if reasons:
                lines.append(f"{OTHERWISE}: {name}: {reasons[0]}")
            else:
                run.count_failure(name_of_id(name), operations)
                lines.append(f"a test did not get to its end: {name} ({self.places.get(name, 'it was not run')})")
        self.ending.incomplete = bool(lines)
        if not self.ending.interrupted:
            self.ending.faults += lines[:_MOST_TESTS]
            if others := len(lines[_MOST_TESTS:]):
                self.ending.faults.append(f"{others:,} more tests did not get to their end")

    def _why_nothing_is_tested(self) -> str | None:
        """Return the reasons why no answer from the runner was compared; None if one was, or if no test needs one."""
        from parity.suite.run import answered_vectors, comparisons, total

        counts = self.session.run.counts
        if comparisons(counts) or answered_vectors(counts) or total(counts, "no-answer"):
            return None
        if total(counts, "not-claimed"):
            return f"{self.session.checker.runner.name} claims no case"
        reasons = [*dict.fromkeys(each.reason for each in counts if each.outcome == "left-out" and each.reason)]
        more = [f"and {len(reasons) - _MOST_REASONS} more"] if len(reasons) > _MOST_REASONS else []
        return "; ".join([*reasons[:_MOST_REASONS], *more]) or None

    def _write_draft(self, session: pytest.Session) -> None:
        from parity.plugin.session import SessionError

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
        from parity.plugin.session_report import report_of
        from parity.suite.report.report_files import write_report

        end: End = "interrupted" if self.session.cut else "finished"
        report = report_of(self.session, self.selection, end=end, exit_code=exit_code)
        self.unwritten = write_report(report, self.reports)
        self.ending.faults += self.unwritten

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        from parity.suite.run import Run

        if sent := getattr(node, "workeroutput", {}).get("parity"):
            run, (*selection, selected), lost, complaint, interrupted = sent
            self.received.pop(node.gateway.id, None)  # the worker's own tally has all of them
            self.session.run |= Run.loads(run)
            self.selection = Selection(*selection)
            self.selected |= selected
            self.ending.interrupted |= interrupted
            self.session.lost, self.session.complaint = self.session.lost or lost, self.session.complaint or complaint

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ending.test_failed |= report.failed
        node, part = getattr(report, "node", None), getattr(report, "parity", None)
        if node is not None and part is not None:  # a worker has sent it
            from parity.suite.run import Run

            self.received.setdefault(node.gateway.id, {})[report.nodeid] = Run.loads(part)
        if (place := place_in(report)) is not None:
            self.places[report.nodeid] = place

    def pytest_unconfigure(self) -> None:
        self.session.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if _FAILED in self.config.stash:  # pytest has already shown its sections
            terminalreporter.stats["failed"] = self.config.stash[_FAILED]
        if not self.session.lost:
            self._write_summary(terminalreporter)
        self.ending.write(terminalreporter)

    def _write_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from parity.plugin.summary import leave_out_reported, write_summary

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
