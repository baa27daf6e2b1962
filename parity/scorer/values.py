"""The types of rewards and metrics, and the one object for every literal `NaN`."""

type Number = int | float
"""One reward or one metric. Never a bool: validation has turned bools into floats."""

type Rewards = dict[str, Number]
"""The rewards of one verifier run: reward key to number, in the order of the file."""

LITERAL_NAN: float = float("nan")
"""The object that stands for every literal `NaN` in a JSON document.

CPython's json also returns one object for all of them. Harbor lists trials by reward in a dict, which finds a nan again
only if it is the same object. A nan from reward.txt, a JSON string or a computation is a separate object.
"""


def literal_nans(rewards: Rewards | None) -> tuple[str, ...]:
    """Return the keys of the rewards that were read as the literal `NaN`."""
    return tuple(key for key, value in (rewards or {}).items() if value is LITERAL_NAN)
