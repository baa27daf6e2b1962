"""Golden inputs of `pass_at_k`: groups of trials that meet or miss each of its conditions."""

from collections.abc import Iterator

from parity.operations.pass_at_k.case import PassAtKCase
from parity.operations.vector import Vector
from parity.scorer import Rewards, Trial


def _attempts(
    outcomes: str,
    task: str = "task",
    agent: str = "agent",
    model: str | None = "model",
    source: str | None = "set",
) -> list[Trial]:
    """Build the trials of one task; `1` passes and `0` fails, as ints."""
    return [Trial(agent, model, source, task, {"reward": int(outcome)}) for outcome in outcomes]


def _trial(rewards: Rewards | None, task: str = "task") -> Trial:
    return Trial("agent", "model", "set", task, rewards)


def _of(*passed_of_tried: tuple[int, int]) -> list[Trial]:
    """Build the trials of one task for each pair of passed and tried attempts."""
    return [
        trial
        for number, (passed, tried) in enumerate(passed_of_tried)
        for trial in _attempts("1" * passed + "0" * (tried - passed), f"task-{number}")
    ]


_TWO = _attempts("10")
_NAN = float("nan")

_CASES: dict[str, dict[str, list[Trial]]] = {
    "pass-at-k/estimator": {f"{passed}-of-{tried}": _of((passed, tried)) for passed, tried in [(1, 2), (0, 2), (2, 2), (1, 3), (2, 4), (0, 5), (1, 5), (3, 5), (5, 5), (3, 10), (1, 10), (7, 16), (1, 20), (4, 20), (2, 33), (30, 130)]},
    "pass-at-k/eligible": {"two": _TWO, "three": _attempts("100"), "nothing": [], "four": _attempts("1000")},
    "pass-at-k/multiples-of-five": {f"{tried}-attempts": _of((1, tried)) for tried in (5, 8, 9, 10, 15, 16, 25, 32, 100)},
    "pass-at-k/no-single": {"one": _attempts("1"), "one-null": [_trial(None)], "one-each": _attempts("1", "a") + _attempts("0", "b")},
    "pass-at-k/fewest-attempts": {"two-and-five": _of((1, 2), (1, 5)), "one-and-four": _of((1, 1), (2, 4)), "four-and-nine": _of((1, 4), (3, 9)), "three-tasks": _of((1, 6), (2, 5), (0, 4))},
    "pass-at-k/many-groups": {"twelve": [trial for n in range(12) for trial in _attempts("10", agent=f"agent-{n}")]},
    "pass-at-k/mean-over-tasks": {"forty": _of(*[(index % 3, 3) for index in range(40)]), "two": _of((1, 2), (0, 2)), "three": _of((1, 5), (2, 5), (0, 5)), "seven": _of(*[(index % 5, 5) for index in range(7)]), "seven-reversed": _of(*[(index % 5, 5) for index in range(7)])[::-1], "ten-of-one": _of(*[(1, 10)] * 10), "uneven": _of((1, 3), (1, 7), (5, 6), (2, 9))},
    "pass-at-k/null-fails": {"one-of-two": [_trial({"reward": 1}), _trial(None)], "all": [_trial(None)] * 4, "first": [_trial(None), *_attempts("11")], "beside-two": [*_TWO, _trial(None)], "whole-task": [*_TWO, *[_trial(None, "other")] * 2], "fewest": [*_TWO, *_attempts("1", "other"), _trial(None, "other")]},
    "pass-at-k/empty-disables": {"last": [*_TWO, _trial({})], "first": [_trial({}), *_TWO], "other-task": [*_TWO, _trial({}, "other")]},
    "pass-at-k/several-keys-disable": {"last": [*_TWO, _trial({"reward": 1, "speed": 1})], "all": [_trial({"a": 1, "b": 0})] * 2},
    "pass-at-k/binary-only": {name: [*_TWO, _trial({"reward": value})] for name, value in {"half": 0.5, "two": 2, "minus-one": -1, "nan": _NAN, "inf": float("inf"), "nearly-one": 0.9999999999999999, "just-above-one": 1.0000000000000002, "tiny": 5e-324, "big": 2**64}.items()},
    "pass-at-k/float-binary": {"floats": [_trial({"reward": value}) for value in (1.0, 0.0, 0.0)], "minus-zero": [_trial({"reward": value}) for value in (1.0, -0.0)], "mixed": [_trial({"reward": value}) for value in (1, 0.0, 1.0, 0)]},
    "pass-at-k/any-key": {"accuracy": [_trial({"accuracy": value}) for value in (1, 0)], "empty-name": [_trial({"": value}) for value in (1, 0)], "different": [_trial({"a": 1}), _trial({"b": 0})]},
    "pass-at-k/absent-names": {"no-model": _attempts("10", model=None), "no-source": _attempts("10", source=None), "neither": _attempts("10", model=None, source=None), "adhoc-joins": _attempts("1", source=None) + _attempts("0", source="adhoc")},
    "pass-at-k/empty-names": {"model": _attempts("10", model=""), "source": _attempts("10", source=""), "model-joins": _attempts("1", model="") + _attempts("0", model=None), "source-joins": _attempts("1", source="") + _attempts("0", source=None), "agent": _attempts("10", agent="")},
    "pass-at-k/colliding-keys": {"agent-holds-model": _attempts("1", agent="a__m", model=None) + _attempts("0", agent="a", model="m"), "source-holds-model": _attempts("1", agent="a", model=None, source="m__d") + _attempts("0", agent="a", model="m", source="d"), "tasks-join": _of((1, 2)) + _attempts("11", "task-0", agent="agent__model", model=None), "separator": _attempts("10", source="a__b")},
}  # fmt: skip

# Tasks, and groups, whose names are nearly the same: two attempts at one would give pass@2.
_ALIKE = {"path": ("x/t", "y/t"), "case": ("task", "Task"), "blank": ("t", "t "), "version": ("t@1", "t@2"), "suffix": ("t__a", "t__b"), "empty": ("", "t"), "accent": ("\u00e9", "e\u0301"), "number": ("1", "01"), "slash": ("t", "t/"), "dash": ("a-b", "a_b"), "long": ("t" * 64 + "a", "t" * 64 + "b")}  # fmt: skip
_CASES["pass-at-k/no-single"] |= {
    f"tasks-alike/{name}": _attempts("1", one) + _attempts("0", other) for name, (one, other) in _ALIKE.items()
}
_CASES["pass-at-k/no-single"] |= {
    f"{member}s-alike/{name}": _attempts("1", **{member: one}) + _attempts("0", **{member: other})
    for member in ("agent", "model", "source")
    for name, (one, other) in _ALIKE.items()
    if one and name in ("path", "case", "blank", "version")
}

_GROUPS: dict[str, list[Trial]] = {
    "two-groups": _attempts("10") + _attempts("11", agent="other"),
    "disabled-beside-enabled": [_trial({"reward": 0.5}), *_attempts("1"), *_attempts("10", agent="other")],
    "interleaved": [
        trial for pair in zip(_attempts("1100"), _attempts("0010", agent="other"), strict=True) for trial in pair
    ],
    "single-beside-double": _attempts("1") + _attempts("10", source="other"),
    "same-task-in-two-sets": _attempts("10", source="x") + _attempts("00", source="y"),
}


def _vectors() -> Iterator[Vector]:
    for rule, cases in _CASES.items():
        for name, trials in cases.items():
            yield Vector(rule, name, PassAtKCase(tuple(trials)))
    for name, trials in _GROUPS.items():
        yield Vector("pass-at-k/estimator", f"groups/{name}", PassAtKCase(tuple(trials)))


VECTORS: list[Vector] = list(_vectors())
