"""Reference coverage: which lines and branches of the wheel's scoring modules the cases reach.

`modules` says which modules score, `places` what there is to reach in them, `monitor` sees what is reached, and
`unreached` says why the suite leaves the rest. No line of Harbor's is quoted: the wheel is pinned by its hash, so the
number of a line says which one it is.
"""

from parity.reference.coverage.modules import SCORING, ScoringModule
from parity.reference.coverage.monitor import CannotMeasure, Monitor, open_monitor
from parity.reference.coverage.places import Places, in_order, places_of
from parity.reference.coverage.unreached import UNREACHED, Unreached

__all__ = [
    "SCORING",
    "UNREACHED",
    "CannotMeasure",
    "Monitor",
    "Places",
    "ScoringModule",
    "Unreached",
    "in_order",
    "open_monitor",
    "places_of",
]
