"""`harbor_env`: a folder of tasks and an environment's arguments to rows, sandboxes, commands and rewards."""

import pytest
from hypothesis import given

from parity import strategies as draw
from parity.checking import Checker
from parity.operations import HARBOR_ENV
from parity.operations.harbor_env_recorded.plays import EnvPlay
from parity.profiles import cases

pytestmark = pytest.mark.operation(HARBOR_ENV.name)


@cases(80)
@given(play=draw.harbor_plays())
def test_harbor_scoring(checker: Checker, play: EnvPlay) -> None:
    """What Harbor's trials and its mean make of the same files, and how its tests run."""
    checker.check(HARBOR_ENV, [play])


@cases(100)
@given(play=draw.documented_plays())
def test_documented_scoring(checker: Checker, play: EnvPlay) -> None:
    """What the released class makes of the same dataset; only where `verifiers` is installed."""
    checker.check(HARBOR_ENV, [play])


@cases(100)
@given(play=draw.documented_rewards())
def test_documented_rewards(checker: Checker, play: EnvPlay) -> None:
    """What the documented class reads from whatever tests leave, everywhere."""
    checker.check(HARBOR_ENV, [play])


def test_what_tests_leave(checker: Checker) -> None:
    """Every kind of reward file, and every call that fails or takes too long, under Harbor's scoring."""
    for play in draw.known_env_plays():
        checker.check(HARBOR_ENV, [play])
