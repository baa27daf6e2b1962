"""Loads what nested runs of the suite need once, because pytester forgets what such a run imports."""

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from parity.operations import OPERATIONS

if TYPE_CHECKING:
    from xdist.scheduler import WorkStealingScheduling

pytest_plugins = ["pytester"]

# Without limits on time: how busy a machine is says nothing about what is tested.
_UNHURRIED = settings(derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", _UNHURRIED)
settings.load_profile("tests")

for module in (
    "datasets",
    "parity.pytest_plugin.golden_snapshots",
    "parity.reference.documents",
    "parity.reference.jobs",
    "parity.reference.real_jobs",
    "parity.reference.recorded",
    "parity.reference.trials",
    "parity.reference.wheel",
    "parity.pytest_plugin.summary",
    "parity.operations.vectors",
    *(f"parity.operations.{name}.strategies" for name in OPERATIONS),
):
    importlib.import_module(module)


@pytest.fixture(autouse=True, scope="session")
def _temporary_folders_of_nested_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let runs of pytest that tests start tidy up among themselves: pytest fails where two at once remove the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DEBUG_TEMPROOT", os.fspath(tmp_path_factory.mktemp("nested")))
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "WorkStealingScheduling":
    """Let a worker that is done take over tests of another: some start whole runs of the suite."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
