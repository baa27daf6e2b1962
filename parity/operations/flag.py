"""How a module of flags says which of them a case carries: each beside the condition under which it does."""

from collections.abc import Mapping


def carried(conditions: Mapping[str, object]) -> set[str]:
    """The flags whose conditions hold."""
    return {flag for flag, holds in conditions.items() if holds}
