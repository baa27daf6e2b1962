"""Faults in how the documents of a job are written: in another layout or spelling."""

import re
from abc import abstractmethod

from parity.driver import job, job_progress
from tests.faulty.patches import Patch, as_ascii, as_python_spells, in_milliseconds, indented_by_two, twice, with_texts
from tests.faulty.run_job.fault import JobFault


class _JobTextFault(JobFault):
    """A runner that writes the documents of a job in another way; those of its trials are as they should be."""

    seen_by = "test_jobs"

    @abstractmethod
    def written(self, text: str) -> str:
        """The text of a document as this runner writes it."""

    def wrong(self) -> Patch:
        return with_texts(self.written, job, job_progress)


class JobsAreIndentedByTwo(_JobTextFault):
    """Indents the documents of a job by two blanks."""

    breaks = "run-job/document-layout"

    def written(self, text: str) -> str:
        return indented_by_two(text)


class JobsAreSpelledAsInPython(_JobTextFault):
    """Writes the documents of a job with json.dumps, which gives every exponent two digits."""

    breaks = "run-job/document-spelling"

    def written(self, text: str) -> str:
        return as_python_spells(text)


class JobsAreAscii(_JobTextFault):
    """Escapes everything in the documents of a job that is not ASCII."""

    breaks = "run-job/document-spelling"

    def written(self, text: str) -> str:
        return as_ascii(text)


class RetriesAreWrittenTwice(_JobTextFault):
    """Writes how often a job retries twice."""

    breaks = "run-job/duplicate-key"

    def written(self, text: str) -> str:
        return twice("max_retries")(text)


class JobsAreInUtc(_JobTextFault):
    """Writes the times of a job as if in UTC, like those of its trials."""

    breaks = "run-job/time-format"

    def written(self, text: str) -> str:
        return re.sub(r'(:\d\d\.\d{6})"', r'\1Z"', text)


class JobsAreInMilliseconds(_JobTextFault):
    """Writes three digits of a second's fraction, in the lock too."""

    breaks = "run-job/time-format"

    def written(self, text: str) -> str:
        return in_milliseconds(text)
