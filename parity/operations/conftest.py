"""Fixtures for the suite's tests. `parity.suite.plugin.hooks` defines the options and the reports."""

import pytest

from parity.suite.checker import Checker
from parity.suite.plugin.golden_fixture import Goldens, is_recording
from parity.suite.plugin.hooks import SESSION
from parity.suite.plugin.profiles import Profile
from parity.suite.plugin.session import Session


@pytest.fixture(scope="session")
def session(pytestconfig: pytest.Config) -> Session:
    """Return the session, which holds the run's reference, runner and settings."""
    if SESSION not in pytestconfig.stash:
        pytest.exit("the suite needs its plugin; install it with: pip install -e .", returncode=4)
    return pytestconfig.stash[SESSION]


@pytest.fixture(scope="session")
def checker(session: Session) -> Checker:
    """Return the checker, which sends the same questions to the reference and the runner."""
    return session.checker


@pytest.fixture(scope="session")
def profile(session: Session) -> Profile:
    """Return the profile, which determines the number of cases."""
    return session.profile


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Goldens:
    """Return the golden files. If they are being recorded again, they are snapshots."""
    if not is_recording(request.config.option):
        return Goldens()
    from parity.suite.plugin.golden_snapshots import SnapshotGoldens

    return SnapshotGoldens(request.getfixturevalue("snapshot"))
