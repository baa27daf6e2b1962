"""Faults in the text of a job's stats."""

import re

from parity.runners import CleanRoom
from parity.scorer import Job
from parity.scorer.result_text import value_text
from tests.faulty.fault import breaks


@breaks("result-text/surrogates", seen_by="test_finished_jobs")
def SurrogatesAreEscaped(right: CleanRoom, job: Job) -> str:
    """Writes half of a surrogate pair as an escape."""
    return right.job_stats(job).replace("\ufffd" * 3, "\\ud800")


@breaks("result-text/escapes", seen_by="test_finished_jobs")
def DelIsEscaped(right: CleanRoom, job: Job) -> str:
    """Escapes DEL and slashes too."""
    return right.job_stats(job).replace("\x7f", "\\u007f").replace("\\u0001", "\\u1")


@breaks("result-text/unescaped", seen_by="test_finished_jobs")
def EverythingIsAscii(right: CleanRoom, job: Job) -> str:
    """Escapes every character beyond ASCII."""
    return re.sub("[\x80-\ufffc]", lambda found: f"\\u{ord(found[0]):04x}", right.job_stats(job))


@breaks("result-text/non-finite-values", seen_by="test_finished_jobs")
def InfinityIsWritten(right: CleanRoom, job: Job) -> str:
    """Writes `Infinity` where Harbor writes null."""
    return re.sub('("(?:mean|max|min|sum|cost_usd)": )null', r"\1Infinity", right.job_stats(job))


@breaks("result-text/float-values", seen_by="test_finished_jobs")
def ExponentsOfPython(right: CleanRoom, job: Job) -> str:
    """Writes values as Python's `repr` does."""

    def respelled(found: re.Match[str]) -> str:
        return f": {float(found[1])!r}"

    return re.sub(r": (-?\d+(?:\.\d+)?e-\d+|-?0\.0000\d+)(?=,?\n)", respelled, right.job_stats(job))


@breaks("result-text/big-integers", seen_by="test_finished_jobs")
def BigIntsAreFloats(right: CleanRoom, job: Job) -> str:
    """Writes an int that a double cannot hold as a double."""

    def rounded(found: re.Match[str]) -> str:
        return value_text(float(found[0])) if len(found[0]) < 300 else found[0]

    return re.sub(r"(?<=: )-?\d{17,}(?=,?\n)", rounded, right.job_stats(job))
