"""Rules for `aggregate`, which computes one metric from the rewards of all trials."""

from parity.operations import columns
from parity.operations.aggregate import conditions, equivalents
from parity.operations.aggregate.conditions import adds, aggregates
from parity.operations.rule import Rule, aspects, in_faults, in_keys, in_order, rounding

_REWARDS = "harbor.metrics.base.aggregate_reward_dicts"
_MEAN = "harbor.metrics.mean.Mean.compute"

RULES: list[Rule] = [
    Rule(
        "aggregate/no-trials",
        "Without trials, mean MUST raise ZeroDivisionError, max and min ValueError, and sum MUST be the int 0.",
        source="harbor.metrics.mean.Mean.compute, builtins.max, builtins.min and builtins.sum",
        when=conditions.has_no_trials,
    ),
    Rule(
        "aggregate/different-single-keys",
        "Trials that have one key each, but not all the same, MUST count as having several keys.",
        source=_REWARDS,
        when=conditions.has_different_single_keys,
        where=aspects("keys", "fault"),
        same=equivalents.zeros_for_missing,
    ),
    Rule(
        "aggregate/key-order",
        "Several keys MUST come in code point order, not in file, UTF-16 or caseless order.",
        source=_REWARDS,
        when=conditions.has_several_keys,
        where=in_order,
    ),
    Rule(
        "aggregate/several-keys",
        "With several reward keys, the answer MUST have one number for each of them.",
        source=_REWARDS,
        when=conditions.has_several_keys,
        where=in_keys,
    ),
    Rule(
        "aggregate/single-key",
        "With one reward key or none, the answer MUST have one key: the metric's name.",
        source=_REWARDS,
        where=in_keys,
    ),
    Rule(
        "aggregate/empty-is-zero",
        "A trial whose rewards are `{}` MUST count as 0.",
        source=_REWARDS,
        when=conditions.has_empty_rewards,
        same=equivalents.zeros_for_empty,
    ),
    Rule(
        "aggregate/null-is-zero",
        "A trial without rewards MUST count as the int 0; it MUST NOT be left out.",
        source=_REWARDS,
        when=conditions.has_null,
        same=equivalents.zeros_for_null,
    ),
    Rule(
        "aggregate/missing-key-is-zero",
        "A trial that lacks a key MUST count as the int 0 under that key.",
        source=_REWARDS,
        when=conditions.has_missing_key,
        same=equivalents.zeros_for_missing,
    ),
    Rule(
        "extreme/first-of-equals",
        "Of equal numbers, max and min MUST return the first, with its type and sign; an int and a float are "
        "compared by their exact values.",
        source="builtins.max and builtins.min",
        when=conditions.has_tie,
        where=aspects("type", "bits"),
    ),
    Rule(
        "summation/beyond-double",
        "An int, or a total of ints, that rounds to an infinity (from 2**1024 - 2**970 on) MUST raise OverflowError "
        "if it is added to a float; a mean of ints MUST raise it only if the quotient rounds to one.",
        source="builtins.sum and harbor.metrics.mean.Mean.compute",
        when=adds(columns.has_int_beyond_double),
        where=in_faults,
    ),
    Rule(
        "summation/beyond-long",
        "On Python 3.12 and 3.13, an int beyond 64 bits after a float MUST end the compensation: the loss so far is "
        "added, if finite, and then that int and all later numbers plainly; from 3.14 on it MUST NOT.",
        source="builtins.sum",
        when=adds(columns.adds_int_beyond_long),
        where=aspects("bits", "fault"),
    ),
    Rule(
        "extreme/nan",
        "Comparisons with nan are false, so max and min MUST give nan only if it comes first; a sum with nan MUST be "
        "nan.",
        source="builtins.max, builtins.min and builtins.sum",
        when=aggregates(columns.has_nan),
        where=aspects("bits", "fault"),
    ),
    Rule(
        "summation/infinite",
        "Infinities MUST add up as IEEE 754 says; no correction is applied to them.",
        source="builtins.sum",
        when=conditions.has_infinity,
        where=aspects("bits", "fault"),
    ),
    Rule(
        "summation/mixed",
        "An int that follows a float MUST be added without compensation on Python 3.12 and 3.13, and with it from "
        "3.14 on.",
        source="builtins.sum",
        when=adds(columns.mixes_ints_and_floats),
        where=aspects("bits", "fault"),
    ),
    Rule(
        "summation/integers",
        "Ints MUST be added exactly, not as doubles.",
        source="builtins.sum",
        when=adds(columns.has_inexact_int),
        where=aspects("bits", "value", "type", "fault"),
    ),
    Rule(
        "summation/sign-of-zero",
        "A sum MUST start from the int 0, so a sum of -0.0 alone is 0.0.",
        source="builtins.sum",
        when=adds(columns.has_negative_zero),
        where=aspects("bits"),
        same=equivalents.without_negative_zeros,
    ),
    Rule(
        "summation/compensated",
        "Floats MUST be added in the order of the trials, with Neumaier's compensation: neither one by one nor "
        "exactly.",
        source="builtins.sum",
        when=adds(columns.is_hard_to_add),
        where=aspects("bits"),
        in_any_case=rounding,
        same=equivalents.added_up,
    ),
    Rule(
        "aggregate/type",
        "A mean MUST be a float, that of ints the exact quotient rounded once; a sum, max or min of ints MUST be an "
        "int.",
        source="harbor.metrics.mean.Mean.compute, builtins.sum, builtins.max and builtins.min",
        where=aspects("type"),
    ),
    Rule(
        "aggregate/value",
        "A metric MUST be computed over all trials, in their order, and a mean MUST be divided by their number.",
        source="harbor.metrics.mean.Mean.compute and harbor.metrics.base.aggregate_reward_dicts",
    ),
]
