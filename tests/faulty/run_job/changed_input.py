"""Faults that no answer shows: runners that change what they are given."""

from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario
from tests.faulty.fault import Fault


class UsesUpEffects(Fault):
    """Takes the effects out of the scripts of a job as they come to pass."""

    breaks = "run-job/leaves-its-input-alone"
    seen_by = "test_retries"

    def run_job(self, scenario: JobScenario) -> Record:
        record = super().run_job(scenario)
        for runs in scenario.scripts:
            for script in runs:
                assert isinstance(script.effects, dict)
                script.effects.clear()
        return record
