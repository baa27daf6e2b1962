"""Faults in the text of a job's stats."""

import re

from parity.scorer import Job
from parity.scorer.result_text import value_text
from tests.faulty.job_stats.fault import StatsFault


class SurrogatesAreEscaped(StatsFault):
    """Writes half of a surrogate pair as an escape."""

    breaks = "result-text/surrogates"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("\ufffd" * 3, "\\ud800")


class DelIsEscaped(StatsFault):
    """Escapes DEL and slashes too."""

    breaks = "result-text/escapes"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace("\x7f", "\\u007f").replace("\\u0001", "\\u1")


class EverythingIsAscii(StatsFault):
    """Escapes every character beyond ASCII."""

    breaks = "result-text/unescaped"

    def job_stats(self, job: Job) -> str:
        return re.sub("[\x80-\ufffc]", lambda found: f"\\u{ord(found[0]):04x}", super().job_stats(job))


class InfinityIsWritten(StatsFault):
    """Writes `Infinity` where Harbor writes null."""

    breaks = "result-text/non-finite-values"

    def job_stats(self, job: Job) -> str:
        return re.sub('("(?:mean|max|min|sum|cost_usd)": )null', r"\1Infinity", super().job_stats(job))


class ExponentsOfPython(StatsFault):
    """Writes values as Python's `repr` does."""

    breaks = "result-text/float-values"

    def job_stats(self, job: Job) -> str:
        def respelled(found: re.Match[str]) -> str:
            return f": {float(found[1])!r}"

        return re.sub(r": (-?\d+(?:\.\d+)?e-\d+|-?0\.0000\d+)(?=,?\n)", respelled, super().job_stats(job))


class BigIntsAreFloats(StatsFault):
    """Writes an int that a double cannot hold as a double."""

    breaks = "result-text/big-integers"

    def job_stats(self, job: Job) -> str:
        def rounded(found: re.Match[str]) -> str:
            return value_text(float(found[0])) if len(found[0]) < 300 else found[0]

        return re.sub(r"(?<=: )-?\d{17,}(?=,?\n)", rounded, super().job_stats(job))
