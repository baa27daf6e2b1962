"""Ways to score a trial by its result.json: looser parsers, other values, other places, and trials left out."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import ValidationError
from tests.variants.changes import changes_result, changes_score, prepares_result
from tests.variants.variant import variant

type Document = dict[str, Any]


def _rewards(document: Document) -> Any:
    verifier = document.get("verifier_result")
    return verifier.get("rewards") if isinstance(verifier, dict) else None


def _changed(change: Callable[[dict[str, Any]], Any]) -> Callable[[Document], Document]:
    """Return a change of the rewards of a result, if they are an object."""

    def in_document(document: Document) -> Document:
        rewards = _rewards(document)
        if not isinstance(rewards, dict):
            return document
        return {**document, "verifier_result": {**document["verifier_result"], "rewards": change(rewards)}}

    return in_document


def _each(change: Callable[[Any], Any]) -> Callable[[Document], Document]:
    return _changed(lambda rewards: {key: change(value) for key, value in rewards.items()})


def _numbers(change: Callable[[Any], Any]) -> Callable[[Document], Document]:
    return _each(lambda value: change(value) if type(value) in (int, float) else value)


def _step_rewards(document: Document, choose: Callable[[list[Any]], Any]) -> Document:
    """Use a step's rewards if the trial has none."""
    steps = document.get("step_results")
    if _rewards(document) or not isinstance(steps, list):
        return document
    results = [step.get("verifier_result") for step in steps if isinstance(step, dict) and step.get("verifier_result")]
    return {**document, "verifier_result": choose(results)} if results else document


def _reward_of(document: Document, place: Any) -> Document:
    """Use the reward in an object, if it has one."""
    if not isinstance(place, dict) or "reward" not in place:
        return document
    return {**document, "verifier_result": {"rewards": {"reward": place["reward"]}}}


_DOCUMENTS: dict[str, Callable[[Document], Document]] = {
    "NullsAreDropped": _changed(lambda rewards: {k: v for k, v in rewards.items() if v is not None}),
    "NullsAreZero": _each(lambda value: 0 if value is None else value),
    "NullsAreNan": _each(lambda value: math.nan if value is None else value),
    "FalsyIsZero": _each(lambda value: value or 0),
    "FalsyIsDropped": _changed(lambda rewards: {k: v for k, v in rewards.items() if v}),
    "BooleansAreZero": _each(lambda value: 0 if isinstance(value, bool) else value),
    "BooleansAreRefused": _each(lambda value: None if isinstance(value, bool) else value),
    "StringsAreRefused": _each(lambda value: None if isinstance(value, str) else value),
    "StringsAreZero": _each(lambda value: 0 if isinstance(value, str) else value),
    "StringsAreStripped": _each(lambda value: value.strip() if isinstance(value, str) else value),
    "StringsByFloat": _each(lambda value: _float(value) if isinstance(value, str) else value),
    "EmptyStringsAreZero": _each(lambda value: 0 if value == "" else value),
    "ListsOfOne": _each(lambda value: value[0] if isinstance(value, list) and len(value) == 1 else value),
    "Rounded": _numbers(lambda value: round(value, 6) if math.isfinite(value) else value),
    "RoundedTo2": _numbers(lambda value: round(value, 2) if math.isfinite(value) else value),
    "Truncated": _numbers(lambda value: int(value) if math.isfinite(value) else value),
    "Clamped": _numbers(lambda value: min(max(value, 0), 1)),
    "Truthy": _numbers(lambda value: int(bool(value))),
    "AtLeastHalf": _numbers(lambda value: int(value >= 0.5)),
    "EqualToOne": _numbers(lambda value: int(value == 1)),
    "Absolute": _numbers(abs),
    "NonNegative": _numbers(lambda value: max(0, value)),
    "NansAreZero": _numbers(lambda value: 0 if value != value else value),
    "InfinityIsLargest": _numbers(
        lambda value: math.copysign(1.7976931348623157e308, value) if value in (math.inf, -math.inf) else value
    ),
    "Float32": _numbers(
        lambda value: float(f"{value:.8g}") if math.isfinite(value) and abs(value) < 2**1000 else value
    ),
    "FirstOfSeveral": _changed(lambda rewards: dict(list(rewards.items())[:1])),
    "LastOfSeveral": _changed(lambda rewards: dict(list(rewards.items())[-1:])),
    "RewardOfSeveral": _changed(lambda rewards: {"reward": rewards["reward"]} if "reward" in rewards else rewards),
    "RewardOrZero": _changed(lambda rewards: {"reward": rewards.get("reward", 0)}),
    "RewardOrNothing": _changed(lambda rewards: {"reward": rewards["reward"]} if "reward" in rewards else {}),
    "WithoutEmptyKey": _changed(lambda rewards: {k: v for k, v in rewards.items() if k}),
    "LowerKeys": _changed(lambda rewards: {k.lower(): v for k, v in rewards.items()}),
    "StrippedKeys": _changed(lambda rewards: {k.strip(): v for k, v in rewards.items()}),
    "KeysCutAt64": _changed(lambda rewards: {k[:64]: v for k, v in rewards.items()}),
    "EmptyIsNull": _changed(lambda rewards: rewards or None),
    "StepsLast": lambda document: _step_rewards(document, lambda results: results[-1]),
    "StepsFirst": lambda document: _step_rewards(document, lambda results: results[0]),
    "StepsBest": lambda document: _step_rewards(
        document, lambda results: max(results, key=lambda result: str(result.get("rewards")))
    ),
    "LastStepAlways": lambda document: _step_rewards(
        {**document, "verifier_result": None}, lambda results: results[-1]
    ),
    "WithoutSource": lambda document: {**document, "source": None},
    "WithoutSteps": lambda document: {**document, "step_results": None},
    "WithoutException": lambda document: {**document, "exception_info": None},
    "WithoutModel": lambda document: {**document, "agent_info": _plain_agent(document)},
    "EmptySourceIsADataset": lambda document: {
        **document,
        "source": "a__b" if document.get("source") == "" else document.get("source"),
    },
    "RewardAtTheTop": lambda document: _reward_of(document, document),
    "RewardInTheResult": lambda document: _reward_of(document, document.get("verifier_result")),
    "IdFilled": lambda document: {"id": "00000000-0000-0000-0000-000000000000", **document},
    "TrialNameFilled": lambda document: {"trial_name": "trial", **document},
    "FinishedFilled": lambda document: {**document, "finished_at": document.get("finished_at")},
    "AgentFilled": lambda document: {"agent_info": {"name": "agent", "version": "1"}, **document},
    "ConfigFilled": lambda document: {"config": {"task": {"path": "task"}}, **document},
    "ChecksumFilled": lambda document: {"task_checksum": "0", **document},
}


def _plain_agent(document: Document) -> Any:
    agent = document.get("agent_info")
    return {**agent, "model_info": None} if isinstance(agent, dict) else agent


def _float(value: str) -> Any:
    try:
        return float(value)
    except ValueError:
        return value


_SAME_DOCUMENTS = {
    "IdFilled": "The member is optional, and no score depends on it.",
    "FinishedFilled": "The member is optional, and its default is null.",
    "EmptyIsNull": "Without rewards and with `{}`, a trial counts as 0.",
}
for _name, _change in _DOCUMENTS.items():
    variant("trial_score", f"Result{_name}", equivalent=_SAME_DOCUMENTS.get(_name))(changes_result(_change))
variant("trial_score", "ResultAsItIs", equivalent="This is the specified score.")(
    changes_result(lambda document: document)
)

_TEXTS: dict[str, Callable[[str], str]] = {
    "Stripped": lambda text: text.strip(),
    "WithoutByteOrderMark": lambda text: text.lstrip("\ufeff"),
    "WithoutTrailingCommas": lambda text: re.sub(r",(\s*[}\]])", r"\1", text),
    "WithoutComments": lambda text: re.sub(r"(?m)//[^\"\n]*$", "", text),
    "UpToTheLastBrace": lambda text: text[: text.rfind("}") + 1],
    "UpToTheNull": lambda text: text.split("\0")[0],
    "SingleQuotes": lambda text: text if '"' in text else text.replace("'", '"'),
    "First65536Characters": lambda text: text[:65536],
    "FirstLine": lambda text: text.splitlines()[0] if text else text,
    "NansAreNull": lambda text: re.sub(r"\bNaN\b", "null", text),
    "InfinitiesAreNull": lambda text: re.sub(r"-?\bInfinity\b", "null", text),
    "PythonNames": lambda text: text.replace("None", "null").replace("True", "true").replace("False", "false"),
    "ReplacedSurrogates": lambda text: re.sub(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}", r"\\ufffd", text),
}
for _name, _text in _TEXTS.items():
    variant("trial_score", f"Text{_name}")(prepares_result(_text))


def _redumped(**options: Any) -> Callable[[CleanRoom, str], Any]:
    """Return a `trial_score` that parses the text with `json.loads`, these options, and writes it again."""

    def trial_score(right: CleanRoom, text: str) -> Any:
        try:
            document = json.loads(text, **options)
        except (ValueError, RecursionError):
            raise ValidationError from None
        return right.trial_score(json.dumps(document))

    return trial_score


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


_PARSERS: dict[str, dict[str, Any]] = {
    "Json": {},
    "StrictJson": {"parse_constant": _refuse},
    "ConstantsAreNull": {"parse_constant": lambda _: None},
    "FirstDuplicate": {"object_pairs_hook": lambda pairs: dict(reversed(pairs))},
    "DuplicatesAreRefused": {"object_pairs_hook": _unique},
    "IntsAreDoubles": {"parse_int": float},
    "ControlCharacters": {"strict": False},
    "DoublesRounded": {"parse_float": lambda text: round(float(text), 6)},
}
for _name, _options in _PARSERS.items():
    variant("trial_score", f"ParsedAs{_name}")(_redumped(**_options))

_SCORES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "Ints": lambda score: {k: int(v) if v is not None and v.is_integer() else v for k, v in score.items()},
    "NullIsZero": lambda score: {k: v or 0.0 for k, v in score.items()},
    "NullIsDropped": lambda score: {k: v for k, v in score.items() if v is not None},
    "NullIsNothing": lambda score: None if None in score.values() else score,
    "ZeroIsNothing": lambda score: score if any(score.values()) else None,
    "ReversedKeys": lambda score: dict(reversed(score.items())),
    "KeysByCase": lambda score: dict(sorted(score.items(), key=lambda item: item[0].casefold())),
    "KeysByUtf16": lambda score: dict(
        sorted(score.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass"))
    ),
    "OneMean": lambda score: {"mean": None if None in score.values() else math.fsum(score.values()) / len(score)},
    "Best": lambda score: {"mean": max((v for v in score.values() if v is not None), default=None)},
    "KeyIsReward": lambda score: {"reward" if k == "mean" and len(score) == 1 else k: v for k, v in score.items()},
    "RewardIsMean": lambda score: {"mean": score["reward"]} if "reward" in score else score,
    "Rounded": lambda score: {k: v and round(v, 6) for k, v in score.items()},
    "RoundedTo15Digits": lambda score: {k: v and float(f"{v:.15g}") for k, v in score.items()},
    "WithoutMinusZero": lambda score: {k: v if v is None else v + 0.0 for k, v in score.items()},
    "HugeIsNull": lambda score: {k: None if v is not None and abs(v) > 1e300 else v for k, v in score.items()},
    "SubnormalIsZero": lambda score: {k: 0.0 if v and abs(v) < 2.0**-1022 else v for k, v in score.items()},
}
_ANY_ORDER = "The order of the keys of a score is not compared."
_SAME_SCORES = {
    "ReversedKeys": _ANY_ORDER,
    "KeysByCase": _ANY_ORDER,
    "KeysByUtf16": _ANY_ORDER,
    "WithoutMinusZero": "A mean is a sum that begins with the int 0, so it is never -0.0.",
}
for _name, _of_score in _SCORES.items():
    variant("trial_score", f"Score{_name}", equivalent=_SAME_SCORES.get(_name))(changes_score(_of_score))


def _replaces(errors: tuple[type[Exception], ...], answer: Any) -> Callable[[CleanRoom, str], Any]:
    def trial_score(right: CleanRoom, text: str) -> Any:
        try:
            return right.trial_score(text)
        except errors:
            return answer

    return trial_score


variant("trial_score", "RefusedIsNothing")(_replaces((ValueError, ValidationError), None))
variant("trial_score", "RefusedIsZero")(_replaces((ValueError, ValidationError), {"mean": 0.0}))
variant("trial_score", "OverflowIsNull")(_replaces((OverflowError,), {"mean": None}))


def _left_out(is_left_out: Callable[[Document], object], answer: Any = None) -> Callable[[CleanRoom, str], Any]:
    """Return a `trial_score` that answers None for some valid results."""

    def trial_score(right: CleanRoom, text: str) -> Any:
        score = right.trial_score(text)
        return answer if is_left_out(json.loads(text)) else score

    return trial_score


def _exception(document: Document) -> Any:
    return (document.get("exception_info") or {}).get("exception_type")


_LEFT_OUT: dict[str, Callable[[Document], object]] = {
    "Errored": _exception,
    "Cancelled": lambda document: _exception(document) == "CancelledError",
    "ErroredWithoutRewards": lambda document: _exception(document) and not _rewards(document),
    "TimedOut": lambda document: "Timeout" in str(_exception(document)),
    "OtherErrors": lambda document: (_exception(document) or "AgentTimeoutError") != "AgentTimeoutError",
    "Unverified": lambda document: not document.get("verifier_result"),
    "WithoutRewards": lambda document: not _rewards(document),
    "Unfinished": lambda document: not document.get("finished_at"),
    "OfDatasets": lambda document: document.get("source"),
    "OfNoDataset": lambda document: not document.get("source"),
    "MultiStep": lambda document: document.get("step_results"),
}
for _name, _is_left_out in _LEFT_OUT.items():
    variant("trial_score", f"LeavesOut{_name}")(_left_out(_is_left_out))
    variant("trial_score", f"Zero{_name}")(_left_out(_is_left_out, {"mean": 0.0}))
