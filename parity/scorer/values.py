"""The types of rewards and metrics, and the shared object for the literal `NaN`."""

type Number = int | float
"""One reward or one metric. It is never a bool, because validation converts bools to floats."""

type Rewards = dict[str, Number]
"""The rewards of one verifier run: the number for each reward key, in the order of the reward file."""

LITERAL_NAN: float = float("nan")
"""The object for every literal `NaN` in a JSON document.

CPython's json also returns the same object for each of them. This matters because Harbor groups trials by reward in a
dict, where only the same nan object is the same key. A nan from reward.txt, a JSON string or a computation is a
separate object.
"""


def literal_nans(rewards: Rewards | None) -> tuple[str, ...]:
    """Return the keys of the rewards that were read as the literal `NaN`."""
    return tuple(key for key, value in (rewards or {}).items() if value is LITERAL_NAN)
