"""`harbor_env`: a folder of tasks and an environment's arguments to rows, sandboxes, commands and rewards."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.judging.golden_vectors import STALE, check_vectors
from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.harbor_env.recorded.plays import EnvPlay
from parity.operations.harbor_env.strategies import documented_plays, documented_rewards, harbor_plays, known_env_plays
from parity.operations.harbor_env.vectors import VECTORS
from parity.pytest_plugin.goldens import Goldens
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.session import Session

pytestmark = pytest.mark.operation(HARBOR_ENV.name)


@cases(80)
@given(play=harbor_plays())
def test_harbor_scoring(checker: Checker, play: EnvPlay) -> None:
    """What Harbor's trials and its mean make of the same files, and how its tests run."""
    checker.check(HARBOR_ENV, [play])


@cases(100)
@given(play=documented_plays())
def test_documented_scoring(checker: Checker, play: EnvPlay) -> None:
    """What the released class makes of the same dataset; only where `verifiers` is installed."""
    checker.check(HARBOR_ENV, [play])


@cases(100)
@given(play=documented_rewards())
def test_documented_rewards(checker: Checker, play: EnvPlay) -> None:
    """What the documented class reads from whatever tests leave, everywhere."""
    checker.check(HARBOR_ENV, [play])


def test_what_tests_leave(checker: Checker) -> None:
    """Every kind of reward file, and every call that fails or takes too long, under Harbor's scoring."""
    for play in known_env_plays():
        checker.check(HARBOR_ENV, [play])


def test_golden(session: Session, golden: Goldens) -> None:
    """Recorded answers, the wheel and the runner agree on every vector."""
    document = check_vectors(HARBOR_ENV, VECTORS, session.checker, session.identity.series, recording=golden.recording)

    assert golden.holds(HARBOR_ENV.name, document), STALE
