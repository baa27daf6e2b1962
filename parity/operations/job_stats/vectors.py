"""Golden inputs of `job_stats`: jobs that have ended, most of them also just before they end, and jobs that run."""

import string
from collections.abc import Iterator, Sequence
from dataclasses import replace

from parity.operations.vector import Vector
from parity.scorer import Event, Job, JobTrial, Number, Rewards, Usage

_NAN, _INF = float("nan"), float("inf")


def _trial(
    name: str,
    rewards: Rewards | Number | None = 1.0,
    exception: str | None = None,
    *usage: Usage,
    agent: str = "agent",
    model: str | None = "model",
    source: str | None = "set",
    task: str = "task",
    literal: bool = False,
) -> JobTrial:
    """Build a trial; a number is its reward. Its nans may be literals of a reward.json."""
    given = {"reward": rewards} if isinstance(rewards, int | float) else rewards
    nans = tuple(key for key, value in (given or {}).items() if value != value) if literal else ()
    return JobTrial(agent, model, source, task, given, name, exception, usage, nans)


def _got(*rewards: Rewards | Number | None, literal: bool = False) -> list[JobTrial]:
    """Build trials of one group, with the names a, b, c and so on, or t0, t1 and so on if there are many."""
    names = string.ascii_lowercase if len(rewards) <= 26 else [f"t{number}" for number in range(len(rewards))]
    return [_trial(name, given, literal=literal) for name, given in zip(names, rewards, strict=False)]


def _job(
    trials: Sequence[JobTrial],
    metrics: Sequence[str] = ("mean",),
    datasets: Sequence[str] = ("set",),
    *,
    total: int | None = None,
    earlier: Sequence[JobTrial] = (),
    retries: int = 0,
) -> Job:
    """Build a job with trials that ended one after the other."""
    planned = len(trials) + len(earlier) if total is None else total
    events = tuple(Event("end", trial.name, trial) for trial in trials)
    return Job(planned, events, tuple(metrics), tuple(datasets), tuple(earlier), retries)


def _live(*events: Event | JobTrial | str, total: int = 3, earlier: Sequence[JobTrial] = (), retries: int = 0) -> Job:
    """Build a job that runs: a name stands for the start of a trial, and a trial for its end."""
    received = [each if isinstance(each, Event) else _event(each) for each in events]
    return Job(total, tuple(received), ("mean",), ("set",), tuple(earlier), retries)


def _max(*events: JobTrial | str) -> Job:
    """Build a job that runs, with the metric max."""
    return replace(_live(*events), metrics=("max",))


def _event(each: JobTrial | str) -> Event:
    return Event("start", each) if isinstance(each, str) else Event("end", each.name, each)


def _cancel(name: str) -> Event:
    return Event("cancel", name)


_A, _B = _trial("a"), _trial("b", 0.0)
_FAILED = _trial("a", None, "ValueError")
_CANCELLED = _trial("c", None, "CancelledError")
_PAID = _trial("a", 1.0, None, Usage(100, 50, 10, 0.25))
_ALL = ("mean", "sum", "max", "min")

_WITHOUT_REWARD = {
    "verification-off": None,
    "no-file": "RewardFileNotFoundError",
    "empty-file": "RewardFileEmptyError",
    "bad-file": "VerifierOutputParseError",
    "verifier-timeout": "VerifierTimeoutError",
    "agent-timeout": "AgentTimeoutError",
    "cancelled": "CancelledError",
    "environment-failed": "EnvironmentStartTimeoutError",
}
"""Ways in which a trial ends without a reward, each with the error that it records."""

_WITH_REWARD = {
    "agent-timeout": "AgentTimeoutError",
    "agent-exit": "NonZeroAgentExitCodeError",
    "api-error": "ApiError",
}

_LITERAL = _trial("a", _NAN, literal=True)
_MANY = [number % 7 / 10 + 0.1 for number in range(40)]

# By rule: named jobs, each of them asked twice: after its end, and just before; `_FINAL` after its end alone.
_ENDED: dict[str, dict[str, Job]] = {
    "job-stats/stats": {"nothing": _job([]), "one": _job([_A]), "two": _job([_A, _B]), "many": _job(_got(*[0.5] * 12))},
    "job-stats/layout": {"empty": _job([], (), ()), "nested": _job([_trial("a", {"x": 1.0, "y": 2}, "ValueError", Usage(1, 2, 3, 0.5))]), "no-rewards": _job([_trial("a", {})])},
    "job-stats/pending": {"more-planned": _job([_A], total=5), "fewer-planned": _job([_A, _B], total=1), "none-planned": _job([_A], total=0), "retries-kept": _job([_A], retries=4)},
    "job-stats/rewarded-trials": {"null": _job(_got(None)), "null-and-one": _job(_got(None, 1.0)), "empty": _job(_got({}, 1)), "all-null": _job(_got(None, None))},
    "job-stats/errors": {"one": _job([_FAILED]), "two-kinds": _job([_FAILED, _trial("b", None, "OSError"), _trial("c", None, "ValueError")]), "other-order": _job([_trial("a", None, "ZError"), _trial("b", None, "AError")]), "two-groups": _job([_FAILED, _trial("b", None, "ValueError", agent="other")])},
    "job-stats/errors-and-rewards": {"one": _job([_trial("a", 1.0, "AgentTimeoutError")]), "with-plain": _job([_trial("a", 0.0, "AgentTimeoutError"), _trial("b", 1.0)]), "empty": _job([_trial("a", {}, "AgentTimeoutError")]), **{name: _job([*_got(0, 0), _trial("c", 1, error)]) for name, error in _WITH_REWARD.items()}},
    "job-stats/no-reward-is-zero": {"no-keys": _job(_got(0.5, {})), **{name: _job([*_got(0.5), _trial("b", None, error)]) for name, error in _WITHOUT_REWARD.items()}},
    "job-stats/no-reward-fails": {name: _job([*_got(1, 0), _trial("c", None, error)], ("max",)) for name, error in _WITHOUT_REWARD.items()},
    "job-stats/cancelled": {"one": _job([_CANCELLED]), "with-reward": _job([_trial("a", 1.0, "CancelledError"), _B]), "two": _job([_CANCELLED, _trial("d", None, "CancelledError")]), "named-alike": _job([_trial("a", None, "MyCancelledError")])},
    "job-stats/reward-stats": {"many-trials": _job(_got(*_MANY)), "many-keys": _job(_got(*[{f"key-{key}": number + key / 10 for key in range(20)} for number in range(2)])), "long-keys": _job(_got({"k" * 64: 1, "k" * 65: 0.5, "k" * 300: 0.25})), "two-values": _job(_got(1.0, 0.0)), "same-value": _job(_got(0.5, 0.5, 0.5)), "interleaved": _job(_got(1.0, 0.0, 1.0, 0.0)), "two-keys": _job(_got({"a": 1, "b": 0.5}, {"a": 1, "b": 1})), "different-keys": _job(_got({"a": 1}, {"b": 1})), "key-order": _job(_got({"z": 1, "a": 2}))},
    "job-stats/reward-order": {"descending": _job(_got(3, 2, 1)), "mixed": _job(_got(0.5, 1, 0.25)), "nan-between": _job(_got(2.0, _NAN, 1.0))},
    "job-stats/equal-rewards": {"int-first": _job(_got(1, 1.0)), "float-first": _job(_got(1.0, 1)), "zeros": _job(_got(0.0, -0.0)), "minus-zero-first": _job(_got(-0.0, 0, 0.0)), "2**53": _job(_got(2**53, float(2**53), 2**53 + 1)), "1e16": _job(_got(10**16, 1e16)), "1e22": _job(_got(1e22, 10**22)), "per-key": _job(_got({"a": 1, "b": 1.0}, {"a": 1.0, "b": 1}))},
    "job-stats/nan-keys": {"two": _job(_got(_NAN, _NAN)), "three-and-one": _job(_got(_NAN, 1.0, _NAN, _NAN)), "two-keys": _job(_got({"a": _NAN, "b": _NAN}, {"a": _NAN, "b": 1}))},
    "job-stats/literal-nan": {"two": _job(_got(_NAN, _NAN, literal=True)), "three-and-one": _job(_got(_NAN, 1.0, _NAN, _NAN, literal=True)), "two-keys": _job(_got({"a": _NAN, "b": _NAN}, {"a": _NAN, "b": 1}, literal=True)), "alone": _job(_got(_NAN, 1.0, literal=True)), "beside-others": _job([_trial(name, _NAN, literal=name in "bde") for name in "abcdef"]), "two-groups": _job([_LITERAL, replace(_LITERAL, name="b", agent="other"), replace(_LITERAL, name="c")])},
    "job-stats/float-keys": {"small": _job(_got(1e-5)), "smaller": _job(_got(1.25e-7)), "large": _job(_got(1e16)), "larger": _job(_got(1.5e300)), "inf": _job(_got(_INF, -_INF)), "one-nan": _job(_got(_NAN)), "subnormal": _job(_got(5e-324)), "plain": _job(_got(0.0001, 123456789012345.0, 1e15)), "shortest": _job(_got(0.1, 0.30000000000000004, 1 / 3))},
    "result-text/float-values": {
        **{f"{value!r}": _job(_got(value)) for value in (1e-5, 1.25e-5, 9.999e-5, 0.0001, 9.99e-6, 1e-6, 1.5e-7, 1e-10, 1e-100, 5e-324, 9999999999999998.0, 1e16, 1.5e16, 123456789012345680.0, 1e17, 1e21, 1e22, 1e23, 1.7976931348623157e308, -1e-5, -1.25e-7, -1e16)},
        "costs": _job([_trial("a", 1.0, None, Usage(cost=1e-5))]), "small-cost": _job([_trial("a", 1.0, None, Usage(cost=2.5e-7))]),
    },
    "result-text/non-finite-values": {"nan": _job(_got(_NAN)), "inf": _job(_got(_INF)), "minus-inf": _job(_got(-_INF)), "cancelling": _job(_got(_INF, -_INF)), "all-metrics": _job(_got(_NAN, 1.0, _INF), _ALL), "cost-nan": _job([_trial("a", 1.0, None, Usage(cost=_NAN))]), "cost-inf": _job([_trial("a", 1.0, None, Usage(cost=_INF))])},
    "result-text/big-integers": {"10**400-not-shown": _job(_got(1, 10**400), ("min", "max", "sum")), "beyond-4300-digits-not-shown": _job(_got(1, 9 * 10**4299, 9 * 10**4299), ("min", "sum")), "2**53+1": _job(_got(2**53 + 1), _ALL), "2**63": _job(_got(2**63), _ALL), "2**64": _job(_got(-(2**64)), _ALL), "10**300": _job(_got(10**300), ("max",)), "10**400": _job(_got(10**400), ("max", "sum")), "4300-digits": _job(_got(10**4299, 10**4299), ("sum",)), "beyond-4300-digits": _job(_got(9 * 10**4299, 9 * 10**4299), ("sum",)), "tokens": _job([_trial("a", 1, None, Usage(2**64, 2**63, 10**30))])},
    "result-text/escapes": {name: _job([_trial("a", {key: 1.0})]) for name, key in {"quote": 'a"b', "backslash": "a\\b", "slash": "a/b", "newline": "a\nb", "tab": "a\tb", "return": "a\rb", "backspace": "a\bb", "feed": "a\fb", "nul": "a\x00b", "escape": "a\x1bb", "unit-separator": "a\x1fb", "del": "a\x7fb"}.items()},
    "result-text/unescaped": {name: _job([_trial("a", {key: 1.0})]) for name, key in {"accent": "é", "line-separator": "a\u2028b", "emoji": "\U0001f600", "byte-order-mark": "\ufeffa", "c1-control": "\x85", "noncharacter": "\uffff", "cjk": "報酬"}.items()},
    "result-text/surrogates": {"high": _job([_trial("a", {"\ud800": 1.0})]), "low": _job([_trial("a", {"a\udfffb": 1.0})]), "two": _job([_trial("a", dict(zip(("\ud800", "\udc00"), (1.0, 2.0), strict=True)))]), "beside-pair": _job([_trial("a", {"\U0001f600\ud83d": 1.0})])},
    "job-stats/evals-key": {
        "no-model": _job([_trial("a", model=None)]), "empty-model": _job([_trial("a", model="")]), "no-source": _job([_trial("a", source=None)]), "empty-source": _job([_trial("a", source="")]), "neither": _job([_trial("a", model=None, source=None)]),
        "model-joins": _job([_trial("a", model=""), _trial("b", model=None)]), "adhoc-joins": _job([_trial("a", source=None), _trial("b", source="adhoc")]), "colliding": _job([_trial("a", agent="agent__model", model=None), _trial("b", 0.0)]), "empty-agent": _job([_trial("a", agent="")]),
    },
    "job-stats/group-order": {"many": _job([_trial(f"t{number}", agent=f"agent-{9 - number % 10}") for number in range(20)]), "two": _job([_trial("a", agent="z"), _trial("b", agent="y")]), "interleaved": _job([_trial("a", agent="z"), _trial("b", agent="y"), _trial("c", 0.0, agent="z")]), "models": _job([_trial("a", model="z"), _trial("b", model="y")])},
    "job-stats/default-metric": {"one": _job(_got(1.0, 0.0), ()), "several-keys": _job(_got({"a": 1, "b": 0}), ()), "adhoc": _job([_trial("a", source=None)], ()), "null": _job(_got(None), ())},
    "job-stats/several-metrics": {"all": _job(_got(1.0, 0.0, 0.5), _ALL), "repeated": _job(_got(1.0, 0.0), ("mean", "mean")), "other-order": _job(_got(1.0, 0.0), ("sum", "mean")), "not-mean": _job(_got(1, 0), ("max",)), "several-keys": _job(_got({"a": 1, "b": 0.5}, {"a": 0, "b": 0.25}), ("max", "min")), "null": _job(_got(None, 1), _ALL)},
    "job-stats/repeated-dataset": {"two": _job([_A], datasets=("set", "set")), "two-metrics": _job([_A], ("max", "sum"), ("set", "set")), "called-adhoc": _job([_trial("a", source=None)], ("mean",), ("adhoc",)), "default-is-not-repeated": _job([_A], (), ("set", "set")), "three": _job([_A], ("mean",), ("set", "other", "set", "set"))},
    "job-stats/unknown-dataset": {"earlier": _job([], earlier=[_trial("a", source="other")]), "earlier-beside-known": _job([_A], earlier=[_trial("b", source="other"), _trial("c", 0.5, source="other")]), "other": _job([_trial("a", source="other")]), "none-configured": _job([_A], datasets=()), "beside-known": _job([_A, _trial("b", source="other")]), "no-metrics": _job([_trial("a", source="other")], ())},
    "job-stats/shown-dataset": {"other": _job([_trial("a", source="other")], ("max",)), "last": _job([_A, _B, _trial("c", source="other")]), "adhoc-is-known": _job([_trial("a", source="adhoc")], datasets=()), "part-of-another": _job([_trial("a", source="set")], datasets=("my__set",)), "of-an-error": _job([_trial("a", None, "ValueError", source="other")])},
    "job-stats/shown-metric": {
        **{f"{metric}": _job(_got(10**400), (metric,)) for metric in ("max", "sum", "min")},
        "minus": _job(_got(-(10**400)), ("min",)), "first-of-two-keys": _job(_got({"a": 10**400, "b": 1}), ("max",)), "second-of-two-keys": _job(_got({"a": 1, "b": 10**400}), ("max",)), "first-of-two-metrics": _job(_got(10**400), ("max", "min")),
        "not-the-first-metric": _job(_got(1, 10**400), ("min", "max", "sum")), "not-the-extreme": _job(_got(1, -(10**400)), ("max",)), "not-any-more": _job(_got(10**400, -(10**400)), ("sum",)),
        "largest-that-rounds": _job(_got(2**1024 - 2**970 - 1), ("max",)), "smallest-that-does-not": _job(_got(2**1024 - 2**970), ("max",)), "other-group": _job([_trial("a", 1, agent="other"), _trial("b", 10**400)], ("max",)), "earlier": _job(_got(1), ("max",), earlier=[_trial("p", 10**400)]), "earlier-alone": _job([], ("max",), earlier=[_trial("p", 10**400)]),
    },
    "job-stats/separator-in-dataset": {"one": _job([_trial("a", source="my__set")], datasets=("my__set",)), "last-part-configured": _job([_trial("a", source="my__set")], datasets=("my__set", "set")), "in-model": _job([_trial("a", model="m__n")]), "single-underscore": _job([_trial("a", source="my_set")], datasets=("my_set",)), "ends": _job([_trial("a", source="set__")], datasets=("set__",)), "three": _job([_trial("a", source="set___x")], datasets=("set___x", "_x", "x"))},
    "job-stats/adhoc-metrics": {"two-metrics": _job([_trial("a", source=None)], ("mean", "max")), "beside-set": _job([_trial("a", source=None), _B], ("mean", "max")), "empty-source": _job([_trial("a", source="")], ("sum", "sum"))},
    "job-stats/summation": {"many": _job(_got(*_MANY), ("mean", "sum")), "many-with-large": _job(_got(1e16, *_MANY, -1e16), ("mean", "sum")), "tenths": _job(_got(*[0.1] * 10)), "cancel": _job(_got(1e16, 1.0, -1e16), _ALL), "cancel-ints": _job(_got(1e16, 1, 1, -1e16), _ALL), "null-between": _job(_got(0.1, None, 0.2, 0.3)), "several-keys": _job(_got({"a": 1e16, "b": 0.1}, {"a": 1.0, "b": 0.2}, {"a": -1e16, "b": 0.3}))},
    "job-stats/overflow": {"mean": _job(_got(10**400)), "with-float": _job(_got(10**400, 0.5), ("sum",)), "second-metric": _job(_got(10**400), ("max", "mean")), "second-group": _job([_A, _trial("b", 10**400, agent="other")])},
    "job-stats/pass-at-k": {"many": _job(_got(*[int(number % 5 == 0) for number in range(40)])), "two": _job(_got(1, 0)), "five": _job(_got(1, 0, 0, 0, 0)), "floats": _job(_got(1.0, 0.0, 1.0)), "two-tasks": _job([*_got(1, 0), _trial("c", 1, task="u"), _trial("d", 1, task="u")]), "null-fails": _job(_got(1, None)), "not-binary": _job(_got(1, 0.5)), "ten": _job(_got(*[1, 0, 0, 0, 0] * 2)), "one-group-of-two": _job([*_got(1, 0), _trial("c", 0.5, agent="other")]), "sixteen": _job(_got(*[0, 0, 0, 1] * 4))},
    "job-stats/usage": {"one": _job([_PAID]), "two": _job([_PAID, _trial("b", 0.0, None, Usage(1, 2, 3, 0.5))]), "some-null": _job([_PAID, _trial("b", 0.0, None, Usage(1))]), "all-null": _job([_trial("a", 1.0, None, Usage())]), "zero": _job([_trial("a", 1.0, None, Usage(0, 0, 0, 0.0))]), "of-a-failed-trial": _job([_trial("a", None, "ValueError", Usage(5, None, 7, 0.125))]), "one-without": _job([_PAID, _B]), "minus-zero": _job([_trial("a", 1.0, None, Usage(cost=-0.0))]), "negative": _job([_trial("a", 1.0, None, Usage(cost=-1.5))])},
    "job-stats/several-runs": {"two": _job([_trial("a", 1.0, None, Usage(1, 2, 3, 0.5), Usage(10, 20, 30, 0.25))]), "some-null": _job([_trial("a", 1.0, None, Usage(1), Usage(None, 2), Usage(None, None, 3))]), "all-null": _job([_trial("a", 1.0, None, Usage(), Usage())]), "three-costs": _job([_trial("a", 1.0, None, Usage(cost=0.1), Usage(cost=0.2), Usage(cost=0.3))])},
    "job-stats/cost": {"three-tenths": _job([_trial(name, 1.0, None, Usage(cost=cost)) for name, cost in zip("abc", (0.1, 0.2, 0.3), strict=True)]), "ten-tenths": _job([_trial(name, 1.0, None, Usage(cost=0.1)) for name in "abcdefghij"]), "cancel": _job([_trial(name, 1.0, None, Usage(cost=cost)) for name, cost in zip("abc", (1e16, 1.0, -1e16), strict=True)]), "within-trials": _job([_trial("a", 1.0, None, *[Usage(cost=0.1)] * 3), _trial("b", 1.0, None, *[Usage(cost=0.1)] * 3)])},
}  # fmt: skip

# Characters that other software escapes, and larger numbers of everything.
_ENDED["result-text/unescaped"] |= {name: _job([_trial("a", {key: 1.0})]) for name, key in {"angle-brackets": "<a>", "ampersand": "a&b", "apostrophe": "a'b", "plus-and-backquote": "a+b`c", "paragraph-separator": "a\u2029b", "zero-width": "a\u200db", "right-to-left": "\u202ea"}.items()}  # fmt: skip
_ENDED["result-text/unescaped"]["names"] = _job([_trial("<a>&'b", agent="a<b>&'c", model="m/<n>&'")])
_ENDED["job-stats/reward-stats"]["thirty-of-one-value"] = _job(_got(*[0.5] * 30))
_ENDED["job-stats/errors"] |= {
    "thirty-of-one-kind": _job([_trial(f"t{number}", None, "OSError") for number in range(30)]),
    "twelve-kinds": _job([_trial(f"t{number}", None, f"E{number}Error") for number in range(12)]),
}
_ENDED["job-stats/several-metrics"]["eight"] = _job(_got(1.0, 0.0, 0.5), _ALL + _ALL)

# Names that are nearly the same, or look like numbers, and counts in another order than names.
_ENDED["job-stats/evals-key"] |= {
    f"{member}s-alike/{name}": _job([replace(_trial("a"), **{member: one}), replace(_trial("b", 0.0), **{member: other})], datasets=("set", one, other))  # type: ignore[arg-type]
    for member in ("agent", "model", "source")
    for name, (one, other) in {"case": ("name", "Name"), "path": ("x/n", "y/n"), "blank": ("n", "n "), "version": ("n@1", "n@2")}.items()
    if (member, name) != ("source", "path")  # a dataset is called as its folder
}  # fmt: skip
_ENDED["job-stats/reward-order"]["keys-like-numbers"] = _job(_got({"10": 1, "b": 1, "2": 0.5, "1": 0.25}))
_ENDED["job-stats/errors"]["more-of-the-second"] = _job([_trial(f"t{number}", None, "BError" if number else "AError") for number in range(3)])  # fmt: skip
_ENDED["job-stats/reward-stats"] |= {"two-hundred-of-one-value": _job(_got(*[0.5] * 200)), "seventy-values": _job(_got(*[number / 64 for number in range(70)]))}  # fmt: skip

# How floats and texts are spelled does not depend on whether the job has ended, and pass@k is computed at its end.
_FINAL = {f"result-text/{name}" for name in ("float-values", "escapes", "unescaped", "surrogates")}
_FINAL.add("job-stats/no-reward-fails")

_EARLIER = [_trial("p", 0.25), _trial("q", None, "OSError")]

# By rule: named jobs that run, each of them asked twice: while it runs, and after its end.
_RUNNING: dict[str, dict[str, Job]] = {
    "job-stats/running": {"one": _live("a"), "two": _live("a", "b"), "one-ended": _live("a", "b", _A), "more-than-planned": _live("a", "b", total=1), "started-twice": _live("a", "a"), "ended-without-start": _live(_A), "resumed": _live("a", earlier=_EARLIER)},
    "job-stats/retry-is-counted": {"once": _live("a", _FAILED, "a"), "twice": _live("a", _FAILED, "a", _FAILED, "a", _A), "after-retries": _live("a", _FAILED, "a", _A, retries=2), "two-trials": _live("a", _FAILED, "a", "b", _B, "b"), "restarted-while-running": _live("a", "a", _A)},
    "job-stats/replacing-is-no-retry": {"same": _live(_A, _A), "other": _live(_A, _trial("a", 0.0)), "failed": _live(_FAILED, _A), "earlier": _live(_trial("p", 1.0), earlier=_EARLIER)},
    "job-stats/taken-back": {"empties-stay": _live("a", _FAILED, "a"), "reward": _live("a", _A, "a"), "both": _live("a", _trial("a", 0.5, "OSError"), "a"), "other-value": _live("a", _A, "a", _trial("a", 0.0)), "beside-another": _live("a", _A, "b", _trial("b", 1.0), "a"), "nan": _live("a", _trial("a", _NAN), "a"), "nan-again": _live("a", _trial("a", _NAN), "a", _trial("a", _NAN)), "two-nans": _live(_trial("a", _NAN), _trial("b", _NAN), "a"), "equal-types": _live(_trial("a", 1), _trial("b", 1.0), "a"), "replaced": _live(_FAILED, _A), "earlier": _live("p", earlier=_EARLIER), "two-keys": _live("a", _trial("a", {"x": 1, "y": 2}), "a", _trial("a", {"y": 2}))},
    "job-stats/literal-nan": {"taken-back": _live("a", _LITERAL, "a"), "again": _live("a", _LITERAL, "a", _LITERAL), "beside-another": _live(_LITERAL, replace(_LITERAL, name="b"), "a"), "another-later": _live("a", _LITERAL, "a", replace(_LITERAL, name="b")), "then-own": _live("a", _LITERAL, "a", _trial("a", _NAN))},
    "job-stats/shown-metric": {"end-of-a-retry": _max("a", _FAILED, "a", _trial("a", 10**400)), "replaced": _max(_A, _trial("a", 10**400)), "started-again": _max(_A, _B, "b", _trial("b", 10**400)), "another-ends": _max(_A, _trial("a", 10**400), _B)},
    "job-stats/usage-taken-back": {"one": _live("a", _PAID, "a"), "again": _live("a", _PAID, "a", _PAID), "beside-another": _live("a", _PAID, _trial("b", 1.0, None, Usage(1, 1, 1, 0.1)), "a"), "below-zero": _live(_trial("a", 1.0, None, Usage(cost=0.3)), _trial("b", 1.0, None, Usage(cost=0.1)), "a", "b"), "negative-cost": _live("a", _trial("a", 1.0, None, Usage(cost=-1.0)), "a"), "nothing-to-take": _live("a", _A, "a"), "nothing-beside-another": _live(_PAID, _B, "b"), "negative-tokens": _live(_trial("a", 1.0, None, Usage(-10)), _trial("b", 1.0, None, Usage(5)), "b"), "nan": _live("a", _trial("a", 1.0, None, Usage(cost=_NAN)), "a"), "partly": _live("a", _trial("a", 1.0, None, Usage(5)), "a")},
    "job-stats/interim-metrics": {"one": _live("a", _A, "b"), "two": _live(_A, _B), "retried": _live(_A, _B, "a"), "retried-alone": _live(_A, "a"), "keeps-place": _live(_trial("a", 1e16), _trial("b", 1.0), _trial("c", -1e16), _trial("a", 1e16)), "goes-to-the-end": _live(_trial("a", 0.1), _trial("b", 0.2), _trial("c", 0.3), "a", _trial("a", 0.1)), "other-group-stays": _live(_A, _trial("b", 0.5, agent="other"), "a"), "null": _live("a", _FAILED), "overflow": _live("a", _trial("a", 10**400))},
    "job-stats/interim-pass-at-k": {"two": _live(_trial("a", 1), _trial("b", 0)), "five": _live(*(_trial(name, 1) for name in "abcde"), total=5)},
    "job-stats/interim-resumed-metrics": {"none": _live(earlier=_EARLIER), "other-group": _live(_trial("b", 1.0, agent="other"), earlier=_EARLIER), "started": _live("a", earlier=_EARLIER)},
    "job-stats/earlier-first": {"one-more": _live("a", _A, earlier=_EARLIER), "sums": _live(_trial("c", -1e16), earlier=[_trial("a", 1e16), _trial("b", 1.0)]), "groups": _live(_A, earlier=[_trial("p", 1.0, agent="other")]), "rewards": _live(_trial("a", 0.0), _trial("b", 1.0), earlier=[_trial("p", 1.0)]), "cancelled": _live(_A, earlier=[_CANCELLED]), "usage": _live(_PAID, earlier=[_trial("p", 1.0, None, Usage(7, 7, 7, 0.1), Usage(1, 1, 1, 0.2))]), "pass-at-k": _live(_trial("a", 1), earlier=[_trial("p", 0)]), "cost-lost-beside-another": _live(_PAID, earlier=[_trial("p", 1.0, None, Usage(1, 1, 1, _NAN))]), "no-cost": _live(_A, earlier=[_trial("p", 1.0, None, Usage(3))]), "cost-lost": _live(_A, earlier=[_trial("p", 1.0, None, Usage(1, 1, 1, _NAN))]), "key-lost": _live(_A, earlier=[_trial("p", {"\ud800": 1.0})])},
    "job-stats/not-resumable": {"nan": _live(_A, earlier=[_trial("p", _NAN)]), "inf": _live(_A, earlier=[_trial("p", 0.5), _trial("q", -_INF)]), "one-of-two-keys": _live(earlier=[_trial("p", {"x": 1.0, "y": _NAN})])},
    "job-stats/cancelled": {"event": _live("a", _cancel("a")), "event-and-end": _live("c", _cancel("c"), _CANCELLED), "event-then-success": _live("a", _cancel("a"), _A), "retried": _live("c", _CANCELLED, "c"), "replaced": _live(_CANCELLED, _trial("c", 1.0)), "never-started": _live(_cancel("z")), "twice": _live(_cancel("a"), _cancel("a")), "earlier": _live(earlier=[_CANCELLED]), "earlier-replaced": _live(_trial("c", 1.0), earlier=[_CANCELLED])},
    "job-stats/planned-order": {"reversed": _live("a", "b", _B, _A), "sums": _live("a", "b", "c", _trial("b", 1.0), _trial("c", -1e16), _trial("a", 1e16)), "values": _live("a", "b", _trial("b", 0.5), _trial("a", 1.0)), "errors": _live("a", "b", _trial("b", None, "BError"), _trial("a", None, "AError")), "groups": _live("a", "b", _trial("b", agent="other"), _A), "retried": _live("a", "b", _FAILED, _B, "a", _A)},
}  # fmt: skip


def _vectors() -> Iterator[Vector]:
    for rule, jobs in _ENDED.items():
        for name, job in jobs.items():
            yield Vector(rule, f"{name}/ended", job)
            if rule not in _FINAL:
                yield Vector(rule, f"{name}/so-far", replace(job, finished=False))
    for rule, jobs in _RUNNING.items():
        for name, job in jobs.items():
            yield Vector(rule, f"{name}/live", replace(job, finished=False))
            yield Vector(rule, f"{name}/live-ended", job)


VECTORS: list[Vector] = list(_vectors())
