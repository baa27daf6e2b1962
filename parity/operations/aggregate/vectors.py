"""Golden inputs of `aggregate`: lists of rewards, each under every metric that it is hard for."""

from collections.abc import Iterator, Sequence

from parity.operations.aggregate.case import AggregateCase
from parity.operations.vector import Vector
from parity.scorer import METRICS, Number, Rewards

_NAN, _INF = float("nan"), float("inf")
_TINY = 5e-324
_HUGE = 1.7976931348623157e308

# By rule: named columns of numbers under the one key `reward`.
_COLUMNS: dict[str, dict[str, Sequence[Number]]] = {
    "aggregate/single-key": {"one-int": [1], "one-float": [0.5], "two": [1, 0]},
    "aggregate/type": {"ints": [1, 0, 1], "floats": [1.0, 0.0, 1.0], "int-first": [1, 0.0], "float-first": [1.0, 0], "even-ints": [1, 1], "one-zero": [0]},
    "aggregate/value": {"thirds": [1, 0, 0], "two-thirds": [1.0, 1.0, 0.0], "sevenths": [1, 0, 0, 0, 0, 0, 1], "negative": [-1, 0.5], "halves": [0.5, 0.25, 0.125]},
    "extreme/first-of-equals": {"int-then-float": [1, 1.0], "float-then-int": [1.0, 1], "zeros": [0.0, -0.0], "zeros-reversed": [-0.0, 0.0], "int-zero-last": [-0.0, 0.0, 0], "int-zero-first": [0, -0.0], "2**53": [2**53, float(2**53)], "2**53+1": [float(2**53), 2**53 + 1]},
    "extreme/nan": {"first": [_NAN, 1.0, 0.0], "last": [1.0, 0.0, _NAN], "middle": [0.5, _NAN, 1.0], "alone": [_NAN], "with-inf": [_INF, _NAN, -_INF], "with-int": [1, _NAN]},
    "summation/compensated": {
        "ten-tenths": [0.1] * 10, "three-tenths": [0.1, 0.2, 0.3], "three-tenths-reversed": [0.3, 0.2, 0.1], "sevens": [0.7] * 7, "cancel": [1e16, 1.0, -1e16], "cancel-late": [1.0, 1e16, -1e16],
        "cancel-twice": [1e100, 1.0, -1e100, 1e-16], "peters": [1.0, 1e100, 1.0, -1e100], "halves-of-ulp": [1.0, 1e-16, 1e-16], "many-small": [1.0] + [1.1102230246251565e-16] * 20, "not-exact": [1e16, 1.0, 1e-16, -1e16, 1.0], "mixed-signs": [0.1, -0.3, 0.2],
    },
    "summation/sign-of-zero": {"minus": [-0.0], "minus-minus": [-0.0, -0.0], "plus-minus": [0.0, -0.0], "int-minus": [0, -0.0], "cancelling": [1.0, -1.0], "cancelling-to-minus": [-1.0, 1.0, -0.0]},
    "summation/integers": {"beyond-2**53": [2**53, 1, 1], "beyond-2**53-odd": [2**53 + 1, 2], "negative": [-(2**53) - 1, 1], "sixty": [2**60 + 1, 2**60 + 3, 1], "long-max": [2**63 - 1, 1], "long-min": [-(2**63), -1], "cancelling": [2**62, 2**62, -(2**62)], "beyond-long": [2**63, 2**63], "beyond-long-odd": [2**64 + 1, 2**64 + 1, 1]},
    "summation/mixed": {
        "int-between": [0.1, 1, 0.1], "int-first": [1, 0.1, 0.1], "int-last": [0.1, 0.1, 1], "cancel-int": [1e16, 1, -1e16], "cancel-ints": [1e16, 1, 1, -1e16], "cancel-mixed": [1e16, 1, 1.0, -1e16], "zero-between": [0.1, 0, 0.2],
        "int-beyond-2**53": [0.5, 2**53 + 1, -(2**53)], "long-max": [0.5, 2**63 - 1, -(2**62)], "int-run-first": [2**53, 1, 0.5, 0.5],
    },
    "summation/beyond-long": {"float-first": [0.1, 2**63, -(2**63)], "big-first": [2**63, 0.1, -(2**63)], "big-last": [0.1, 0.2, 2**63], "compensation-settled": [1e16, 1.0, 2**64, -1e16], "then-floats": [0.1, 2**63, 0.1, 0.1], "min": [0.1, -(2**63) - 1, 0.3]},
    "summation/beyond-double": {"alone": [2**1024], "two-that-fit": [2**1023, 2**1023], "with-float": [0.5, 2**1024], "float-last": [2**1024, 0.5], "divided-fits": [2**1023, 2**1023, 0, 0], "cancelled": [2**1024, -(2**1024)], "largest-double": [2**1024 - 2**971], "rounds-to-inf": [2**1024 - 2**970], "rounds-to-largest": [2**1024 - 2**970 - 1], "largest-after-float": [0.5, 2**1024 - 2**970 - 1], "largest-before-float": [2**1024 - 2**970 - 1, 0.5], "10**400": [10**400, 1]},
    "summation/infinite": {"inf": [_INF, 1.0], "minus-inf": [-_INF, 1.0], "both": [_INF, -_INF], "overflow": [_HUGE, _HUGE], "overflow-and-back": [_HUGE, _HUGE, -_HUGE], "inf-and-int": [_INF, 1], "just-fits": [_HUGE, -_HUGE, _HUGE], "inf-and-big-int": [_INF, 2**64]},
    "aggregate/no-trials": {"none": []},
}  # fmt: skip

# More trials than a pairwise summation adds one by one: 8, 16, 32 and 128 are usual.
_COLUMNS["summation/compensated"] |= {
    "thirty-three": [0.1, 0.2, 0.3] * 11,
    "hundred-and-thirty": [0.1] * 130,
    "thousand": [0.1] * 1000,
}
_COLUMNS["summation/mixed"]["hundred"] = [0.1, 1] * 50
_COLUMNS["aggregate/value"]["last-of-two-hundred"] = [0] * 199 + [1]
_COLUMNS["summation/integers"]["hundred"] = [2**53 + 1] * 100
_COLUMNS["summation/compensated"]["subnormal"] = [_TINY, _TINY, -_TINY, 2.2250738585072014e-308]

_COLUMNS["extreme/first-of-equals"] |= {"minus-infinities": [-_INF, -_INF], "infinities": [_INF, _INF]}

# Rule to columns that only a sum is hard for. An int that just fits a C long, or the first that does not, decides whether
# the 1.0 that an addition loses is kept.
_SUMS: dict[str, dict[str, Sequence[Number]]] = {
    "summation/compensated": {"minus-first": [-1e16, 1.0, 1e16], "larger-minus-second": [1.0, -1e16, 1e16]},
    "summation/beyond-long": {
        "far-above": [1e16, 1.0, 2**64, -(2.0**64), -1e16],
        "fits-as-a-sum-alone": [-1, 2**63, 0.0, 1.0, -(2.0**63)],
        "settled-in-time": [2.0**62, *[500.0] * 10, 2**63, -(2.0**63), -(2.0**62)],
    },
}
for _name, _int, _lost in (
    ("long-max", 2**63 - 1, 1.0),
    ("above-long-max", 2**63, 1.0),
    ("long-min", -(2**63), -1.0),
    ("below-long-min", -(2**63) - 1, -1.0),
):
    _SUMS["summation/beyond-long"] |= {
        _name: [1e16, 1.0, _int, -float(_int), -1e16],
        f"{_name}/first": [_int, 0.0, _lost, -float(_int)],
        f"{_name}/as-a-sum": [_int // 2, _int - _int // 2, 0.0, _lost, -float(_int)],
    }

# Rule to named lists of rewards.
_LISTS: dict[str, dict[str, list[Rewards | None]]] = {
    "aggregate/single-key": {"other-name": [{"accuracy": 0.5}, {"accuracy": 1.0}], "named-like-the-metric": [{"mean": 0.25}, {"mean": 0.75}], "empty-name": [{"": 1}], "no-keys": [{}, {}], "all-null": [None, None]},
    "aggregate/null-is-zero": {"one-of-three": [{"reward": 1}, None, None], "first": [None, {"reward": 1.0}], "with-negative": [{"reward": -0.5}, None], "several-keys": [{"a": 1, "b": 2.0}, None], "ends-ties": [{"reward": 0.0}, None], "begins-ties": [None, {"reward": 0.0}]},
    "aggregate/empty-is-zero": {"one-of-two": [{"reward": 1.0}, {}], "first": [{}, {"reward": -1.0}], "several-keys": [{}, {"a": 1.0, "b": 0.5}], "with-null": [{}, None]},
    "aggregate/missing-key-is-zero": {"second": [{"a": 1, "b": 1}, {"a": 1}], "first": [{"a": 0.5}, {"a": 0.5, "b": 0.5}], "negative": [{"a": -1.0, "b": -1.0}, {"b": -0.5}], "three": [{"a": 0.1}, {"a": 0.1, "b": 0.2}, {"b": 0.3, "c": 1}]},
    "aggregate/different-single-keys": {"two": [{"a": 1}, {"b": 1}], "floats": [{"accuracy": 0.5}, {"reward": 1.0}], "with-null": [{"a": 1.0}, None, {"b": 0.0}], "case": [{"reward": 1}, {"Reward": 1}], "with-empty": [{"b": 1}, {}, {"a": 0.5}]},
    "aggregate/several-keys": {"two": [{"correctness": 1, "speed": 0.5}, {"correctness": 0, "speed": 1.0}], "twenty-keys": [{f"key-{n}": n / 10 for n in range(20)}, {"key-19": 1.0}], "long-keys": [{"k" * 64 + "a": 1, "k" * 64 + "b": 0.5, "k" * 300: 0.25}], "named-like-metrics": [{"mean": 0.5, "max": 1}], "one-trial": [{"a": 1, "b": 0.5}], "sums": [{"a": 0.1, "b": 1e16}, {"a": 0.2, "b": 1.0}, {"a": 0.3, "b": -1e16}]},
    "aggregate/key-order": {
        "reversed": [{"b": 1, "a": 2}], "across-trials": [{"c": 1, "a": 1}, {"b": 1}], "case": [{"b": 1, "B": 2, "a": 3, "A": 4}], "digits": [{"10": 1, "9": 2, "1": 3}], "integer-like": [{"b": 1, "2": 2, "a": 3, "1": 4}], "accents": [{"é": 1, "f": 2, "e": 3, "z": 4}],
        "utf16": [{"\uff5e": 1, "\U0001f600": 2}], "private-use": [{"\U00010000": 1, "\ue000": 2, "\ud7ff": 3}], "surrogate": [{"\ud800": 1, "\ue000": 2, "\U00010000": 3}], "empty-name": [{"a": 1, "": 2, " ": 3}], "prefix": [{"ab": 1, "a": 2, "a b": 3}], "combining": [{"e\u0301": 1, "\u00e9": 2, "e": 3}],
    },
}  # fmt: skip

# More trials than are taken at a time, most of them without rewards so that the file stays small.
_LISTS["summation/compensated"] = {
    "five-thousand": [{"reward": 1e16}, {"reward": 1.0}, *[None] * 5000, {"reward": -1e16}]
}
_LISTS["aggregate/null-is-zero"]["five-thousand"] = [*[None] * 5000, {"reward": -1}]

# Rules that show under these metrics alone; others are asked under all. An int beyond a double matters to extremes, too.
_EXTREMES_ONLY = {"extreme/first-of-equals": ("max", "min")}
_SUMS_ONLY = {f"summation/{name}": ("mean", "sum") for name in ("compensated", "mixed", "sign-of-zero", "integers", "beyond-long", "infinite")}  # fmt: skip
_ANY_TWO = {"aggregate/key-order": ("mean", "max")}


def _vectors() -> Iterator[Vector]:
    for rule, columns in _SUMS.items():
        for name, column in columns.items():
            yield Vector(rule, f"{name}/sum", AggregateCase("sum", tuple({"reward": number} for number in column)))
    for rule, columns in _COLUMNS.items():
        for name, column in columns.items():
            for metric in _metrics(rule):
                rewards = tuple({"reward": number} for number in column)
                yield Vector(rule, f"{name}/{metric}", AggregateCase(metric, rewards))
    for rule, lists in _LISTS.items():
        for name, rewards_list in lists.items():
            for metric in _metrics(rule):
                yield Vector(rule, f"{name}/{metric}", AggregateCase(metric, tuple(rewards_list)))


def _metrics(rule: str) -> Sequence[str]:
    return {**_EXTREMES_ONLY, **_SUMS_ONLY, **_ANY_TWO}.get(rule, tuple(METRICS))


VECTORS: list[Vector] = [
    *_vectors(),
    Vector("aggregate/null-is-zero", "ten-thousand/sum", AggregateCase("sum", (*[None] * 10_000, {"reward": 1}))),
]
