"""Loads what nested runs of the suite need once, because pytester forgets what such a run imports."""

import gc
import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.entropy import deterministic_PRNG

from parity.pytest_plugin.options import has_workers
from parity.pytest_plugin.suite import MARKERS
from parity.reference.deferred import without_clients
from tests.dealing import deal
from tests.filled_once import filled_once
from tests.in_memory import use_memory
from tests.main_job import MainJob, run_main_job
from tests.needs import need
from tests.suite_modules import SUITE_MODULES

if TYPE_CHECKING:
    from xdist.scheduler import WorkStealingScheduling

pytest_plugins = ["pytester"]

# Else each worker compiles all tests again.
sys.dont_write_bytecode = False

_LEFT_OUT = "parity/left-out"
"""The cached names of the tests that the last run skipped."""

_ON_REQUEST = {"docker": "on Docker", "releases": "of releases of Harbor"}
"""Marks of tests that run only where `-m` names the mark."""

# Without limits on time: how busy a machine is says nothing about what is tested.
_UNHURRIED = settings(derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", _UNHURRIED)
settings.load_profile("tests")

_NESTED = ("datasets", "parity.pytest_plugin.golden_snapshots", "parity.pytest_plugin.summary", *SUITE_MODULES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs what was skipped."""
    parser.addoption("--left-out", action="store_true", help="run only the tests that the last run left out")


@pytest.hookimpl(tryfirst=True)  # before pytest looks where temporary folders are
def pytest_configure(config: pytest.Config) -> None:
    """Know the marks of the suite's own tests, whose functions some tests call, and load what nested runs need."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    use_memory(config)
    with deterministic_PRNG():
        pass  # Hypothesis takes its generator for garbage if all that refers to it is frozen before the first test
    if not has_workers(config.option):  # else they run the tests
        gc.disable()  # until all is collected
        with without_clients():
            for module in _NESTED:
                importlib.import_module(module)


@pytest.fixture(autouse=True, scope="session")
def _temporary_folders_of_nested_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let runs of pytest that tests start tidy up among themselves: pytest fails where two at once remove the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DEBUG_TEMPROOT", os.fspath(tmp_path_factory.mktemp("nested")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _programs_start_sooner() -> Iterator[None]:
    """Let programs that tests start keep what they compile, and leave out plugins whose only work is importing trio.

    And share what Hypothesis takes more than a second for in a new folder: the characters that UTF-8 can hold.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTEST_ADDOPTS", "-p no:anyio")
        patch.setenv("HYPOTHESIS_NO_PLUGINS", "1")
        patch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", os.fspath(Path(__file__).resolve().parents[1] / ".hypothesis"))
        yield


@pytest.fixture
def replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the checkout's tests importable."""
    monkeypatch.setenv("PYTHONPATH", os.fspath(Path(__file__).resolve().parents[1]))
    return tmp_path


@pytest.fixture(scope="session")
def main_job(tmp_path_factory: pytest.TempPathFactory) -> MainJob:
    """The main job, run once for all workers."""
    return MainJob(filled_once(tmp_path_factory, "main-job", run_main_job))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests that have Docker as a parameter or a fixture, select those of `--left-out`, and order them."""
    for item in items:
        parameters = getattr(item, "callspec", None)
        names = getattr(item, "fixturenames", ())
        if "docker" in names or (parameters and "docker" in parameters.params.values()):
            item.add_marker(pytest.mark.docker)
    if config.getoption("--left-out"):
        assert config.cache is not None
        left_out = set(config.cache.get(_LEFT_OUT, []))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in left_out])
        items[:] = [item for item in items if item.nodeid in left_out]
    yield
    items[:] = deal(items)


def pytest_collection_finish() -> None:
    """Look for garbage from here on, but not in what stays to the end: all tests, and what they have imported."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that runs only on request, or that needs what this machine lacks."""
    for mark, what in _ON_REQUEST.items():
        if item.get_closest_marker(mark) and mark not in item.config.option.markexpr:
            pytest.skip(f"{what}; tox run -e {mark}")
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            need(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how many tests were skipped, one line a reason, and remember them for `--left-out`."""
    skipped = terminalreporter.stats.get("skipped", [])
    counts = Counter((type(report), str(report.longrepr[2]).removeprefix("Skipped: ")) for report in skipped)
    for (kind, reason), count in sorted(counts.items(), key=lambda each: each[0][1]):
        unit = "module" if kind is pytest.CollectReport else "test"
        terminalreporter.write_line(f"LEFT OUT: {count} {unit}{'s' * (count > 1)} {reason}")
    if cache := getattr(config, "cache", None):
        cache.set(_LEFT_OUT, [report.nodeid for report in skipped])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Two more than there are processors, unless the environment says how many.

    One waits for the main job at first, and some tests wait for a time to be up.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "WorkStealingScheduling":
    """Let a worker that is done take over tests of another: some start whole runs of the suite."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
