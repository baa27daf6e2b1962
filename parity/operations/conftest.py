"""Fixtures of the suite. The options and reports are in `parity.pytest_plugin.suite`."""

import pytest

from parity.judging.checking import Checker
from parity.pytest_plugin.goldens import Goldens, RecordedGoldens, is_recording
from parity.pytest_plugin.profiles import Profile
from parity.pytest_plugin.session import Session
from parity.pytest_plugin.suite import SESSION


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


@pytest.fixture(scope="session")
def profile(session: Session) -> Profile:
    """How many cases are asked."""
    return session.profile


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Goldens:
    """The golden files: as they are, or where they are recorded again, as snapshots."""
    if not is_recording(request.config.option):
        return RecordedGoldens()
    from parity.pytest_plugin.golden_snapshots import SnapshotGoldens

    return SnapshotGoldens(request.getfixturevalue("snapshot"))
