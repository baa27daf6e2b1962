"""Why the default profile leaves some places of the scoring modules unreached."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Unreached:
    """Places that share a reason."""

    module: str
    places: tuple[str, ...]
    """Lines (`12`, `12-15`), ways out of decisions (`12->15`), or functions by qualified name."""

    reason: str


UNREACHED: tuple[Unreached, ...] = ()
"""No place that is reached may stand here, and no other may be missing; `tests/test_suite_runs.py` holds it to that."""
