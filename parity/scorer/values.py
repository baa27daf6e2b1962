"""The two types that every operation of the scorer speaks in."""

type Number = int | float
"""One reward or one metric. Never a bool: validation has turned bools into floats."""

type Rewards = dict[str, Number]
"""What one verifier run gave: reward key to number, in the order in which the file named them."""
