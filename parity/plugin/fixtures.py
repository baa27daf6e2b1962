"""The fixtures of the suite's tests. A run that loads this plugin runs alone; see `parity.plugin.alone`.

They are no conftest, because a run of the suite loads none. What they need is imported when a test needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from parity.plugin.golden_fixture import Goldens
    from parity.plugin.profiles import Profile
    from parity.plugin.session import Session
    from parity.suite.checker import Checker


@pytest.fixture(scope="session")
def session(pytestconfig: pytest.Config) -> Session:
    """Return the session, which holds the run's reference, runner and settings."""
    from parity.plugin.hooks import SESSION

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
    from parity.plugin.golden_fixture import Goldens, is_recording

    if not is_recording(request.config.option):
        return Goldens()
    from parity.plugin.golden_snapshots import SnapshotGoldens

    return SnapshotGoldens(request.getfixturevalue("snapshot"))
