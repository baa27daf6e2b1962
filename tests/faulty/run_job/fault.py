"""What faulty runners have in common that run jobs wrong."""

import json
from abc import abstractmethod

from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario
from tests.faulty.fault import Fault
from tests.faulty.patches import Patch


class JobFault(Fault):
    """A runner that runs jobs wrong."""

    seen_by = "test_retries"

    @abstractmethod
    def wrong(self) -> Patch:
        """What is replaced, and by what."""

    def run_job(self, scenario: JobScenario) -> Record:
        with self.wrong():
            return super().run_job(scenario)


class JobRecordFault(Fault):
    """A runner that writes down wrongly what became of a job."""

    seen_by = "test_jobs"

    @abstractmethod
    def rewritten(self, record: Record) -> Record:
        """The record as the runner gives it; it may be changed in place."""

    def run_job(self, scenario: JobScenario) -> Record:
        record: Record = json.loads(json.dumps(super().run_job(scenario)))
        return self.rewritten(record)
