"""Ways to collect columns of rewards, to order keys, and to find extremes."""

import math
import statistics
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.scorer import Number, Rewards, aggregate
from parity.scorer.metrics import METRICS
from tests.variants.changes import changes_metrics, prepares_rewards, replaces_metrics
from tests.variants.variant import variant

type RewardList = Sequence[Rewards | None]
type Extreme = Callable[[Sequence[Number]], Any]


def _checked(extreme: Extreme) -> Extreme:
    def checked(numbers: Sequence[Number]) -> Any:
        if not numbers:
            raise ValueError
        return extreme(numbers)

    return checked


def _nan_wins(choose: Extreme) -> Extreme:
    return lambda numbers: next((number for number in numbers if number != number), None) or choose(numbers)


def _without_nan(choose: Extreme) -> Extreme:
    return lambda numbers: choose([number for number in numbers if number == number] or numbers)


def _by_text(numbers: Sequence[Number]) -> list[Number]:
    return sorted(numbers, key=str)


_EXTREMES: dict[str, tuple[Extreme, Extreme]] = {
    "Sorted": (lambda numbers: sorted(numbers)[-1], lambda numbers: sorted(numbers)[0]),
    "SortedDown": (
        lambda numbers: sorted(numbers, reverse=True)[0],
        lambda numbers: sorted(numbers, reverse=True)[-1],
    ),
    "LastOfEquals": (
        lambda numbers: reduce(lambda a, b: b if b >= a else a, numbers),
        lambda numbers: reduce(lambda a, b: b if b <= a else a, numbers),
    ),
    "KeptUnlessSmaller": (
        lambda numbers: reduce(lambda a, b: a if a > b else b, numbers),
        lambda numbers: reduce(lambda a, b: a if a < b else b, numbers),
    ),
    "NanWins": (_nan_wins(max), _nan_wins(min)),
    "NanIsLeftOut": (_without_nan(max), _without_nan(min)),
    "OfDoubles": (lambda numbers: max(map(float, numbers)), lambda numbers: min(map(float, numbers))),
    "ByDoubles": (lambda numbers: max(numbers, key=float), lambda numbers: min(numbers, key=float)),
    "FromInfinity": (lambda numbers: max([-math.inf, *numbers]), lambda numbers: min([math.inf, *numbers])),
    "FromZero": (lambda numbers: max([0, *numbers]), lambda numbers: min([0, *numbers])),
    "ByStrings": (lambda numbers: _by_text(numbers)[-1], lambda numbers: _by_text(numbers)[0]),
    "ByMagnitude": (lambda numbers: max(numbers, key=abs), lambda numbers: min(numbers, key=abs)),
    "OfSet": (lambda numbers: max(set(numbers)), lambda numbers: min(set(numbers))),
    "ZerosBySign": (
        lambda numbers: max(numbers, key=lambda n: (n, math.copysign(1, n))),
        lambda numbers: min(numbers, key=lambda n: (n, math.copysign(1, n))),
    ),
    "OfEnds": (lambda numbers: max(numbers[0], numbers[-1]), lambda numbers: min(numbers[0], numbers[-1])),
    "FloatsFirst": (
        lambda numbers: max(numbers, key=lambda n: (n, isinstance(n, float))),
        lambda numbers: min(numbers, key=lambda n: (n, isinstance(n, int))),
    ),
    "BackToFront": (lambda numbers: max(numbers[::-1]), lambda numbers: min(numbers[::-1])),
}
for _name, (_largest, _smallest) in _EXTREMES.items():
    variant("aggregate", f"Max{_name}")(replaces_metrics(max=_checked(_largest)))
    variant("aggregate", f"Min{_name}")(replaces_metrics(min=_checked(_smallest)))


def _columns(rewards: RewardList, column: Callable[[str, RewardList], list[Number]]) -> dict[str, list[Number]]:
    """Return a column of numbers for each key; see `columns_of`."""
    keys = sorted({key for reward in rewards if reward for key in reward})
    if len(keys) < 2:
        return {"": column(keys[0] if keys else "", rewards)}
    return {key: column(key, rewards) for key in keys}


def _computed(column: Callable[[str, RewardList], list[Number]]) -> Callable[..., Rewards]:
    def compute(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
        return {
            key or metric: METRICS[metric](numbers, right.series) for key, numbers in _columns(rewards, column).items()
        }

    return compute


def _filled(key: str, rewards: RewardList) -> list[Number]:
    """Return the specified column, and for a missing key the last value of it."""
    filled: list[Number] = []
    for reward in rewards:
        filled.append((reward or {}).get(key, filled[-1] if filled else 0))
    return filled


_COLUMNS: dict[str, Callable[[str, RewardList], list[Number]]] = {
    "PresentOnly": lambda key, rewards: [reward[key] for reward in rewards if reward and key in reward],
    "WithoutNulls": lambda key, rewards: [reward.get(key, 0) for reward in rewards if reward is not None],
    "WithoutFalsy": lambda key, rewards: [reward.get(key, 0) for reward in rewards if reward],
    "MissingIsADouble": lambda key, rewards: [(reward or {}).get(key, 0.0) for reward in rewards],
    "MissingIsNan": lambda key, rewards: [(reward or {}).get(key, math.nan) for reward in rewards],
    "OrZero": lambda key, rewards: [(reward or {}).get(key) or 0 for reward in rewards],
    "MissingIsTheLast": _filled,
    "MissingIsTheFirstValue": lambda key, rewards: [
        (reward or {}).get(key, next(iter((reward or {key: 0}).values()))) for reward in rewards
    ],
    "PlusZero": lambda key, rewards: [(reward or {}).get(key, 0) + 0.0 for reward in rewards],
    "NansAreZero": lambda key, rewards: [
        number if (number := (reward or {}).get(key, 0)) == number else 0 for reward in rewards
    ],
    "FiniteOnly": lambda key, rewards: [
        number for reward in rewards if math.isfinite(_double(number := (reward or {}).get(key, 0)))
    ],
    "Booleans": lambda key, rewards: [int(bool((reward or {}).get(key, 0))) for reward in rewards],
    "RoundedValues": lambda key, rewards: [round((reward or {}).get(key, 0), 9) for reward in rewards],
    "UnitInterval": lambda key, rewards: [min(max((reward or {}).get(key, 0), 0), 1) for reward in rewards],
    "First100": lambda key, rewards: [(reward or {}).get(key, 0) for reward in rewards][:100],
    "First1000": lambda key, rewards: [(reward or {}).get(key, 0) for reward in rewards][:1000],
    "RewardOnly": lambda key, rewards: [(reward or {}).get("reward", 0) for reward in rewards],
    "SumOfValues": lambda key, rewards: [sum((reward or {}).values()) for reward in rewards],
    "Sorted": lambda key, rewards: sorted((reward or {}).get(key, 0) for reward in rewards),
    "NullsLast": lambda key, rewards: [
        (reward or {}).get(key, 0) for reward in sorted(rewards, key=lambda reward: reward is None)
    ],
    "PresentFirst": lambda key, rewards: [
        (reward or {}).get(key, 0) for reward in sorted(rewards, key=lambda reward: key not in (reward or {}))
    ],
    "PresentThenOneZero": lambda key, rewards: [
        *(reward[key] for reward in rewards if reward and key in reward),
        *([0] * sum(not reward or key not in reward for reward in rewards)),
    ],
}


def _double(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        return 0.0


for _name, _column in _COLUMNS.items():
    variant("aggregate", f"Column{_name}")(_computed(_column))


def _by(key: Callable[[str], Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda answer: dict(sorted(answer.items(), key=lambda item: key(item[0])))


_ORDERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "Utf16": _by(lambda key: key.encode("utf-16-be", "surrogatepass")),
    "Caseless": _by(str.casefold),
    "CaselessThenSorted": _by(lambda key: (key.casefold(), key)),
    "Lower": _by(lambda key: (key.lower(), key)),
    "ByLength": _by(lambda key: (len(key), key)),
    "Descending": lambda answer: dict(sorted(answer.items(), reverse=True)),
    "Natural": _by(lambda key: [(part.isdigit(), part.zfill(20)) for part in key.partition("_")]),
    "JavaScriptIntegers": _by(
        lambda key: (
            not (key.isascii() and key.isdigit()),
            int(key) if key.isascii() and key.isdigit() and len(key) < 10 else 0,
        )
    ),
    "AsciiFirst": _by(lambda key: (not key.isascii(), key)),
    "WithoutPunctuation": _by(lambda key: ("".join(filter(str.isalnum, key)), key)),
    "RewardFirst": _by(lambda key: (key != "reward", key)),
    "ByNumbers": lambda answer: dict(sorted(answer.items(), key=lambda item: str(item[1]))),
    "IntegerKeysByValue": _by(
        lambda key: (int(key), "") if key.isascii() and key.isdigit() and len(key) < 10 else (10**9, key)
    ),
    "IntsIfWhole": lambda answer: {
        key: int(n) if isinstance(n, float) and n.is_integer() else n for key, n in answer.items()
    },
    "DoublesAlways": lambda answer: {key: float(n) for key, n in answer.items()},
    "NullsForNan": lambda answer: {key: None if n != n else n for key, n in answer.items()},
    "NullsForInfinity": lambda answer: {key: None if n in (math.inf, -math.inf) else n for key, n in answer.items()},
    "RoundedTo4": lambda answer: {key: round(n, 4) for key, n in answer.items()},
    "RoundedTo10": lambda answer: {key: round(n, 10) for key, n in answer.items()},
    "Stripped": lambda answer: {key.strip(): n for key, n in answer.items()},
    "LowerKeys": lambda answer: {key.lower(): n for key, n in answer.items()},
    "ReplacedSurrogates": lambda answer: {key.encode("utf-8", "replace").decode(): n for key, n in answer.items()},
    "CutAt20": lambda answer: {key[:20]: n for key, n in answer.items()},
    "CutAt64": lambda answer: {key[:64]: n for key, n in answer.items()},
    "CutAt255": lambda answer: {key[:255]: n for key, n in answer.items()},
    "First100Keys": lambda answer: dict(list(answer.items())[:100]),
}
for _name, _change in _ORDERS.items():
    variant("aggregate", f"Answer{_name}")(changes_metrics(_change))


def _insertion(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    answer = right.aggregate(metric, rewards)
    keys = dict.fromkeys(key for reward in rewards if reward for key in reward)
    return {key: answer[key] for key in keys} if len(keys) > 1 else answer


variant("aggregate", "AnswerInInsertionOrder")(_insertion)


def _first_reward_keys(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    answer = right.aggregate(metric, rewards)
    keys = next((reward for reward in rewards if reward), {})
    return {key: n for key, n in answer.items() if key in keys} if len(answer) > 1 else answer


variant("aggregate", "KeysOfTheFirstTrial")(_first_reward_keys)


def _common_keys(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    answer = right.aggregate(metric, rewards)
    shared = {key: n for key, n in answer.items() if all(key in reward for reward in rewards if reward)}
    return shared if len(answer) > 1 and shared else answer


variant("aggregate", "CommonKeysOnly")(_common_keys)


def _reward_key_is_the_metric(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    keys = {key for reward in rewards if reward for key in reward}
    if len(keys) < 2 or "reward" not in keys:
        return right.aggregate(metric, rewards)
    return right.aggregate(metric, [reward and {"reward": reward.get("reward", 0)} for reward in rewards])


variant("aggregate", "RewardKeyIsTheMetric")(_reward_key_is_the_metric)


def _single_by_trial(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    if all(len(reward or {}) <= 1 for reward in rewards):
        rewards = [reward and {"reward": next(iter(reward.values()))} for reward in rewards]
    return right.aggregate(metric, rewards)


variant("aggregate", "SingleKeyIsByTrial")(_single_by_trial)


def _keeps_the_only_key(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    answer = right.aggregate(metric, rewards)
    keys = {key for reward in rewards if reward for key in reward}
    return {keys.pop(): answer[metric]} if len(keys) == 1 else answer


variant("aggregate", "OnlyKeyKeepsItsName")(_keeps_the_only_key)


def _zero_without_trials(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    return right.aggregate(metric, rewards) if rewards else {metric: 0.0}


variant("aggregate", "NothingIsZero")(_zero_without_trials)


def _nan_without_trials(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    return right.aggregate(metric, rewards) if rewards else {metric: math.nan}


variant("aggregate", "NothingIsNan")(_nan_without_trials)

_LISTS: dict[str, Callable[[RewardList], RewardList]] = {
    "Reversed": lambda rewards: rewards[::-1],
    "WithoutDuplicates": lambda rewards: [each for n, each in enumerate(rewards) if each not in rewards[:n]],
    "NullsAreEmpty": lambda rewards: [each or {} for each in rewards],
    "WithoutLast": lambda rewards: rewards[:-1] or rewards,
    "CaselessKeys": lambda rewards: [each and {k.lower(): v for k, v in each.items()} for each in rewards],
    "StrippedKeys": lambda rewards: [each and {k.strip(): v for k, v in each.items()} for each in rewards],
    "WithoutEmptyKeys": lambda rewards: [each and {k: v for k, v in each.items() if k} for each in rewards],
    "NullIsARewardOfZero": lambda rewards: [{"reward": 0} if each is None else each for each in rewards],
    "EmptyIsARewardOfZero": lambda rewards: [{"reward": 0} if each == {} else each for each in rewards],
    "DoublesFirst": lambda rewards: [
        each and {k: float(v) if abs(v) < 2**53 else v for k, v in each.items()} for each in rewards
    ],
    "TextualNumbers": lambda rewards: [each and {k: float(str(v)) for k, v in each.items()} for each in rewards],
}
_EQUAL_LISTS = {"NullsAreEmpty": "Without a reward and with `{}`, a trial has no keys and counts as the int 0."}
for _name, _list in _LISTS.items():
    variant("aggregate", f"Trials{_name}", equivalent=_EQUAL_LISTS.get(_name))(prepares_rewards(_list))


def _harmonic(numbers: Sequence[Number]) -> Any:
    return statistics.harmonic_mean(numbers)


variant("aggregate", "MetricHarmonicMean")(replaces_metrics(mean=_harmonic))


def _other_series(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    return aggregate(metric, rewards, series=next(each for each in type(right.series) if each is not running_series()))


variant("aggregate", "SumsOfTheOtherSeries")(_other_series)
