"""The attribution of a divergence to a rule, if several rules are possible."""

import json
import os
from collections.abc import Iterator
from math import nan
from pathlib import Path
from typing import Any

import pytest

from parity.operations.aggregate import AGGREGATE
from parity.operations.aggregate.case import AggregateCase
from parity.operations.answers import Crash
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.operations.rules import RULES
from parity.operations.trial_score import TRIAL_SCORE
from parity.operations.trial_score.case import TrialText, rewarded
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.scorer.errors import RewardFileEmptyError
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.report.reading import read_report
from tests.faulty.aggregate.sums import BigIntegersAsDoubles
from tests.faulty.fault import Fault, read_bytes
from tests.faulty.read_reward.files import DirectoryIsMissing, EmptyIsParseError
from tests.faulty.read_reward.folders import FallsBackToLatin1
from tests.faulty.read_reward.json_values import WholeFloatsBecomeIntegers
from tests.faulty.read_reward.text import ClipsToUnitInterval, IntegersStay

_SPEC = f"{EmptyIsParseError.__module__}:{EmptyIsParseError.__name__}"


class _FaultsAreZero(CleanRoom):
    """A runner that scores 0.0 if the rewards cannot be read."""

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except Exception:
            return {"reward": 0.0}


class _KnowsNewDigits(CleanRoom):
    """A runner that reads the digits of Unicode 16 on every interpreter."""

    def read_reward(self, directory: Path) -> Rewards | None:
        return CleanRoom(Series.PY314).read_reward(directory)


class _TextFirst(CleanRoom):
    """A runner that reads reward.txt if it exists, and else reward.json."""

    def read_reward(self, directory: Path) -> Rewards | None:
        found, aside = directory / "reward.json", directory / "aside.json"
        if not os.path.exists(directory / "reward.txt") or not os.path.lexists(found):
            return super().read_reward(directory)
        found.rename(aside)
        try:
            return super().read_reward(directory)
        finally:
            aside.rename(found)


def _broken(runner: CleanRoom, start: str = "", operation: Operation[Any] = READ_REWARD) -> Iterator[tuple[str, str]]:
    """Yield the vectors that the runner answers wrongly, each with the rule that it breaks as a drawn case would."""
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT))
    for vector in read_vectors(operation.name):
        expected = vector.answer(runner.series)
        if expected is None or not vector.id.startswith(start):
            continue
        if left_out(operation, vector.case):
            continue
        actual = checker.ask_runner(operation, vector.case)
        divergence = checker.compare(operation, vector.case, expected, actual)
        if divergence:
            yield vector.id, divergence.rule.slug


@pytest.mark.parametrize("runner", [_FaultsAreZero, EmptyIsParseError])
def test_a_rule_that_is_kept_leads_to_the_case_that_is_alike(runner: type[CleanRoom]) -> None:
    """If a FIFO and an empty file get the same answer, the rule about empty files is broken."""
    broken = dict(_broken(runner(), "reward-file/fifo-is-empty/"))

    assert set(broken.values()) == {"reward-file/empty-is-zero-bytes"}


@pytest.mark.parametrize("runner", [_FaultsAreZero, WholeFloatsBecomeIntegers])
def test_a_rule_about_everything_is_the_last_resort(runner: type[CleanRoom]) -> None:
    """A wrong answer about something else is not attributed to the general rule about floats."""
    assert "reward-text/float" not in dict(_broken(runner())).values()


_BESIDE_TEXT = "reward-file/directory-is-an-error/json-directory-beside-txt"


@pytest.mark.needs("utf-8")
def test_a_rule_that_can_be_tried_out_comes_first() -> None:
    """A rule that an equivalent case can test comes before other rules that fit the case."""
    broken = dict(_broken(_TextFirst()))

    others = {vector: rule for vector, rule in broken.items() if rule != "reward-file/json-wins"}
    assert len(broken) > len(others)
    assert set(others.values()) == {"reward-file/directory-is-an-error"}


@pytest.mark.parametrize("runner", [_TextFirst, DirectoryIsMissing])
def test_a_directory_beside_reward_txt_is_an_error(runner: type[CleanRoom]) -> None:
    """A runner that reads reward.txt beside a directory reward.json breaks the rule on directories."""
    broken = dict(_broken(runner(), _BESIDE_TEXT))

    assert broken == {_BESIDE_TEXT: "reward-file/directory-is-an-error"}


def test_what_can_be_tried_out_may_be_kept() -> None:
    """If the answer without reward.txt is the same, the rule about directories is broken."""
    broken = dict(_broken(_FaultsAreZero(), "reward-file/directory-is-an-error/"))

    assert broken["reward-file/directory-is-an-error/json-directory-beside-txt"] == "reward-file/directory-is-an-error"


class _IgnoresNestedValues(Fault):
    """A runner that leaves out values inside an array or an object."""

    def read_reward(self, directory: Path) -> Rewards | None:
        document = json.loads(read_bytes(directory, "reward.json") or b"null")
        if not isinstance(document, dict):
            return super().read_reward(directory)
        return {key: number for key, number in document.items() if type(number) in (int, float)}


def test_a_nested_value_is_a_bad_value() -> None:
    """If keys only look like a path, the rule about values is broken."""
    broken = dict(_broken(_IgnoresNestedValues(), "reward-json/bad-value/json/"))

    assert broken['reward-json/bad-value/json/{"a.b":%201,%20"a":%20{"b":%201}}'] == "reward-json/bad-value"
    assert set(broken.values()) == {"reward-json/bad-value"}


@pytest.mark.parametrize("number", ["3", "1234567890"])
def test_a_rule_about_everything_does_not_take_what_belongs_to_another(number: str) -> None:
    """With the same vector, a clipped number breaks the rule on clipping, and an int the rule on types."""
    vector = f"reward-text/float/txt/{number}"

    clipped = dict(_broken(ClipsToUnitInterval(), vector))
    narrowed = dict(_broken(IntegersStay(), vector))

    assert clipped == {vector: "reward-number/unit-interval"}
    assert set(narrowed.values()) <= {"reward-text/float"}


def test_an_int_to_text_is_about_its_type() -> None:
    """An int in place of a float beyond the unit interval breaks the rule on types, not the one on clipping."""
    broken = dict(_broken(IntegersStay(), "reward-number/unit-interval/txt/"))

    assert set(broken.values()) == {"reward-text/float"}


def test_big_ints_alone_have_nothing_to_compensate() -> None:
    """Adding big ints as doubles breaks the rule on ints; beside floats, it breaks the rule on compensation."""
    alone = dict(_broken(BigIntegersAsDoubles(), "summation/integers/", AGGREGATE))
    mixed = dict(_broken(BigIntegersAsDoubles(), "summation/beyond-long/", AGGREGATE))

    assert alone
    assert set(alone.values()) == {"summation/integers"}
    assert set(mixed.values()) == {"summation/beyond-long"}


def test_what_does_not_count_is_not_blamed() -> None:
    """The state of reward.txt matters to no rule if reward.json exists."""
    directory = RULES["reward-file/directory-is-an-error"]

    assert directory.when(RewardFolder(ABSENT, FileState("directory")))
    assert not directory.when(RewardFolder(FileState("file", b"[]"), FileState("directory")))


@pytest.mark.needs("utf-8")
def test_vectors_alone_see_it() -> None:
    """A fault that only golden vectors show is attributed to the right rule."""
    broken = dict(_broken(FallsBackToLatin1()))

    assert set(broken.values()) == {FallsBackToLatin1.breaks}


@pytest.mark.parametrize("text", ["1;\x1f", "\U0001ccf7" * 20])
def test_text_that_is_no_number_breaks_no_rule_about_numbers(text: str) -> None:
    """Scoring a parse error as 0.0 breaks the rule on malformed text, not one on separators or on rounding."""
    checker = Checker(CleanRoom(Series.PY312), _FaultsAreZero(Series.PY312), Clock(Clock.DEFAULT))

    divergence = checker.diverges(READ_REWARD, RewardFolder(ABSENT, FileState("file", text.encode())))

    assert divergence is not None
    assert divergence.rule.slug == "reward-text/malformed"


class _KeepsInts(CleanRoom):
    """A runner that answers with the rewards as they are in the file."""

    def trial_score(self, text: str) -> Any:
        return json.loads(text)["verifier_result"]["rewards"]


def test_an_int_among_several_rewards_is_about_its_type() -> None:
    """An int that stays an int breaks the rule on doubles, not the one on several keys."""
    checker = Checker(CleanRoom(), _KeepsInts(), Clock(Clock.DEFAULT))

    divergence = checker.diverges(TRIAL_SCORE, rewarded({"a": 3, "b": 0.5}))

    assert divergence is not None
    assert divergence.rule.slug == "trial-score/double"


class _RefusesLinks(CleanRoom):
    """A runner for which a link is an error."""

    def read_reward(self, directory: Path) -> Rewards | None:
        if any((directory / name).is_symlink() for name in ("reward.json", "reward.txt")):
            raise ValueError("a link")
        return super().read_reward(directory)


def test_a_rule_that_is_broken_twice_is_named() -> None:
    """With one of two refused links replaced, the runner still refuses the other; then that one's rule is broken."""
    checker = Checker(CleanRoom(), _RefusesLinks(), Clock(Clock.DEFAULT))
    folder = RewardFolder(FileState("looping-link"), FileState("link", b"0"))

    divergence = checker.diverges(READ_REWARD, folder)

    assert divergence is not None
    assert divergence.rule.slug == "reward-file/link-is-followed"


class _NeedsTheKeyReward(CleanRoom):
    """A runner that has no rewards where the key `reward` is missing."""

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        return rewards if rewards and "reward" in rewards else None


@pytest.mark.parametrize("document", [b'{"a": -5e-324, "b": 0}', b'{"a": true}', b'{"a": 1e400}'])
def test_none_in_place_of_other_keys_is_about_the_keys(document: bytes) -> None:
    """No rewards where a key is missing break the rule on keys, whatever the numbers are."""
    checker = Checker(CleanRoom(), _NeedsTheKeyReward(), Clock(Clock.DEFAULT))

    divergence = checker.diverges(READ_REWARD, RewardFolder(FileState("file", document), ABSENT))

    assert divergence is not None
    assert divergence.rule.slug == "reward-json/keys-are-verbatim"


@pytest.mark.parametrize("case", [{"others": {"score.txt": b"1"}}, {"within": "a b"}], ids=["others", "path"])
def test_a_hang_at_a_fifo_is_about_the_fifo(case: dict[str, Any]) -> None:
    """Other files, or an unusual path, are not blamed for a hang, of which no equivalent case is asked."""
    folder = RewardFolder(ABSENT, FileState("fifo"), **case)
    checker = Checker(CleanRoom(), CleanRoom(), Clock(Clock.DEFAULT))
    expected = checker.ask_reference(READ_REWARD, folder)

    divergence = checker.compare(READ_REWARD, folder, expected, Crash("it took too long", hung=True))

    assert divergence is not None
    assert divergence.rule.slug == "reward-file/fifo-is-empty"


def test_a_vector_names_its_own_rule(pytester: pytest.Pytester, tmp_path: Path) -> None:
    """The divergence of a golden vector breaks the vector's rule, whatever another case would be attributed to."""
    report, suite = tmp_path / "report.json", "parity.operations.read_reward.test_read_reward"

    pytester.runpytest_inprocess("--pyargs", suite, "-k", "test_golden", "--runner", _SPEC, "--report", str(report))

    broken = [(each.rule, each.vector or "") for each in read_report(report).divergences]
    assert len(broken) > 4
    assert all(vector.startswith(f"{rule}/") for rule, vector in broken)


class _DecodesFirst(CleanRoom):
    """A runner that raises errors of decoding, and reads a file of white space as empty."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = (read_bytes(directory, "reward.json") or read_bytes(directory, "reward.txt") or b"1").decode()
        if not content.strip():
            raise RewardFileEmptyError("empty")
        return super().read_reward(directory)


def test_what_makes_a_file_large_or_marks_it_is_not_blamed() -> None:
    """A large file, or one with a byte order mark, is attributed to the rule that a small file shows."""
    marked = dict(_broken(_DecodesFirst(), "reward-file/byte-order-mark-is-a-parse-error/"))
    large = dict(_broken(_DecodesFirst(), "reward-file/any-size/"))

    assert set(marked.values()) == {"reward-file/undecodable-is-a-parse-error"}
    assert large == {"reward-file/any-size/blanks": "reward-file/white-space-is-not-empty"}


def test_a_file_that_does_not_count_is_not_blamed() -> None:
    """A runner that reads reward.txt first breaks the rule on reward.json, whatever is in the place of reward.txt."""
    kinds = ("fifo-is-empty", "device-is-empty")
    broken = {kind: set(dict(_broken(_TextFirst(), f"reward-file/{kind}/")).values()) for kind in kinds}

    assert broken == {kind: {"reward-file/json-wins"} for kind in kinds}


@pytest.mark.needs("utf-8")
def test_digits_of_a_later_unicode() -> None:
    """Digits of a later Unicode are not digits in older series, so only a runner that reads them breaks their rule."""
    zero = set(dict(_broken(_FaultsAreZero(), "reward-text/digits/")).values())
    read = set(dict(_broken(_KnowsNewDigits(), "reward-text/digits/")).values())

    knows_all = Series.running() is Series.PY314
    assert zero == (set() if knows_all else {"reward-text/malformed"})
    assert read == (set() if knows_all else {"reward-text/digits"})


class _LeavesOutNull(CleanRoom):
    """A runner that leaves out trials without rewards."""

    def aggregate(self, metric: Any, rewards: Any) -> Any:
        return super().aggregate(metric, [reward for reward in rewards if reward is not None] or rewards)


class _RefusesStrings(CleanRoom):
    """A runner that refuses every string as a value."""

    def read_reward(self, directory: Path) -> Rewards | None:
        values = json.loads((directory / "reward.json").read_text()).values()
        if any(isinstance(value, str) for value in values):
            raise ValueError("a string")
        return super().read_reward(directory)


class _OnlyFloats(CleanRoom):
    """A runner that turns every reward into a float."""

    def read_reward(self, directory: Path) -> Rewards | None:
        return {key: float(number) for key, number in (super().read_reward(directory) or {}).items()}


class _ErrorsAreZero(CleanRoom):
    """A runner that scores a trial with an error as zero."""

    def trial_score(self, text: str) -> dict[str, float | None]:
        score = super().trial_score(text)
        return {"mean": 0.0} if json.loads(text).get("exception_info") else score


def _errored(**rewards: float) -> TrialText:
    """Return a trial with an error and these rewards."""
    vectors = (vector.case.document() for vector in read_vectors(TRIAL_SCORE.name))
    document = next(each for each in vectors if isinstance(each, dict) and each.get("exception_info"))
    return TrialText(json.dumps({**document, "verifier_result": {"rewards": rewards}}))


def _reward_json(text: str) -> RewardFolder:
    return RewardFolder(FileState("file", text.encode()), ABSENT)


@pytest.mark.parametrize(
    ("runner", "operation", "case", "rule"),
    [
        (_LeavesOutNull, AGGREGATE, AggregateCase("min", (None, {"reward": 0.0})), "aggregate/null-is-zero"),
        (_RefusesStrings, READ_REWARD, _reward_json('{"int": "-iNfInItY"}'), "reward-json/number-string"),
        (_RefusesStrings, READ_REWARD, _reward_json('{"int": " 1_0"}'), "reward-json/integer-string"),
        (
            _OnlyFloats,
            READ_REWARD,
            _reward_json('{"reward": NaN, "reward": 9007199254740993}'),
            "reward-json/int-stays-int",
        ),
        (_ErrorsAreZero, TRIAL_SCORE, _errored(a=1.0, b=0.5), "trial-score/errored"),
        (_ErrorsAreZero, TRIAL_SCORE, _errored(reward=nan), "trial-score/errored"),
    ],
)
def test_the_plainer_fault_is_named(runner: type[CleanRoom], operation: Operation[Any], case: Any, rule: str) -> None:
    """A fault is not attributed to a rule that merely fits the case as well."""
    divergence = Checker(CleanRoom(), runner(), Clock(Clock.DEFAULT)).diverges(operation, case)

    assert divergence
    assert divergence.rule.slug == rule
