"""Tests that subclasses in the manner of released environments get the same rewards as in verifiers."""

from pathlib import Path

import pytest
import verifiers as vf

from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.subclasses import SHAPES
from tests.harbor_env.verifiers.released import released, rewards_of
from tests.harbor_env.verifiers.rollouts import foreign_warnings, make

pytestmark = foreign_warnings


@pytest.mark.parametrize("shape", SHAPES)
def test_subclass_gets_the_rewards_of_the_releases_class(tmp_path: Path, shape: str) -> None:
    """A subclass of the release's own class gets the rewards that are expected of the kit's classes, too."""
    example = SHAPES[shape]
    example.write(tmp_path / "data")

    rewards = rewards_of(released(example.run_command, tmp_path / "data", example.subclass(vf.HarborEnv)))

    assert rewards == example.rewards


@pytest.mark.parametrize("shape", SHAPES)
def test_subclass_gets_the_same_rewards_here(tmp_path: Path, scoring: Scoring, shape: str) -> None:
    """A subclass gets the same rewards from the kit's class, with its sandboxes or the client of the release."""
    example = SHAPES[shape]
    example.write(tmp_path / "data")
    subclass = example.subclass(HarborEnv)

    here = rewards_of(make(example.run_command, tmp_path / "data", subclass, scoring=scoring))
    with_client = rewards_of(released(example.run_command, tmp_path / "data", subclass, scoring=scoring))

    assert here == example.rewards
    assert with_client == example.rewards
