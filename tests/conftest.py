"""Fixtures of all tests, the tests that are left out, and what whole runs of the suite share."""

import importlib
import locale
import os
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import HealthCheck, settings

from parity.plugin.alone import alone
from parity.plugin.hooks import MARKERS
from tests.filled_once import filled_once
from tests.main_job import MainJob, run_main_job
from tests.needs import need
from tests.running import FAST, ROOT, Run, run_pytest
from tests.suite_modules import SUITE_MODULES

pytest_plugins = ["pytester"]

_LEFT_OUT = "parity/left-out"
"""The cached names of the tests that the last run skipped."""

_ON_REQUEST = {"docker": "on Docker", "releases": "of releases of Harbor"}
"""Marks of tests that run only if `-m` names the mark."""

_SLOW_FIXTURES = {"pytester", "run_process", "drafted", "main_job", "local", "docker", "sandboxes", "kind"}
"""Fixtures that start sandboxes, or nested runs of pytest."""

_STARTS_PROCESSES = {
    "subprocess",
    "run_pytest",
    "run_parity",
    "run_in_site",
    "assert_parity",
    "PipeRunner",
    "SeparateReference",
}
"""Names that a test module imports if its tests start processes."""

# Without limits on time: how busy a machine is says nothing about what is tested.
_UNHURRIED = settings(derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", _UNHURRIED)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs the tests that were skipped before."""
    parser.addoption("--left-out", action="store_true", help="run only the tests that the last run left out")


def pytest_configure(config: pytest.Config) -> None:
    """Register the suite's markers, because some tests call its functions, and turn warnings into errors.

    The configuration file does not do the latter, because `pytest parity/` uses it as well.
    """
    config.addinivalue_line("filterwarnings", "error")
    config.addinivalue_line("filterwarnings", "default:syrupy:UserWarning")  # at the end of a run that stops early
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.fixture(autouse=True, scope="session")
def _modules_of_nested_runs() -> None:
    """Import the modules that runs of the suite in this process need; pytester unloads what such a run imports."""
    for module in SUITE_MODULES:
        importlib.import_module(module)


@pytest.fixture(autouse=True, scope="session")
def _temporary_folders_of_nested_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give nested runs their own temporary directory, because pytest fails if two runs remove the same one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DEBUG_TEMPROOT", os.fspath(tmp_path_factory.mktemp("nested")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _shared_unicode_tables() -> Iterator[None]:
    """Let nested runs share the tables that Hypothesis makes for each new directory, which takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", os.fspath(ROOT / ".hypothesis"))
        yield


@pytest.fixture(autouse=True)
def _locale_of_nested_runs() -> Iterator[None]:
    """Restore the process's own encoding, which a nested run of the suite sets to UTF-8."""
    before = locale.setlocale(locale.LC_CTYPE)
    yield
    locale.setlocale(locale.LC_CTYPE, before)


@pytest.fixture
def run(tmp_path: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs pytest in an empty directory, in this process.

    A run of the suite begins with the session that the suite has alone; `run_process` starts it as users do.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def run(*arguments: str) -> CompletedProcess[str]:
        options = [*FAST, *arguments]
        result = pytester.runpytest_inprocess(
            *(alone(options) if "--pyargs" in options else options), no_reraise_ctrlc=True
        )
        return CompletedProcess(arguments, int(result.ret), result.stdout.str(), result.stderr.str())

    return run


@pytest.fixture
def run_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs pytest in an empty directory, in a new process."""
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    return partial(run_pytest, *FAST, cwd=tmp_path)


@pytest.fixture(scope="session")
def main_job(tmp_path_factory: pytest.TempPathFactory) -> MainJob:
    """Return the main job, which runs once for all workers."""
    return MainJob(filled_once(tmp_path_factory, "main-job", run_main_job))


@pytest.hookimpl(tryfirst=True)  # before `-m docker` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that use Docker or are slow, and select those of `--left-out`."""
    for item in items:
        parameters = getattr(item, "callspec", None)
        names = getattr(item, "fixturenames", ())
        if "docker" in names or (parameters and "docker" in parameters.params.values()):
            item.add_marker(pytest.mark.docker)
        if parameters and "local" in parameters.params.values():
            item.add_marker(pytest.mark.slow)
        if isinstance(item, pytest.Function) and (
            _SLOW_FIXTURES & {*names} or _STARTS_PROCESSES & vars(item.module).keys() or _is_marked_slow(item)
        ):
            item.add_marker(pytest.mark.slow)
    if config.getoption("--left-out"):
        assert config.cache is not None
        left_out = set(config.cache.get(_LEFT_OUT, []))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in left_out])
        items[:] = [item for item in items if item.nodeid in left_out]


def _is_marked_slow(item: pytest.Item) -> bool:
    """Return whether a test needs an engine, a program or a release of Harbor."""
    return any(item.get_closest_marker(name) for name in ("releases", "needs"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that runs only on request, or that needs something that this machine lacks."""
    for mark, what in _ON_REQUEST.items():
        if item.get_closest_marker(mark) and mark not in item.config.option.markexpr:
            pytest.skip(f"{what}; tox run -e {mark}")
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            need(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the number of skipped tests, with a line for each reason, and store their names for `--left-out`."""
    skipped = terminalreporter.stats.get("skipped", [])
    counts = Counter((type(report), str(report.longrepr[2]).removeprefix("Skipped: ")) for report in skipped)
    for (kind, reason), count in sorted(counts.items(), key=lambda each: each[0][1]):
        unit = "module" if kind is pytest.CollectReport else "test"
        terminalreporter.write_line(f"LEFT OUT: {count} {unit}{'s' * (count > 1)} {reason}")
    if cache := getattr(config, "cache", None):
        cache.set(_LEFT_OUT, [report.nodeid for report in skipped])
