"""Faults that no answer shows: runners that change what they are given."""

from parity.operations.harbor_env.recorded.scenario import EnvScenario
from parity.operations.scenarios.records import Record
from tests.faulty.fault import Fault


class TakesFiles(Fault):
    """Takes what the tests leave out of the scenario as it is read."""

    breaks = "harbor-env/leaves-its-input-alone"
    seen_by = "test_harbor_scoring"

    def harbor_env(self, scenario: EnvScenario) -> Record:
        record = super().harbor_env(scenario)
        for task in scenario.tasks:
            assert isinstance(task.left, dict)
            task.left.clear()
        return record
