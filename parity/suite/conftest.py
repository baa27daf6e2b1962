"""Fixtures of the suite. The options and reports are in `parity.plugin`."""

import pytest

from parity.checking import Checker
from parity.plugin import SESSION
from parity.session import Session


@pytest.fixture(scope="session")
def session(pytestconfig: pytest.Config) -> Session:
    """The run's reference, runner and settings."""
    return pytestconfig.stash[SESSION]


@pytest.fixture(scope="session")
def checker(session: Session) -> Checker:
    """Asks reference and runner the same questions."""
    return session.checker
