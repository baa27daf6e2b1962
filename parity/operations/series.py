"""The interpreter series of this process, in which the installed wheel computes its answers."""

import sys

from parity.scorer.series import Series


def running_series() -> Series:
    """Return the series of the interpreter that runs this process."""
    return Series.PY312 if sys.version_info < (3, 14) else Series.PY314
