"""The pytest plugin: options, the session's header and summary, and the reports of divergences.

It is registered for every pytest run of the environment, but does nothing unless the run collects the
suite (`pytest parity/` in a checkout, `pytest --pyargs parity` anywhere).
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from parity.seconds import seconds
from parity.stopping import Stopper
from parity.suite_arguments import suite_arguments

if TYPE_CHECKING:
    from parity.session import Session

_PACKAGE = Path(__file__).resolve().parent
_SUITE = _PACKAGE / "suite"
_DEFAULT_LINES = "fE"
"""Of which outcomes pytest's summary has lines by itself: failures and errors."""

_LARGE_REPR = "ignore:Generating overly large repr"
SESSION = pytest.StashKey["Session"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    group = parser.getgroup("parity", "harbor-parity: does a runner score exactly as harbor does?")
    group.addoption(
        "--runner",
        dest="parity_runner",
        metavar="SPEC",
        help="the runner under test: clean-room (default), or package.module:name of a runner or of its maker",
    )
    group.addoption(
        "--runner-cmd",
        dest="parity_runner_cmd",
        metavar="COMMAND",
        help="the runner under test: a program in any language, spoken to over a pipe (see parity check-runner --help)",
    )
    group.addoption(
        "--profile",
        dest="parity_profile",
        default="default",
        choices=("quick", "default", "thorough"),
        help="how many cases to draw: quick (seconds), default (before a release), thorough (hours)",
    )
    group.addoption(
        "--seed",
        dest="parity_seed",
        type=_seed,
        metavar="N",
        help="the seed of all drawn cases; fixed by default, but fresh in the thorough profile",
    )
    group.addoption(
        "--replay",
        dest="parity_replay",
        action="append",
        default=[],
        metavar="FILE",
        help="ask only the case in this file, as a divergence report names it; may be repeated",
    )
    group.addoption(
        "--divergences",
        dest="parity_divergences",
        action="append",
        default=[],
        metavar="FILE",
        help="where the runner is known to score otherwise: a file of declared divergences; may be repeated",
    )
    group.addoption(
        "--write-divergences",
        dest="parity_write_divergences",
        metavar="FILE",
        help="draft such a file from all divergences that the run finds, instead of failing",
    )
    group.addoption(
        "--case-timeout",
        dest="parity_case_timeout",
        type=seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long the runner may think about one case (default: 10)",
    )
    group.addoption(
        "--report",
        dest="parity_report",
        action="append",
        default=[],
        metavar="FILE",
        help="write what came of the run to this file: a page (.html) or a record (.json); may be repeated",
    )
    group.addoption(
        "--generate-only",
        dest="parity_generate_only",
        action="store_true",
        help="draw all cases, but ask nobody: the floor under the suite's speed",
    )


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _check_options(options: argparse.Namespace) -> None:
    """See that options go together.

    Raises:
        UsageError: some do not.
    """
    if options.parity_runner is not None and options.parity_runner_cmd is not None:
        raise pytest.UsageError("--runner and --runner-cmd both name the runner under test: give one of them")
    for option in ("replay", "report", "divergences"):
        if getattr(options, f"parity_{option}") and options.parity_generate_only:
            raise pytest.UsageError(f"--{option} asks and --generate-only does not: give one of them")
    if options.parity_write_divergences is None:
        return
    if options.parity_generate_only or options.parity_replay:
        other = "--generate-only" if options.parity_generate_only else "--replay"
        raise pytest.UsageError(f"--write-divergences needs what the suite finds: leave out {other}")
    if options.parity_report:
        raise pytest.UsageError("--write-divergences passes whatever the runner does, so there is nothing to --report")
    if _has_workers(options) or getattr(options, "tx", None) or getattr(options, "numprocesses", None):
        raise pytest.UsageError("--write-divergences sees the whole run: leave out -n")


def _has_workers(options: argparse.Namespace) -> bool:
    """Whether pytest-xdist runs the tests in other processes."""
    return getattr(options, "dist", "no") != "no"


def _targets(config: pytest.Config) -> Iterator[Path]:
    """What the command line names, as paths."""
    for argument in config.args:
        name = str(argument).split("::")[0]
        if config.option.pyargs and name.split(".")[0] == "parity":
            yield _PACKAGE.joinpath(*name.split(".")[1:])
        else:
            yield (config.invocation_params.dir / name).resolve()


def _collects_suite(config: pytest.Config) -> bool:
    checkout = _PACKAGE.parent
    is_checkout = (checkout / "golden" / "README.md").is_file()
    return any(_is_in(path, _PACKAGE) or (path == checkout and is_checkout) for path in _targets(config))


def _rank(item: pytest.Item) -> int:
    """What comes first: the reference's own checks, then the witnesses, so that a draft knows which of them stay."""
    return 0 if item.get_closest_marker("smoke") else 1 if item.get_closest_marker("declared") else 2


def _draws(item: pytest.Item) -> bool:
    """Whether a test draws cases."""
    return hasattr(getattr(item, "obj", None), "default_cases")


def _tests_that_draw() -> int:
    """How many tests of the suite draw cases."""
    return sum(module.read_text(encoding="utf-8").count("\n@cases(") for module in _SUITE.glob("test_*.py"))


def _is_in(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Verify the reference and load the runner before anything is collected."""
    for marker in (
        "operation(name): the operation that this test asks for",
        "smoke: checks the reference itself, before any runner is judged by it",
        "replay: asks the cases of --replay, and is left out of every other run",
        "declared: asks the witnesses of --divergences, and is left out of every other run",
    ):
        config.addinivalue_line("markers", marker)
    # Hypothesis describes failing cases with all their bytes; the reports here are our own.
    config.addinivalue_line("filterwarnings", _LARGE_REPR)
    if not _collects_suite(config) or config.option.help or config.option.version:
        return
    from parity.report.places import PlaceError, checked_places
    from parity.session import SessionError, open_session

    _check_options(config.option)
    stopper = Stopper()
    stopper.install(in_worker=hasattr(config, "workerinput"))
    config.add_cleanup(stopper.restore)
    try:
        session = open_session(config.option)
    except SessionError as error:
        raise pytest.UsageError(str(error)) from None
    try:
        reports = [] if hasattr(config, "workerinput") else checked_places(config.option.parity_report)
    except PlaceError as error:
        session.close()
        raise pytest.UsageError(str(error)) from None
    if _has_workers(config.option):
        session.end_program()  # they ask, each a program of its own
    config.stash[SESSION] = session
    config.pluginmanager.register(SuitePlugin(config, session, reports, stopper), "parity-suite")


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
        self.complete = False
        """Whether every test that draws cases was selected, so that every flag should have been reached."""

    def pytest_report_header(self) -> list[str]:
        return self.session.header()

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
        ours = [item for item in items if _is_in(item.path, _SUITE)]
        unwanted = [item for item in ours if (item.get_closest_marker("replay") is not None) != replaying]
        if not self.session.declarations:
            unwanted += [item for item in ours if item.get_closest_marker("declared") and item not in unwanted]
        if not self.session.checker.asks:
            unwanted = [item for item in ours if not _draws(item)]
        for item in ours:  # whatever another project makes errors of, its warnings change no answer
            item.add_marker(pytest.mark.filterwarnings("default", _LARGE_REPR))
        if unwanted:
            items[:] = [item for item in items if item not in unwanted]
            self.config.hook.pytest_deselected(items=unwanted)
        from parity.session import SessionError

        try:
            for item in ours:
                if item not in unwanted:
                    self.session.prepare(item)
        except SessionError as error:
            raise pytest.UsageError(str(error)) from None
        items.sort(key=_rank)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        drawing = sum(map(_draws, session.items))
        self.complete = drawing == _tests_that_draw() * self.session.profile.shards

    def pytest_runtest_logstart(self) -> None:
        if self.reports and not self.ran:
            from parity.report.places import mark

            mark(self.reports)
        self.ran = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.session.begin(item)
        with self.session.checker.clock.installed():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report: pytest.TestReport = yield
        if call.excinfo is not None and report.failed:
            told = self.session.tell_findings(call.excinfo.value, self._replay_command)
            if told:
                from parity.findings import is_in_summary

                report.longrepr = told
                if is_in_summary(told):
                    report.__dict__["_pdbshown"] = True  # pytest then leaves its section out, but not its FAILED line
        # What pytest-xdist sends along, so that a failure counts for the operations that it is about.
        report.__dict__.update(parity_asked=self.session.asked(item), parity_draws=_draws(item))
        return report

    def _replay_command(self, path: Path) -> str:
        command = ["pytest", *suite_arguments(), "--replay", _relative(path)]
        command += self.session.runner_options
        return shlex.join(command)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.session.stop_measuring()
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["parity"] = self.session.tally.to_plain()
            output["parity_complete"] = self.complete
            self.session.close()
            output["parity_complaint"] = self.session.complaint
            return
        self._write_draft(session)
        self.session.close()
        gaps = self.ran and self.complete and (self.session.unreached_flags() or self.session.unmatched())
        if gaps and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.stopper.came:
            session.exitstatus = 128 + self.stopper.came
        if self.reports and self.ran:
            self._write_reports(session)

    def _write_draft(self, session: pytest.Session) -> None:
        from parity.session import SessionError

        path = self.config.option.parity_write_divergences
        if path is None:
            return
        if _was_cut(session) or self.config.option.collectonly:
            why = "no test ran" if self.config.option.collectonly else "the run did not get to its end"
            self.drafted = [f"{path} was not written: {why}"]
            return
        try:
            self.drafted = [f"{path}: {line}" for line in self.session.write_draft()]
        except SessionError as error:
            self.drafted = [f"{path} {error}"]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write_reports(self, session: pytest.Session) -> None:
        from parity.report.assembling import report_of
        from parity.report.places import write_report

        report = report_of(
            self.session,
            complete=self.complete,
            end="interrupted" if _was_cut(session) else "finished",
            exit_code=int(session.exitstatus),
        )
        self.unwritten = write_report(report, self.reports)
        if self.unwritten and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {})
        if "parity" in sent:
            self.session.tally.add(sent["parity"])
            self.complete = sent["parity_complete"]
            self.session.complaint = self.session.complaint or sent["parity_complaint"]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # that of a worker that died names no operations
            asked, draws = getattr(report, "parity_asked", ()), getattr(report, "parity_draws", False)
            self.session.tally.note_failure(asked, draws=draws)

    def pytest_unconfigure(self) -> None:
        self.session.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from parity.summary import write_summary

        if not self.config.option.collectonly:
            verbose = self.config.option.verbose > 0
            shows_all = verbose or bool(self.session.replays)
            write_summary(terminalreporter, self.session, complete=self.complete, verbose=shows_all)
            if not verbose:
                _leave_out_what_is_told(terminalreporter)
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


def _leave_out_what_is_told(terminal: pytest.TerminalReporter) -> None:
    """Where the summary tells all that failed, leave out pytest's own line for each test, unless `-r` asks for it."""
    from parity.findings import is_in_summary

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
