"""Fixtures of the suite. The options and reports are in `parity.pytest_plugin.suite`."""

import pytest

from parity.judging.checking import Checker
from parity.pytest_plugin.golden_fixture import Goldens, is_recording
from parity.pytest_plugin.profiles import Profile
from parity.pytest_plugin.session import Session
from parity.pytest_plugin.suite import SESSION


@pytest.fixture(scope="session")
def session(pytestconfig: pytest.Config) -> Session:
    """Return the session: the run's reference, runner and settings."""
    if SESSION not in pytestconfig.stash:
        pytest.exit("the suite needs its plugin; install it with: pip install -e .", returncode=4)
    return pytestconfig.stash[SESSION]


@pytest.fixture(scope="session")
def checker(session: Session) -> Checker:
    """Return the checker, which asks reference and runner the same questions."""
    return session.checker


@pytest.fixture(scope="session")
def profile(session: Session) -> Profile:
    """Return the profile, which sets the number of cases."""
    return session.profile


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Goldens:
    """Return the golden files; as snapshots if they are recorded again."""
    if not is_recording(request.config.option):
        return Goldens()
    from parity.pytest_plugin.golden_snapshots import SnapshotGoldens

    return SnapshotGoldens(request.getfixturevalue("snapshot"))
