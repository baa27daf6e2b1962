"""Rules of `aggregate`: from the rewards of all trials to one metric."""

from parity.operations.rule import Rule, rules

_SHAPE = rules(
    "aggregate",
    ("aggregate/no-trials", "harbor.metrics.mean.Mean.compute, builtins.max, builtins.min and builtins.sum", "no-rewards", "Without trials, mean MUST raise ZeroDivisionError, max and min ValueError, and sum MUST be the int 0."),
    ("aggregate/different-single-keys", "harbor.metrics.base.aggregate_reward_dicts", "different-single-keys", "Trials that have one key each, but not all the same, MUST count as having several keys.", "keys fault"),
    ("aggregate/key-order", "harbor.metrics.base.aggregate_reward_dicts", "several-keys", "Several keys MUST come in code point order, not in file, UTF-16 or caseless order.", "order"),
    ("aggregate/several-keys", "harbor.metrics.base.aggregate_reward_dicts", "several-keys", "With several reward keys, the answer MUST have one number for each of them.", "keys"),
    ("aggregate/single-key", "harbor.metrics.base.aggregate_reward_dicts", "", "With one reward key or none, the answer MUST have one key: the metric's name.", "keys"),
    ("aggregate/empty-is-zero", "harbor.metrics.base.aggregate_reward_dicts", "empty-rewards", "A trial whose rewards are `{}` MUST count as 0."),
    ("aggregate/null-is-zero", "harbor.metrics.base.aggregate_reward_dicts", "null-reward", "A trial without rewards MUST count as the int 0; it MUST NOT be left out."),
    ("aggregate/missing-key-is-zero", "harbor.metrics.base.aggregate_reward_dicts", "missing-key", "A trial that lacks a key MUST count as the int 0 under that key."),
)  # fmt: skip

_EXTREMES = rules(
    "aggregate",
    ("extreme/first-of-equals", "builtins.max and builtins.min", "tie-across-types tie-of-zeros", "Of equal numbers, max and min MUST return the first, with its type and sign; an int and a float are compared by their exact values.", "type bits"),
)  # fmt: skip

_EXCESS = rules(
    "aggregate",
    ("summation/beyond-double", "builtins.sum and harbor.metrics.mean.Mean.compute", "int-beyond-double", "An int, or a total of ints, that rounds to an infinity (from 2**1024 - 2**970 on) MUST raise OverflowError if it is added to a float; a mean of ints MUST raise it only if the quotient rounds to one.", "fault"),
    ("summation/beyond-long", "builtins.sum", "int-beyond-long", "On Python 3.12 and 3.13, an int beyond 64 bits after a float MUST end the compensation: the loss so far is added, if finite, and then that int and all later numbers plainly; from 3.14 on it MUST NOT.", "bits fault"),
)  # fmt: skip

_NAN = rules(
    "aggregate",
    ("extreme/nan", "builtins.max, builtins.min and builtins.sum", "nan-value", "Comparisons with nan are false, so max and min MUST give nan only if it comes first; a sum with nan MUST be nan.", "bits fault"),
)  # fmt: skip

_SUMMATION = rules(
    "aggregate",
    ("summation/infinite", "builtins.sum", "infinite-value sum-overflows", "Infinities MUST add up as IEEE 754 says; no correction is applied to them.", "bits fault"),
    ("summation/mixed", "builtins.sum", "mixed-int-float", "An int that follows a float MUST be added without compensation on Python 3.12 and 3.13, and with it from 3.14 on.", "bits fault"),
    ("summation/integers", "builtins.sum", "int-beyond-2**53", "Ints MUST be added exactly, not as doubles.", "bits value type fault"),
    ("summation/sign-of-zero", "builtins.sum", "negative-zero", "A sum MUST start from the int 0, so a sum of -0.0 alone is 0.0.", "bits"),
    ("summation/compensated", "builtins.sum", "inexact-sum inexact-compensation cancelling-sum", "Floats MUST be added with Neumaier's compensation: neither one by one nor exactly.", "bits rounding"),
)  # fmt: skip

_VALUE = rules(
    "aggregate",
    ("aggregate/type", "harbor.metrics.mean.Mean.compute, builtins.sum, builtins.max and builtins.min", "", "A mean MUST be a float, that of ints the exact quotient rounded once; a sum, max or min of ints MUST be an int.", "type"),
    ("aggregate/value", "harbor.metrics.mean.Mean.compute and harbor.metrics.base.aggregate_reward_dicts", "", "A metric MUST be computed over all trials, and a mean MUST be divided by their number."),
)  # fmt: skip

RULES: list[Rule] = [
    *_SHAPE,
    *_EXTREMES,
    *_EXCESS,
    *_NAN,
    *_SUMMATION,
    *_VALUE,
]
