"""`harbor_env`: from a directory of tasks and an environment's arguments to rows, sandboxes, commands and rewards."""

import pytest
from hypothesis import given

from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.harbor_env.recorded.scenario import EnvScenario
from parity.operations.harbor_env.strategies import harbor_scenarios, known_env_scenarios
from parity.suite.checker import Checker
from parity.suite.plugin.profiles import cases
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(HARBOR_ENV.name)


@cases(60)
@given(scenario=harbor_scenarios())
def test_harbor_scoring(checker: Checker, scenario: EnvScenario) -> None:
    """Under Harbor's scoring, tests run and rewards are computed as in Harbor's trials."""
    checker.check(HARBOR_ENV, [scenario])


def test_rewards(checker: Checker) -> None:
    """Under Harbor's scoring, every kind of reward file, and every fault of a call, gives the same reward."""
    for scenario in known_env_scenarios():
        checker.check(HARBOR_ENV, [scenario])


test_golden = golden_test(HARBOR_ENV)
