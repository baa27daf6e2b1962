"""Interpreter series: the same Harbor wheel computes other bits on CPython 3.14 than on 3.12.

`sum()`, the Unicode digits that `float()` reads, and `Path.exists()` changed between the two. The scorer implements
both forms, so each interpreter can compute the scores of either series.
"""

import sys
from enum import StrEnum


class Series(StrEnum):
    """Series of CPython releases that score alike."""

    PY312 = "3.12"
    """CPython 3.12 and 3.13."""

    PY314 = "3.14"
    """CPython 3.14 and later."""

    @classmethod
    def running(cls) -> "Series":
        """Return the series of the interpreter that runs this process."""
        return cls.PY314 if sys.version_info >= (3, 14) else cls.PY312


OFFICIAL = Series.PY312
"""The series of published scores: Harbor's own images carry Python 3.12."""
