"""Fixtures of the suite. The options and reports are in `parity.pytest_plugin.plugin`."""

import pytest
from syrupy.assertion import SnapshotAssertion

from parity.judging.checking import Checker
from parity.pytest_plugin.golden_snapshots import GoldenExtension
from parity.pytest_plugin.plugin import SESSION
from parity.pytest_plugin.session import Session


@pytest.fixture(scope="session")
def session(pytestconfig: pytest.Config) -> Session:
    """The run's reference, runner and settings."""
    if SESSION not in pytestconfig.stash:
        pytest.exit("the suite needs its plugin; install it with: pip install -e .", returncode=4)
    return pytestconfig.stash[SESSION]


@pytest.fixture(scope="session")
def checker(session: Session) -> Checker:
    """Asks reference and runner the same questions."""
    return session.checker


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """The golden files as snapshots."""
    return snapshot.use_extension(GoldenExtension)
