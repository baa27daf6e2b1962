"""A function for modules of flags, which state each flag beside its condition."""

from collections.abc import Mapping


def carried(conditions: Mapping[str, object]) -> set[str]:
    """Return the flags with a true condition."""
    return {flag for flag, holds in conditions.items() if holds}
