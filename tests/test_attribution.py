"""Tests that a divergence is attributed to the rule that the fault breaks, if several rules are possible.

They cover only operations that are implemented by other projects' runners; for the remaining ones, the main job shows
no divergence.
"""

import json
import math
import os
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.aggregate.case import AggregateCase
from parity.operations.answers import Crash
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.read_reward import READ_REWARD, RewardDirectory
from parity.operations.rules import RULES
from parity.operations.series import running_series
from parity.operations.trial_score import TRIAL_SCORE
from parity.operations.trial_score.case import TrialText, rewarded
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards, Trial, summation
from parity.scorer.errors import RewardFileEmptyError
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from tests.faulty.aggregate.metrics import KeepsTheOnlyKey, SkipsNullRewards
from tests.faulty.aggregate.sums import BigIntegersAsDoubles
from tests.faulty.fault import read_bytes
from tests.faulty.pass_at_k.attempts import (
    EightGroupsOfEstimates,
    NoneIsAName,
    SingleAttemptsCount,
    SlashesAreReplaced,
)
from tests.faulty.read_reward.files import DirectoryIsMissing, EmptyIsParseError
from tests.faulty.read_reward.folders import FallsBackToLatin1
from tests.faulty.read_reward.json_values import DropsBadValues, IntegersBecomeFloats, OnlyTheRewardKey
from tests.faulty.read_reward.text import ClipsToUnitInterval, IntegersStay
from tests.faulty.trial_score import ErrorsCountAsZero, EveryTrialHasMetrics, IntsStay
from tests.variants import VARIANTS


class _FaultsAreZero(CleanRoom):
    """A runner that returns 0.0 if the rewards cannot be read."""

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except Exception:
            return {"reward": 0.0}


class _KnowsNewDigits(CleanRoom):
    """A runner that reads the digits in Unicode 16 on every interpreter."""

    def read_reward(self, directory: Path) -> Rewards | None:
        return CleanRoom(Series.PY314).read_reward(directory)


class _TextFirst(CleanRoom):
    """A runner that reads reward.txt if it exists, and else reward.json."""

    def read_reward(self, directory: Path) -> Rewards | None:
        reward_json, aside = directory / "reward.json", directory / "aside.json"
        if not os.path.exists(directory / "reward.txt") or not os.path.lexists(reward_json):
            return super().read_reward(directory)
        reward_json.rename(aside)
        try:
            return super().read_reward(directory)
        finally:
            aside.rename(reward_json)


class _DecodesFirst(CleanRoom):
    """A runner that raises decoding errors, and treats a file with only white space as empty."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = (read_bytes(directory, "reward.json") or read_bytes(directory, "reward.txt") or b"1").decode()
        if not content.strip():
            raise RewardFileEmptyError("empty")
        return super().read_reward(directory)


class _RefusesStrings(CleanRoom):
    """A runner that refuses every string as a value."""

    def read_reward(self, directory: Path) -> Rewards | None:
        values = json.loads((directory / "reward.json").read_text()).values()
        if any(isinstance(value, str) for value in values):
            raise ValueError("a string")
        return super().read_reward(directory)


class _SumWithoutAbsolutes(CleanRoom):
    """A runner that compares a sum with the next number by value instead of by absolute value."""

    def aggregate(self, metric: Any, rewards: Any) -> Any:
        with mock.patch.object(summation, "_add_compensated", self._add):
            return super().aggregate(metric, rewards)

    @staticmethod
    def _add(total: float, lost: float, value: float) -> tuple[float, float]:
        after = total + value
        return after, lost + ((total - after) + value if total >= value else (value - after) + total)


class _ExtremesAreOff(CleanRoom):
    """A runner whose extremes are one ULP off."""

    def aggregate(self, metric: Any, rewards: Any) -> Any:
        answer = super().aggregate(metric, rewards)
        return {key: math.nextafter(value, 9.0) for key, value in answer.items()} if metric == "max" else answer


class _RefusesLinks(CleanRoom):
    """A runner that treats a symlink as an error."""

    def read_reward(self, directory: Path) -> Rewards | None:
        if any((directory / name).is_symlink() for name in ("reward.json", "reward.txt")):
            raise ValueError("a link")
        return super().read_reward(directory)


class _RefusesBooleans(CleanRoom):
    """A runner that refuses every boolean as a value."""

    def read_reward(self, directory: Path) -> Rewards | None:
        values = json.loads((directory / "reward.json").read_text()).values()
        if any(isinstance(value, bool) for value in values):
            raise ValueError("a boolean")
        return super().read_reward(directory)


class _ReadsIntsOnly(CleanRoom):
    """A runner that takes 1.0 and 0.0 for partial rewards."""

    def pass_at_k(self, trials: Any) -> Any:
        floats = [any(isinstance(value, float) for value in (trial.rewards or {}).values()) for trial in trials]
        partial = {"reward": 0.5}
        return super().pass_at_k(
            [
                replace(trial, rewards=partial) if is_float else trial
                for trial, is_float in zip(trials, floats, strict=True)
            ]
        )


def _attempts(model: str | None, source: str | None) -> PassAtKCase:
    return PassAtKCase(tuple(Trial("agent", model, source, "task", {"reward": reward}) for reward in (1.0, 0.0)))


def _groups(*attempts: int, reward: float = 1) -> PassAtKCase:
    """Return a case with a group for each number of attempts at its one task."""
    trials = [
        Trial(f"agent-{group}", "model", "set", "task", {"reward": reward})
        for group, count in enumerate(attempts)
        for _ in range(count)
    ]
    return PassAtKCase(tuple(trials))


def _uneven(*attempts: int) -> PassAtKCase:
    """Return a case with one group, and a task for each number of attempts."""
    trials = [
        Trial("agent", "model", "set", f"task-{task}", {"reward": 1})
        for task, count in enumerate(attempts)
        for _ in range(count)
    ]
    return PassAtKCase(tuple(trials))


def _broken(runner: CleanRoom, operation: Operation[Any], start: str = "") -> dict[str, str]:
    """Return the ids of the vectors that the runner answers wrongly, each with the rule of its divergence."""
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT))
    broken = {}
    for vector in read_vectors(operation.name):
        expected = vector.answer(runner.series)
        if expected is None or not vector.id.startswith(start) or left_out(operation, vector.case):
            continue
        actual = checker.ask_runner(operation, vector.case)
        if divergence := checker.compare(operation, vector.case, expected, actual):
            broken[vector.id] = divergence.rule.slug
    return broken


_BESIDE_TEXT = "reward-file/directory-is-an-error/json-directory-beside-txt"


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize(
    ("runner", "operation", "start", "rules"),
    [
        (_FaultsAreZero, READ_REWARD, "reward-file/fifo-is-empty/", {"reward-file/empty-is-zero-bytes"}),
        (EmptyIsParseError, READ_REWARD, "reward-file/fifo-is-empty/", {"reward-file/empty-is-zero-bytes"}),
        (_FaultsAreZero, READ_REWARD, _BESIDE_TEXT, {"reward-file/directory-is-an-error"}),
        (DirectoryIsMissing, READ_REWARD, _BESIDE_TEXT, {"reward-file/directory-is-an-error"}),
        (_TextFirst, READ_REWARD, "", {"reward-file/directory-is-an-error", "reward-file/json-wins"}),
        (_TextFirst, READ_REWARD, _BESIDE_TEXT, {"reward-file/directory-is-an-error"}),
        (_TextFirst, READ_REWARD, "reward-file/fifo-is-empty/", {"reward-file/json-wins"}),
        (_TextFirst, READ_REWARD, "reward-file/device-is-empty/", {"reward-file/json-wins"}),
        (DropsBadValues, READ_REWARD, "reward-json/bad-value/json/", {"reward-json/bad-value"}),
        (ClipsToUnitInterval, READ_REWARD, "reward-text/float/txt/3", {"reward-number/unit-interval"}),
        (ClipsToUnitInterval, READ_REWARD, "reward-text/float/txt/1234567890", {"reward-number/unit-interval"}),
        (IntegersStay, READ_REWARD, "reward-number/unit-interval/txt/", {"reward-text/float"}),
        (
            _DecodesFirst,
            READ_REWARD,
            "reward-file/byte-order-mark-is-a-parse-error/",
            {"reward-file/undecodable-is-a-parse-error"},
        ),
        (_DecodesFirst, READ_REWARD, "reward-file/any-size/", {"reward-file/white-space-is-not-empty"}),
        (FallsBackToLatin1, READ_REWARD, "", {FallsBackToLatin1.breaks}),
        (BigIntegersAsDoubles, AGGREGATE, "summation/integers/", {"summation/integers"}),
        (BigIntegersAsDoubles, AGGREGATE, "summation/beyond-long/", {"summation/beyond-long"}),
        (KeepsTheOnlyKey, AGGREGATE, "", {"aggregate/single-key"}),
        (_ReadsIntsOnly, PASS_AT_K, "", {"pass-at-k/float-binary"}),
    ],
)
def test_fault_is_attributed_only_to_its_rules(
    runner: type[CleanRoom], operation: Operation[Any], start: str, rules: set[str]
) -> None:
    """The golden vectors that a faulty runner answers wrongly are attributed to exactly these rules."""
    assert set(_broken(runner(), operation, start).values()) == rules


@pytest.mark.needs("utf-8")
def test_new_digits_are_digits_only_in_their_series() -> None:
    """Digits from a later Unicode version are no digits in older series, so only a runner that reads them is wrong."""
    zero = set(_broken(_FaultsAreZero(), READ_REWARD, "reward-text/digits/").values())
    read = set(_broken(_KnowsNewDigits(), READ_REWARD, "reward-text/digits/").values())

    knows_all = running_series() is Series.PY314
    assert zero == (set() if knows_all else {"reward-text/malformed"})
    assert read == (set() if knows_all else {"reward-text/digits"})


def test_unused_reward_file_breaks_no_rule() -> None:
    """If reward.json exists, no rule depends on the state of reward.txt."""
    directory = RULES["reward-file/directory-is-an-error"]

    assert directory.when(RewardDirectory(ABSENT, FileState("directory")))
    assert not directory.when(RewardDirectory(FileState("file", b"[]"), FileState("directory")))


def _of_group(agent: str, dataset: str) -> TrialText:
    agent_info = {"name": agent, "version": "1", "model_info": None}
    return rewarded(-1.0, source=dataset, agent_info=agent_info)


def _errored(**rewards: float) -> TrialText:
    """Return a trial that has an error and these rewards."""
    vectors = (vector.case.document() for vector in read_vectors(TRIAL_SCORE.name))
    document = next(each for each in vectors if isinstance(each, dict) and each.get("exception_info"))
    return TrialText(json.dumps({**document, "verifier_result": {"rewards": rewards}}))


def _reward_json(text: str) -> RewardDirectory:
    return RewardDirectory(FileState("file", text.encode()), ABSENT)


@pytest.mark.parametrize(
    ("runner", "operation", "case", "rule"),
    [
        (SkipsNullRewards, AGGREGATE, AggregateCase("min", (None, {"reward": 0.0})), "aggregate/null-is-zero"),
        (
            _SumWithoutAbsolutes,
            AGGREGATE,
            AggregateCase("sum", ({"reward": -0.43}, {"reward": -0.6})),
            "summation/compensated",
        ),
        (_ExtremesAreOff, AGGREGATE, AggregateCase("max", ({"reward": 0.5}, {"reward": 0.25})), "aggregate/value"),
        (_RefusesStrings, READ_REWARD, _reward_json('{"int": "-iNfInItY"}'), "reward-json/number-string"),
        (_RefusesStrings, READ_REWARD, _reward_json('{"int": " 1_0"}'), "reward-json/integer-string"),
        (
            IntegersBecomeFloats,
            READ_REWARD,
            _reward_json('{"reward": NaN, "reward": 9007199254740993}'),
            "reward-json/int-stays-int",
        ),
        (_RefusesBooleans, READ_REWARD, _reward_json('{"2.0": true}'), "reward-json/bool-is-float"),
        (OnlyTheRewardKey, READ_REWARD, _reward_json('{"a": -5e-324, "b": 0}'), "reward-json/keys-are-verbatim"),
        (OnlyTheRewardKey, READ_REWARD, _reward_json('{"a": true}'), "reward-json/keys-are-verbatim"),
        (OnlyTheRewardKey, READ_REWARD, _reward_json('{"a": 1e400}'), "reward-json/keys-are-verbatim"),
        (
            _RefusesLinks,
            READ_REWARD,
            RewardDirectory(FileState("looping-link"), FileState("link", b"0")),
            "reward-file/link-is-followed",
        ),
        (_ReadsIntsOnly, PASS_AT_K, _attempts(None, None), "pass-at-k/float-binary"),
        (_ReadsIntsOnly, PASS_AT_K, _attempts("provider/model", "set"), "pass-at-k/float-binary"),
        (NoneIsAName, PASS_AT_K, _attempts(None, None), "pass-at-k/absent-names"),
        (SlashesAreReplaced, PASS_AT_K, _attempts("provider/model", "set"), "pass-at-k/names-are-verbatim"),
        (SingleAttemptsCount, PASS_AT_K, _groups(*[1] * 9), "pass-at-k/no-single"),
        (_ReadsIntsOnly, PASS_AT_K, _groups(*[2] * 9, reward=1.0), "pass-at-k/float-binary"),
        (EightGroupsOfEstimates, PASS_AT_K, _groups(1, *[5] * 9), "pass-at-k/many-groups"),
        (VARIANTS["pass_at_k/GroupPowersOnly"].runner, PASS_AT_K, _groups(1, 5), "pass-at-k/multiples-of-five"),
        (VARIANTS["pass_at_k/GroupPowersOnly"].runner, PASS_AT_K, _uneven(5, 6), "pass-at-k/multiples-of-five"),
        (EveryTrialHasMetrics, TRIAL_SCORE, _of_group("agent", "__"), "trial-score/no-metric"),
        (EveryTrialHasMetrics, TRIAL_SCORE, _of_group("agent_", "set"), "trial-score/no-metric"),
        (IntsStay, TRIAL_SCORE, rewarded({"a": 3, "b": 0.5}), "trial-score/double"),
        (ErrorsCountAsZero, TRIAL_SCORE, _errored(a=1.0, b=0.5), "trial-score/errored"),
        (ErrorsCountAsZero, TRIAL_SCORE, _errored(reward=nan), "trial-score/errored"),
    ],
)
def test_fault_is_attributed_to_the_simplest_rule(
    runner: type[CleanRoom], operation: Operation[Any], case: Any, rule: str
) -> None:
    """A fault is not attributed to a rule that merely applies to the case as well."""
    divergence = Checker(CleanRoom(), runner(), Clock(Clock.DEFAULT)).diverges(operation, case)

    assert divergence
    assert divergence.rule.slug == rule


@pytest.mark.parametrize("case", [{"others": {"score.txt": b"1"}}, {"within": "a b"}], ids=["others", "path"])
def test_hang_at_a_fifo_is_attributed_to_the_fifo_rule(case: dict[str, Any]) -> None:
    """A hang at a FIFO is attributed to the rule on FIFOs, and not to one on other files or paths."""
    directory = RewardDirectory(ABSENT, FileState("fifo"), **case)
    checker = Checker(CleanRoom(), CleanRoom(), Clock(Clock.DEFAULT))
    expected = checker.ask_reference(READ_REWARD, directory)

    divergence = checker.compare(READ_REWARD, directory, expected, Crash("it took too long", hung=True))

    assert divergence is not None
    assert divergence.rule.slug == "reward-file/fifo-is-empty"


@pytest.mark.parametrize("text", ["1;\x1f", "\U0001ccf7" * 20])
def test_malformed_text_breaks_no_rule_on_numbers(text: str) -> None:
    """Returning 0.0 for a parse error breaks the rule on malformed text, and not one on separators or rounding."""
    checker = Checker(CleanRoom(Series.PY312), _FaultsAreZero(Series.PY312), Clock(Clock.DEFAULT))

    divergence = checker.diverges(READ_REWARD, RewardDirectory(ABSENT, FileState("file", text.encode())))

    assert divergence is not None
    assert divergence.rule.slug == "reward-text/malformed"
