"""Ways to estimate pass@k, to choose k, to judge an attempt, and to name a group."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import Trial, evals_key
from tests.variants.changes import attempts_of, each_group, each_trial, estimates_with, product_estimate
from tests.variants.variant import variant

type Estimate = Callable[[int, int, int], float]
type Estimates = dict[str, dict[Any, Any]]


def _combinations(tried: int, passed: int, k: int) -> float:
    return 1.0 - math.comb(tried - passed, k) / math.comb(tried, k)


def _human_eval(tried: int, passed: int, k: int) -> float:
    """Multiply 1 - k / i as the formula of HumanEval does."""
    if tried - passed < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(tried - passed + 1, tried + 1))


def _backwards(tried: int, passed: int, k: int) -> float:
    product = 1.0
    for drawn in reversed(range(k)):
        product *= max(tried - passed - drawn, 0) / (tried - drawn)
    return 1.0 - product


def _numerators_first(tried: int, passed: int, k: int) -> float:
    product = 1.0
    for drawn in range(k):
        product = product * max(tried - passed - drawn, 0) / (tried - drawn)
    return 1.0 - product


def _by_logarithms(tried: int, passed: int, k: int) -> float:
    if tried - passed < k:
        return 1.0
    logs = [math.log(tried - passed - i) - math.log(tried - i) for i in range(k)]
    return 1.0 - math.exp(sum(logs))


def _by_gamma(tried: int, passed: int, k: int) -> float:
    failed = tried - passed
    if failed < k:
        return 1.0
    return 1.0 - math.exp(
        math.lgamma(failed + 1) - math.lgamma(failed - k + 1) - math.lgamma(tried + 1) + math.lgamma(tried - k + 1)
    )


def _quotients(tried: int, passed: int, k: int) -> list[float]:
    return [max(tried - passed - i, 0) / (tried - i) for i in range(k)]


def _one_minus_first(tried: int, passed: int, k: int) -> float:
    """Subtract each term from 1 before it multiplies."""
    product = 1.0
    for i in range(k):
        product *= 1.0 - min(passed / (tried - i), 1.0)
    return 1.0 - product


_ESTIMATES: dict[str, Estimate] = {
    "Combinations": _combinations,
    "CombinationsOfDoubles": lambda n, c, k: 1.0 - float(math.comb(n - c, k)) / float(math.comb(n, k)),
    "CombinationsTogether": lambda n, c, k: (math.comb(n, k) - math.comb(n - c, k)) / math.comb(n, k),
    "HumanEval": _human_eval,
    "Exact": lambda n, c, k: float(1 - Fraction(math.comb(n - c, k), math.comb(n, k))),
    "Backwards": _backwards,
    "NumeratorsFirst": _numerators_first,
    "ProductsApart": lambda n, c, k: (
        1.0 - math.prod(float(max(n - c - i, 0)) for i in range(k)) / math.prod(float(n - i) for i in range(k))
    ),
    "IntegerProducts": lambda n, c, k: (
        1.0 - math.prod(max(n - c - i, 0) for i in range(k)) / math.prod(n - i for i in range(k))
    ),
    "Logarithms": _by_logarithms,
    "LogGamma": _by_gamma,
    "SortedQuotients": lambda n, c, k: 1.0 - math.prod(sorted(_quotients(n, c, k))),
    "OneMinusFirst": _one_minus_first,
    "WithReplacement": lambda n, c, k: 1.0 - (1.0 - c / n) ** k,
    "IntWhenCertain": lambda n, c, k: 1 if c == n else product_estimate(n, c, k),
    "AnyOfAll": lambda n, c, k: float(c > 0),
    "FirstK": lambda n, c, k: min(c / n * k, 1.0),
    "RoundedTo6": lambda n, c, k: round(product_estimate(n, c, k), 6),
    "RoundedTo12": lambda n, c, k: round(product_estimate(n, c, k), 12),
    "PassHatK": lambda n, c, k: math.comb(c, k) / math.comb(n, k),
    "AllPassedIsOne": lambda n, c, k: 1.0 if n == c else 0.0,
    "PassAtOne": lambda n, c, k: c / n,
    "WithoutTheLastFactor": lambda n, c, k: product_estimate(n, c, k - 1),
}
for _name, _estimate in _ESTIMATES.items():
    variant("pass_at_k", f"Estimate{_name}")(estimates_with(_estimate))
variant("pass_at_k", "EstimateAsItIs", equivalent="This is the specified estimate.")(estimates_with(product_estimate))
variant(
    "pass_at_k",
    "EstimateByMathProd",
    equivalent="`math.prod` multiplies floats from left to right, beginning with 1, and each product is rounded.",
)(estimates_with(lambda n, c, k: 1.0 - math.prod(_quotients(n, c, k), start=1.0)))


def _choice(is_eligible: Callable[[int], bool]) -> Callable[[dict[int, float]], dict[int, float]]:
    return lambda group: {k: value for k, value in group.items() if is_eligible(k)}


_GROUPS: dict[str, Callable[[dict[int, float]], dict[Any, Any]]] = {
    "PowersOnly": _choice(lambda k: k & (k - 1) == 0),
    "FivesOnly": _choice(lambda k: k % 5 == 0),
    "WithoutTwo": _choice(lambda k: k != 2),
    "WithoutFifteen": _choice(lambda k: k != 15),
    "UpTo10": _choice(lambda k: k <= 10),
    "UpTo16": _choice(lambda k: k <= 16),
    "UpTo64": _choice(lambda k: k <= 64),
    "UpTo100": _choice(lambda k: k <= 100),
    "UpTo128": _choice(lambda k: k <= 128),
    "PowersUpTo16": _choice(lambda k: k <= 16 or k % 5 == 0),
    "FivesUpTo25": _choice(lambda k: k <= 25 or k & (k - 1) == 0),
    "PowersThenFives": lambda group: dict(
        sorted(group.items(), key=lambda item: (item[0] & (item[0] - 1) != 0, item[0]))
    ),
    "Descending": lambda group: dict(sorted(group.items(), reverse=True)),
    "AsText": lambda group: {str(k): value for k, value in group.items()},
    "ByText": lambda group: dict(sorted(group.items(), key=lambda item: str(item[0]))),
    "WithOne": lambda group: {1: group[min(group)], **group},
    "ZerosAreLeftOut": lambda group: {k: value for k, value in group.items() if value},
    "CertainIsAnInt": lambda group: {k: int(value) if value in (0, 1) else value for k, value in group.items()},
    "Percent": lambda group: {k: value * 100 for k, value in group.items()},
    "RoundedTo4": lambda group: {k: round(value, 4) for k, value in group.items()},
    "Monotonic": lambda group: {k: max(v for j, v in group.items() if j <= k) for k in group},
    "LargestOnly": lambda group: {max(group): group[max(group)]},
    "Floats": lambda group: {float(k): value for k, value in group.items()},
}
_EQUAL_GROUPS = {
    "Monotonic": "Each further factor is at most 1, and rounding keeps the order, so no estimate falls as k rises, and "
    "neither does a mean.",
}
for _name, _change in _GROUPS.items():
    variant("pass_at_k", f"Group{_name}", equivalent=_EQUAL_GROUPS.get(_name))(each_group(_change))


def _value(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a change of the only reward of a trial."""
    return lambda rewards: (
        {key: change(value) for key, value in rewards.items()} if rewards and len(rewards) == 1 else rewards
    )


_REWARDS: dict[str, Callable[[Any], Any]] = {
    "Truthy": _value(lambda value: int(bool(value))),
    "AtLeastHalf": _value(lambda value: int(value >= 0.5)),
    "AboveZero": _value(lambda value: int(value > 0)),
    "EqualToOne": _value(lambda value: int(value == 1)),
    "Rounded": _value(lambda value: round(value) if math.isfinite(value) else value),
    "Truncated": _value(lambda value: int(value) if math.isfinite(value) else value),
    "Close": _value(
        lambda value: round(value) if abs(value - round(value) if math.isfinite(value) else 1) < 1e-9 else value
    ),
    "Clamped": _value(lambda value: min(max(value, 0), 1)),
    "IntsOnly": _value(lambda value: 0.5 if isinstance(value, float) else value),
    "FloatsOnly": _value(lambda value: 0.5 if isinstance(value, int) else value),
    "NanFails": _value(lambda value: value if value == value else 0),
    "InfinityPasses": _value(lambda value: 1 if value == math.inf else value),
    "PartialFails": _value(lambda value: value if value in (0, 1) else 0),
    "NegativeZeroIsNoZero": _value(lambda value: 0.5 if value == 0 and math.copysign(1, value) < 0 else value),
    "Absolute": _value(abs),
    "ZeroIsNone": lambda rewards: None if rewards in ({"reward": 0}, {}) else rewards,
    "EmptyFails": lambda rewards: rewards or None,
    "EmptyPasses": lambda rewards: {"reward": 1} if rewards == {} else rewards,
    "NullDisables": lambda rewards: {} if rewards is None else rewards,
    "NullPasses": lambda rewards: {"reward": 1} if rewards is None else rewards,
    "FirstOfSeveral": lambda rewards: dict(list(rewards.items())[:1]) if rewards else rewards,
    "LastOfSeveral": lambda rewards: dict(list(rewards.items())[-1:]) if rewards else rewards,
    "BestOfSeveral": lambda rewards: {"reward": max(rewards.values())} if rewards else rewards,
    "WorstOfSeveral": lambda rewards: {"reward": min(rewards.values())} if rewards else rewards,
    "RewardOfSeveral": lambda rewards: {"reward": rewards["reward"]} if rewards and "reward" in rewards else rewards,
    "RewardOrNothing": lambda rewards: {"reward": rewards["reward"]} if rewards and "reward" in rewards else None,
    "MeanOfSeveral": lambda rewards: {"reward": sum(rewards.values()) / len(rewards)} if rewards else rewards,
    "EqualValuesAreOne": lambda rewards: (
        {"reward": next(iter(rewards.values()))} if rewards and len(set(rewards.values())) == 1 else rewards
    ),
    "WithoutEmptyKey": lambda rewards: rewards and {key: value for key, value in rewards.items() if key},
}
for _name, _change in _REWARDS.items():
    variant("pass_at_k", f"Reward{_name}")(each_trial(rewards=_change))


def _or_same(change: Callable[[Any], Any]) -> Callable[[str], str]:
    return lambda name: change(name) or name


def _or_empty(change: Callable[[Any], Any]) -> Callable[[str], str]:
    return lambda name: change(name) or ""


_MODELS: dict[str, Callable[[Any], Any]] = {
    "NoneIsAName": str,
    "LastPart": lambda name: name and name.rpartition("/")[2],
    "FirstPart": lambda name: name and name.partition("/")[0],
    "SlashIsADash": lambda name: name and name.replace("/", "-"),
    "SlashIsAnUnderscore": lambda name: name and name.replace("/", "_"),
    "ColonIsADash": lambda name: name and name.replace(":", "-"),
    "WithoutTag": lambda name: name and name.partition(":")[0],
    "BlankIsADash": lambda name: name and name.replace(" ", "-"),
    "BlankIsAbsent": lambda name: name if name and name.strip() else None,
    "Lower": lambda name: name and name.lower(),
    "Stripped": lambda name: name and name.strip(),
    "CutAt20": lambda name: name and name[:20],
    "CutAt64": lambda name: name and name[:64],
    "CutAt128": lambda name: name and name[:128],
    "CutAt255": lambda name: name and name[:255],
    "Ascii": lambda name: name and name.encode("ascii", "replace").decode(),
    "DotIsADash": lambda name: name and name.replace(".", "-"),
    "WithoutNulls": lambda name: name and name.replace("\0", ""),
    "Underscores": lambda name: name and name.replace("__", "_"),
}
for _name, _change in _MODELS.items():
    variant("pass_at_k", f"Model{_name}")(each_trial(model=_change))
    if _name not in ("NoneIsAName", "BlankIsAbsent"):
        variant("pass_at_k", f"Agent{_name}")(each_trial(agent=_or_same(_change)))
    if _name != "NoneIsAName":
        variant("pass_at_k", f"Source{_name}")(each_trial(source=_change))
        variant("pass_at_k", f"Task{_name}")(each_trial(task=_or_empty(_change)))

variant("pass_at_k", "SourceNoneIsAName")(each_trial(source=str))
variant("pass_at_k", "SourceIsLeftOut")(each_trial(source=lambda _: None))
variant("pass_at_k", "ModelIsLeftOut")(each_trial(model=lambda _: None))
variant("pass_at_k", "AgentIsLeftOut")(each_trial(agent=lambda _: "agent"))
variant("pass_at_k", "OneTask")(each_trial(task=lambda _: "task"))
variant("pass_at_k", "SourceEmptyIsAName")(each_trial(source=lambda name: name if name != "" else "-"))
variant("pass_at_k", "ModelEmptyIsAName")(each_trial(model=lambda name: name if name != "" else "-"))
variant("pass_at_k", "AgentEmptyIsUnknown")(each_trial(agent=lambda name: name or "unknown"))


def _keys(change: Callable[[str], str]) -> Callable[..., Estimates]:
    return lambda right, trials: {change(key): group for key, group in right.pass_at_k(trials).items()}


_NAMES: dict[str, Callable[[str], str]] = {
    "OneUnderscore": lambda key: key.replace("__", "_"),
    "Slashes": lambda key: key.replace("__", "/"),
    "WithoutAdhoc": lambda key: key.removesuffix("__adhoc"),
    "LeadingSeparators": lambda key: key.lstrip("_"),
    "TrailingSeparators": lambda key: key.rstrip("_"),
    "Stripped": lambda key: key.strip(),
    "Lower": lambda key: key.lower(),
    "CutAt64": lambda key: key[:64],
    "CutAt255": lambda key: key[:255],
    "DefaultForAdhoc": lambda key: key.replace("adhoc", "default"),
}
for _name, _rename in _NAMES.items():
    variant("pass_at_k", f"Key{_name}")(_keys(_rename))


def _trials(change: Callable[[Sequence[Trial]], Sequence[Trial]]) -> Callable[..., Estimates]:
    return lambda right, trials: right.pass_at_k(change(trials))


def _interleaved(trials: Sequence[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: trial.task)


def _sorted_by_group(trials: Sequence[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: (trial.agent, trial.model or "", trial.source or "adhoc"))


_LISTS: dict[str, Callable[[Sequence[Trial]], Sequence[Trial]]] = {
    "Reversed": lambda trials: trials[::-1],
    "SortedByTask": _interleaved,
    "SortedByGroup": _sorted_by_group,
    "WithoutNull": lambda trials: [trial for trial in trials if trial.rewards is not None],
    "WithoutEmpty": lambda trials: [trial for trial in trials if trial.rewards != {}],
    "WithoutFalsy": lambda trials: [trial for trial in trials if trial.rewards],
    "WithoutSeveralKeys": lambda trials: [trial for trial in trials if len(trial.rewards or {}) < 2],
    "WithoutPartial": lambda trials: [
        trial for trial in trials if not trial.rewards or all(value in (0, 1) for value in trial.rewards.values())
    ],
    "First100": lambda trials: trials[:100],
    "First1000": lambda trials: trials[:1000],
    "First2000": lambda trials: trials[:2000],
    "WithoutLast": lambda trials: trials[:-1],
    "SortedByTaskLength": lambda trials: sorted(trials, key=lambda trial: len(trial.task)),
    "SortedByLastAttempt": lambda trials: _by_last_attempt(trials),
    "SuccessesFirst": lambda trials: sorted(
        trials, key=lambda trial: not (trial.rewards and next(iter(trial.rewards.values())))
    ),
}


def _by_last_attempt(trials: Sequence[Trial]) -> list[Trial]:
    last = {trial.task: number for number, trial in enumerate(trials)}
    return sorted(trials, key=lambda trial: last[trial.task])


_ANY_ORDER = (
    "Each estimate is 1 minus a number from 0 to 1, hence a multiple of 2**-53, and so are all rounding errors of "
    "their sum. Below 2**26 tasks, the compensation is therefore exact, and the total is the exact one rounded "
    "once, in any "
    "order. The order of groups is not compared."
)
_SAME_LISTS = (
    "Reversed",
    "SortedByTask",
    "SortedByGroup",
    "SortedByTaskLength",
    "SortedByLastAttempt",
    "SuccessesFirst",
)
for _name, _list in _LISTS.items():
    _why = _ANY_ORDER if _name in _SAME_LISTS else None
    variant("pass_at_k", f"Trials{_name}", equivalent=_why)(_trials(_list))


def _names(trial: Trial) -> tuple[str, str, str]:
    return trial.agent, trial.model or "", trial.source or "adhoc"


@variant("pass_at_k")
def GroupsByNames(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Groups by agent, model and dataset; a later group replaces one of the same evals key."""
    answer: Estimates = {}
    for names in dict.fromkeys(map(_names, trials)):
        answer.update(right.pass_at_k([trial for trial in trials if _names(trial) == names]))
    return answer


@variant("pass_at_k")
def ConsecutiveTrialsAreAGroup(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Groups neighbours, as `itertools.groupby` does without sorting."""
    answer: Estimates = {}
    group: list[Trial] = []
    for trial in trials:
        if group and _names(group[-1]) != _names(trial):
            answer.update(right.pass_at_k(group))
            group = []
        group.append(trial)
    return {**answer, **right.pass_at_k(group)}


@variant("pass_at_k")
def DisabledTaskIsLeftOut(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Leaves out a task with a reward that disables pass@k, and estimates the others."""

    def disables(trial: Trial) -> bool:
        return trial.rewards is not None and (
            len(trial.rewards) != 1 or next(iter(trial.rewards.values())) not in (0, 1)
        )

    bad = {(_names(trial), trial.task) for trial in trials if disables(trial)}
    return right.pass_at_k([trial for trial in trials if (_names(trial), trial.task) not in bad])


@variant("pass_at_k")
def DisabledGroupDisablesAll(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Returns nothing if one group has no pass@k."""
    answer = right.pass_at_k(trials)
    return answer if len(answer) == len(attempts_of(trials)) else {}


@variant("pass_at_k")
def DisabledGroupIsEmpty(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Returns an empty group instead of none."""
    answer = right.pass_at_k(trials)
    return {key: answer.get(key, {}) for key in attempts_of(trials)}


@variant("pass_at_k")
def ShortTasksAreLeftOut(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Estimates k over the tasks that have so many attempts."""
    answer: Estimates = {}
    for key, tasks in attempts_of(trials).items():
        if key in right.pass_at_k(trials):
            most = max(map(len, tasks.values()))
            ks = sorted({k for k in range(2, most + 1) if k & (k - 1) == 0 or k % 5 == 0})
            answer[key] = {
                k: sum(each := [product_estimate(len(t), sum(t), k) for t in tasks.values() if len(t) >= k]) / len(each)
                for k in ks
            }
    return answer


@variant("pass_at_k")
def TasksAreShared(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Counts the attempts of all groups at a task of one name together."""
    answer = right.pass_at_k(trials)
    least = min((len(task) for tasks in attempts_of(trials).values() for task in tasks.values()), default=0)
    return {key: {k: value for k, value in group.items() if k <= least} for key, group in answer.items()}


@variant("pass_at_k", equivalent="The order of groups is not compared.")
def GroupsInSortedOrder(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Returns the groups sorted by their keys."""
    return dict(sorted(right.pass_at_k(trials).items()))


@variant("pass_at_k")
def ExtraAttemptsAreCut(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Uses as many attempts at each task as the task with the fewest has."""
    fewest = {key: min(map(len, tasks.values())) for key, tasks in attempts_of(trials).items()}
    seen: dict[tuple[str, str], int] = {}
    kept = []
    for trial in trials:
        key = evals_key(trial.agent, trial.model, trial.source)
        seen[key, trial.task] = seen.get((key, trial.task), 0) + 1
        if seen[key, trial.task] <= fewest[key]:
            kept.append(trial)
    return right.pass_at_k(kept)


@variant("pass_at_k")
def WeightedByAttempts(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Weights each task by its attempts."""
    answer, groups = right.pass_at_k(trials), attempts_of(trials)
    for key, group in answer.items():
        total = sum(map(len, groups[key].values()))
        for k in group:
            group[k] = sum(product_estimate(len(t), sum(t), k) * len(t) for t in groups[key].values()) / total
    return answer


@variant("pass_at_k")
def PooledTasks(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Estimates from the attempts at all tasks together."""
    answer, groups = right.pass_at_k(trials), attempts_of(trials)
    for key, group in answer.items():
        attempts = [attempt for task in groups[key].values() for attempt in task]
        for k in group:
            group[k] = product_estimate(len(attempts), sum(attempts), k)
    return answer


@variant("pass_at_k")
def IsInsteadOfEquals(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Compares rewards by identity, so that only small ints count."""

    def narrowed(trial: Trial) -> Trial:
        values = list((trial.rewards or {}).values())
        return replace(trial, rewards={"reward": 0.5}) if len(values) == 1 and isinstance(values[0], float) else trial

    return right.pass_at_k([narrowed(trial) for trial in trials])
