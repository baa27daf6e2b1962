"""Tests that `harbor_env` runs an environment over a directory of tasks like the reference."""

import pytest
from hypothesis import given

from parity.operations.rollout import HARBOR_ENV
from parity.operations.rollout.scenario import EnvScenario
from parity.operations.rollout.strategies import harbor_scenarios, known_env_scenarios
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(HARBOR_ENV.name)


@cases(60)
@given(scenario=harbor_scenarios())
def test_harbor_scoring(checker: Checker, scenario: EnvScenario) -> None:
    """Under Harbor's scoring, an environment runs tests and computes rewards like a Harbor trial."""
    checker.check(HARBOR_ENV, [scenario])


def test_rewards(checker: Checker) -> None:
    """Under Harbor's scoring, runner and reference give the same reward for each reward file and fault in a call."""
    for scenario in known_env_scenarios():
        checker.check(HARBOR_ENV, [scenario])


test_golden = golden_test(HARBOR_ENV)
