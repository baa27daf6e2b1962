"""Faults that no answer shows: runners that change what they are given."""

from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import TrialScenario
from tests.faulty.fault import Fault


class AddsVariables(Fault):
    """Adds a variable of its own to those that the verifier is given."""

    breaks = "run-trial/leaves-its-input-alone"
    seen_by = "test_any_trial"

    def run_trial(self, scenario: TrialScenario) -> Record:
        record = super().run_trial(scenario)
        assert isinstance(scenario.settings.verifier_env, dict)
        scenario.settings.verifier_env["RUNNER"] = self.name
        return record
