"""Rules of `aggregate`: from the rewards of all trials to one metric."""

from parity.operations.rule import Rule, leaves_its_input, rules

_EXTREMES = rules(
    "aggregate",
    "Python's max and min",
    ("extreme/first-of-equals", "tie-across-types tie-of-zeros", "Of equal numbers, max and min return the first, with its type and sign.", "type bits"),
)  # fmt: skip

_SHAPE = rules(
    "aggregate",
    "harbor.metrics.base",
    ("aggregate/no-trials", "no-rewards", "Without trials, mean raises ZeroDivisionError, max and min raise ValueError, and sum is the int 0."),
    ("aggregate/different-single-keys", "different-single-keys", "Trials that have one key each, but not all the same, have several keys together.", "keys fault"),
    ("aggregate/key-order", "several-keys", "Several keys come in code point order, not in file, UTF-16 or caseless order.", "order"),
    ("aggregate/several-keys", "several-keys", "With several reward keys, the answer has one number for each of them.", "keys"),
    ("aggregate/single-key", "", "With one reward key or none, the answer has one key: the metric's name.", "keys"),
    ("aggregate/empty-is-zero", "empty-rewards", "A trial whose rewards are `{}` counts as 0."),
    ("aggregate/null-is-zero", "null-reward", "A trial without rewards counts as the int 0; it is not left out."),
    ("aggregate/missing-key-is-zero", "missing-key", "A trial that lacks a key counts as the int 0 under that key."),
)  # fmt: skip

_EXCESS = rules(
    "aggregate",
    "Python's sum",
    ("summation/beyond-double", "int-beyond-double", "An int beyond the largest double raises OverflowError if it is added to a float, or divided.", "fault"),
    ("summation/beyond-long", "int-beyond-long", "In a sum with floats, an int beyond 64 bits ends the compensation on Python 3.12 and 3.13, but not from 3.14 on.", "bits fault"),
)  # fmt: skip

_NAN = rules(
    "aggregate",
    "Python's max, min and sum",
    ("extreme/nan", "nan-value", "Comparisons with nan are false, so max and min give nan only if it comes first; a sum with nan is nan.", "bits fault"),
)  # fmt: skip

_SUMMATION = rules(
    "aggregate",
    "Python's sum",
    ("summation/infinite", "infinite-value sum-overflows", "Infinities add up as IEEE 754 says; no correction is applied to them.", "bits fault"),
    ("summation/mixed", "mixed-int-float", "An int that follows a float is added without compensation on Python 3.12 and 3.13, and with it from 3.14 on.", "bits fault"),
    ("summation/integers", "int-beyond-2**53", "Ints are added exactly, not as doubles.", "bits value type fault"),
    ("summation/sign-of-zero", "negative-zero", "A sum starts from the int 0, so a sum of -0.0 alone is 0.0.", "bits"),
    ("summation/compensated", "inexact-sum inexact-compensation cancelling-sum", "Floats are added with Neumaier's compensation: neither one by one nor exactly.", "bits rounding"),
)  # fmt: skip

_VALUE = rules(
    "aggregate",
    "harbor.metrics",
    ("aggregate/type", "", "A mean is a float; a sum, max or min of ints is an int.", "type"),
    ("aggregate/value", "", "A metric is computed over all trials, and a mean is divided by their number."),
)  # fmt: skip

RULES: list[Rule] = [
    *_EXTREMES,
    *_SHAPE,
    *_EXCESS,
    *_NAN,
    *_SUMMATION,
    *_VALUE,
    leaves_its_input("aggregate", "harbor.metrics.base"),
]
