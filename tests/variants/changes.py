"""Decorators that replace one part of an operation: a parser, a conversion, a sum, an estimate or a comparison."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

from parity.operations.files.json_nesting import nesting
from parity.runners import CleanRoom
from parity.scorer import (
    MultiStepTrial,
    Number,
    Rewards,
    Step,
    Trial,
    TrialReward,
    ValidationError,
    VerifierOutputParseError,
    evals_key,
    exact_sum,
)
from parity.scorer.reward_file import validate_rewards
from parity.scorer.trial_reward import StepReward
from tests.faulty.fault import read_bytes
from tests.variants.variant import Answer

_BAD = (ValueError, ArithmeticError, LookupError, TypeError, SyntaxError)
"""Exceptions by which a parser refuses a text."""

_MOST_LEVELS = 500
"""Levels of nested JSON above which the interpreter's stack decides, so that a variant must not add frames to it."""


def _is_absent(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False


def reads_bytes(parse: Callable[[bytes], Any]) -> Answer:
    """Make a `read_reward` that reads the bytes of reward.txt with this parser, if they are used and not empty."""

    @wraps(parse)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.txt") if _is_absent(directory / "reward.json") else None
        if not content:
            return right.read_reward(directory)
        try:
            return {"reward": parse(content)}
        except _BAD as error:
            raise VerifierOutputParseError from error

    return read_reward


def reads_text(parse: Callable[[str], Any]) -> Answer:
    """Make a `read_reward` that reads the text of reward.txt with this parser, if it is used and not empty."""

    @reads_bytes
    @wraps(parse)
    def read_reward(content: bytes) -> Any:
        return parse(content.decode())

    return read_reward


def prepares_text(change: Callable[[str], str]) -> Answer:
    """Make a `read_reward` that changes the text of reward.txt before Python's `float` reads it."""

    @reads_text
    @wraps(change)
    def read_reward(text: str) -> float:
        return float(change(text))

    return read_reward


def loads_bytes(parse: Callable[[bytes], Any]) -> Answer:
    """Make a `read_reward` that parses the bytes of reward.json with this function, if they are not empty."""

    @wraps(parse)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json")
        if not content or nesting(content.decode("utf-8", "replace")) > _MOST_LEVELS:
            return right.read_reward(directory)
        try:
            document = parse(content)
        except _BAD as error:
            raise VerifierOutputParseError from error
        return validate_rewards(document)

    return read_reward


def loads(parse: Callable[[str], Any]) -> Answer:
    """Make a `read_reward` that parses the text of reward.json with this function, if it is not empty."""

    @loads_bytes
    @wraps(parse)
    def read_reward(content: bytes) -> Any:
        return parse(content.decode())

    return read_reward


def prepares_json(change: Callable[[str], str]) -> Answer:
    """Make a `read_reward` that changes the text of reward.json before Python's `json` parses it."""

    @loads
    @wraps(change)
    def read_reward(text: str) -> Any:
        return json.loads(change(text))

    return read_reward


def changes_document(change: Callable[[Any], Any]) -> Answer:
    """Make a `read_reward` that changes the parsed reward.json before it is validated."""

    @loads
    @wraps(change)
    def read_reward(text: str) -> Any:
        document = json.loads(text)
        try:
            return change(document)
        except _BAD as error:
            raise ValidationError from error

    return read_reward


def converts(convert: Callable[[Any], Any]) -> Answer:
    """Make a `read_reward` that converts each value in reward.json with this function, which raises for a bad one."""

    @wraps(convert)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        content = read_bytes(directory, "reward.json")
        if not content or nesting(content.decode("utf-8", "replace")) > _MOST_LEVELS:
            return right.read_reward(directory)
        try:
            document = json.loads(content.decode())
        except ValueError as error:
            raise VerifierOutputParseError from error
        if not isinstance(document, dict):
            return validate_rewards(document)
        try:
            return {key: convert(value) for key, value in document.items()}
        except _BAD as error:
            raise ValidationError from error

    return read_reward


def changes_rewards(change: Callable[[Rewards], Rewards]) -> Answer:
    """Make a `read_reward` that changes the correct rewards."""

    @wraps(change)
    def read_reward(right: CleanRoom, directory: Path) -> Rewards | None:
        rewards = right.read_reward(directory)
        return rewards and change(rewards)

    return read_reward


def columns_of(rewards: Sequence[Rewards | None]) -> dict[str, list[Number]]:
    """Return the numbers that a metric is computed from, by key; the key is empty if there is one reward key or none.

    `rewards` has one entry for each trial.
    """
    keys = sorted({key for reward in rewards if reward for key in reward})
    if len(keys) < 2:
        return {"": [next(iter(reward.values())) if reward else 0 for reward in rewards]}
    return {key: [(reward or {}).get(key, 0) for reward in rewards] for key in keys}


def replaces_metrics(**metrics: Callable[[list[Number]], Any]) -> Answer:
    """Make an `aggregate` that computes some metrics with these functions of a column of numbers."""

    def aggregate(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        if metric not in metrics:
            return right.aggregate(metric, rewards)
        return {key or metric: metrics[metric](column) for key, column in columns_of(rewards).items()}

    return aggregate


def prepares_rewards(change: Callable[[Sequence[Rewards | None]], Sequence[Rewards | None]]) -> Answer:
    """Make an `aggregate` that changes the list of rewards before it computes the correct answer."""

    @wraps(change)
    def aggregate(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return right.aggregate(metric, change(rewards))

    return aggregate


def changes_metrics(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Answer:
    """Make an `aggregate` that changes the correct answer."""

    @wraps(change)
    def aggregate(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return change(right.aggregate(metric, rewards))

    return aggregate


def attempts_of(trials: Sequence[Trial]) -> dict[str, dict[str, list[bool]]]:
    """Return whether each attempt succeeded, by evals key and task."""
    groups: dict[str, dict[str, list[bool]]] = {}
    for trial in trials:
        group = groups.setdefault(evals_key(trial.agent, trial.model, trial.source), {})
        group.setdefault(trial.task, []).append(bool(trial.rewards and next(iter(trial.rewards.values()))))
    return groups


def estimates_with(estimate: Callable[[int, int, int], float]) -> Answer:
    """Make a `pass_at_k` that estimates a task with this function of the attempts, the successes and k."""

    @wraps(estimate)
    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        answer, groups = right.pass_at_k(trials), attempts_of(trials)
        for key, group in answer.items():
            for k in group:
                estimates = [estimate(len(each), sum(each), k) for each in groups[key].values()]
                group[k] = exact_sum(estimates, right.series) / len(estimates)
        return answer

    return pass_at_k


def averages_with(mean: Callable[[list[float]], float]) -> Answer:
    """Make a `pass_at_k` that computes the mean over the tasks with this function."""

    @wraps(mean)
    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        answer, groups = right.pass_at_k(trials), attempts_of(trials)
        for key, group in answer.items():
            for k in group:
                group[k] = mean([product_estimate(len(each), sum(each), k) for each in groups[key].values()])
        return answer

    return pass_at_k


def product_estimate(tried: int, passed: int, k: int) -> float:
    """Return the specified estimate of one task."""
    all_fail = 1.0
    for drawn in range(k):
        all_fail *= max(tried - passed - drawn, 0) / (tried - drawn)
    return 1.0 - all_fail


def each_trial(**changes: Callable[[Any], Any]) -> Answer:
    """Make a `pass_at_k` that changes these fields of every trial before it computes the correct answer."""

    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        return right.pass_at_k(
            [
                replace(trial, **{field: change(getattr(trial, field)) for field, change in changes.items()})
                for trial in trials
            ]
        )

    return pass_at_k


def each_group(change: Callable[[dict[int, float]], dict[Any, Any]]) -> Answer:
    """Make a `pass_at_k` that changes the correct estimates of each group."""

    @wraps(change)
    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> dict[str, dict[Any, Any]]:
        return {key: change(group) for key, group in right.pass_at_k(trials).items()}

    return pass_at_k


def each_step(change: Callable[[Step], Step]) -> Answer:
    """Make a `trial_reward` that changes every step before it computes the correct record."""

    @wraps(change)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        return right.trial_reward(replace(trial, steps=tuple(map(change, trial.steps))))

    return trial_reward


def derives_with(derive: Callable[[list[StepReward]], Any]) -> Answer:
    """Make a `trial_reward` that replaces a mean over the steps with this function's rewards, if there is a mean."""

    @wraps(derive)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        answer = right.trial_reward(trial)
        if trial.strategy == "final" or not answer["verified"] or answer["steps"] is None:
            return answer
        return {**answer, "rewards": derive(answer["steps"])}

    return trial_reward


def means_with(mean: Callable[[list[Number]], float]) -> Answer:
    """Make a `trial_reward` that computes the mean of each key over the steps with this function."""

    @derives_with
    @wraps(mean)
    def trial_reward(records: list[StepReward]) -> Any:
        verified = [record["rewards"] or {} for record in records if record["verified"]]
        keys = dict.fromkeys(key for rewards in verified for key in rewards)
        return {key: mean([rewards.get(key, 0) for rewards in verified]) for key in keys}

    return trial_reward


def changes_result(change: Callable[[Any], Any]) -> Answer:
    """Make a `trial_score` that changes the parsed result.json before it computes the correct answer."""

    @wraps(change)
    def trial_score(right: CleanRoom, text: str) -> Any:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return right.trial_score(text)
        if not isinstance(document, dict):
            return right.trial_score(text)
        before = json.dumps(document)
        changed = json.dumps(change(document))
        return right.trial_score(text if changed == before else changed)

    return trial_score


def prepares_result(change: Callable[[str], str]) -> Answer:
    """Make a `trial_score` that changes the text of result.json before it computes the correct answer."""

    @wraps(change)
    def trial_score(right: CleanRoom, text: str) -> Any:
        return right.trial_score(change(text))

    return trial_score


def changes_score(change: Callable[[dict[str, Any]], Any]) -> Answer:
    """Make a `trial_score` that changes a correct answer that is not null."""

    @wraps(change)
    def trial_score(right: CleanRoom, text: str) -> Any:
        score = right.trial_score(text)
        return None if score is None else change(score)

    return trial_score
