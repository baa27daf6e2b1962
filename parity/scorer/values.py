"""The two types that every operation of the scorer speaks in."""

type Number = int | float
"""One reward or one metric. Never a bool: validation has turned bools into floats."""

type Rewards = dict[str, Number]
"""What one verifier run gave: reward key to number, in the order in which the file named them."""

LITERAL_NAN: float = float("nan")
"""What the literal `NaN` of a JSON document is read as: one object, however often it is written.

CPython's json does so too, and Harbor lists trials by reward in a dict, where a nan is found again only as the same
object. A nan from a text or from a computation is an object of its own.
"""


def literal_nans(rewards: Rewards | None) -> tuple[str, ...]:
    """Keys of the rewards that were read as the literal `NaN`."""
    return tuple(key for key, value in (rewards or {}).items() if value is LITERAL_NAN)
