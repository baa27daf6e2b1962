"""Interpreter series: the same Harbor wheel computes different scores on CPython 3.12 and 3.14.

`sum()`, the Unicode digits that `float()` reads, and `Path.exists()` changed between these versions. The scorer
implements the old and the new behaviour, so it computes the scores of each series in any interpreter.
"""

from enum import StrEnum


class Series(StrEnum):
    """A series of CPython releases that compute the same scores."""

    PY312 = "3.12"
    """CPython 3.12 and 3.13."""

    PY314 = "3.14"
    """CPython 3.14 and later."""


OFFICIAL = Series.PY312
"""The series with which published scores are computed: Harbor's own images contain Python 3.12."""
