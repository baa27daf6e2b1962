"""Which rule a divergence is put down to, where several are in question."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.judging.checking import Checker
from parity.operations.aggregate import AGGREGATE
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import Operation, decode_answer
from parity.operations.pass_at_k import PASS_AT_K
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.operations.rules import RULES
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.scorer.errors import RewardFileEmptyError
from parity.scorer.series import Series
from tests.faulty.aggregate.sums import BigIntegersAsDoubles
from tests.faulty.fault import Fault, read_bytes
from tests.faulty.pass_at_k.attempts import EmptyNamesCount
from tests.faulty.read_reward.files import EmptyIsParseError
from tests.faulty.read_reward.folders import FallsBackToLatin1
from tests.faulty.read_reward.json_values import WholeFloatsBecomeIntegers
from tests.faulty.read_reward.text import ClipsToUnitInterval, IntegersStay

_SPEC = f"{EmptyIsParseError.__module__}:{EmptyIsParseError.__name__}"


class _FaultsAreZero(CleanRoom):
    """Scores 0.0 where the rewards cannot be read."""

    def read_reward(self, directory: Path) -> Rewards | None:
        try:
            return super().read_reward(directory)
        except Exception:
            return {"reward": 0.0}


class _KnowsNewDigits(CleanRoom):
    """Reads the digits of Unicode 16 on every interpreter."""

    def read_reward(self, directory: Path) -> Rewards | None:
        return CleanRoom(Series.PY314).read_reward(directory)


class _TextFirst(CleanRoom):
    """Reads reward.txt where there is one, and reward.json else."""

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
    """The vectors that the runner answers wrongly, with the rule that it breaks."""
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT))
    for name, entry in read_entries(operation.name).items():
        recorded = recorded_answer(entry, runner.series)
        if recorded is None or not name.startswith(start):
            continue
        case, expected = operation.decode(entry["input"]), decode_answer(operation, recorded)
        actual = checker.ask_runner(operation, case)
        divergence = checker.compare(operation, case, expected, actual, RULES[entry["rule"]])
        if divergence:
            yield name, divergence.rule.slug


@pytest.mark.parametrize("runner", [_FaultsAreZero, EmptyIsParseError])
def test_a_rule_that_is_kept_leads_to_the_case_that_is_alike(runner: type[CleanRoom]) -> None:
    """A FIFO is answered as an empty file is, so that the fault lies with empty files."""
    broken = dict(_broken(runner(), "reward-file/fifo-is-empty/"))

    assert set(broken.values()) == {"reward-file/empty-is-zero-bytes"}


@pytest.mark.parametrize("runner", [_FaultsAreZero, WholeFloatsBecomeIntegers])
def test_a_rule_about_everything_is_the_last_resort(runner: type[CleanRoom]) -> None:
    """Nothing is wrong with the floats of reward.txt, so no vector says that they are."""
    assert "reward-text/float" not in dict(_broken(runner())).values()


@pytest.mark.needs("utf-8")
def test_a_rule_that_can_be_tried_out_comes_before_what_a_vector_shows() -> None:
    """A runner that reads reward.txt first breaks one rule, whatever reward.json is."""
    broken = dict(_broken(_TextFirst()))

    assert "reward-file/directory-is-an-error/json-directory-beside-txt" in broken
    assert "reward-file/unreadable-is-an-error/json-beside-txt" in broken
    assert set(broken.values()) == {"reward-file/json-wins"}


def test_what_can_be_tried_out_may_be_kept() -> None:
    """A directory is the fault where the runner answers alike without reward.txt."""
    broken = dict(_broken(_FaultsAreZero(), "reward-file/directory-is-an-error/"))

    assert broken["reward-file/directory-is-an-error/json-directory-beside-txt"] == "reward-file/directory-is-an-error"


def test_what_a_vector_shows_comes_first_where_it_can_be_tried_out() -> None:
    """Empty names also make groups collide, but they are what the vector is about."""
    broken = dict(_broken(EmptyNamesCount(), "pass-at-k/empty-names/", PASS_AT_K))

    assert set(broken.values()) == {"pass-at-k/empty-names"}


class _IgnoresNestedValues(Fault):
    """Leaves out what is inside an array or an object."""

    def read_reward(self, directory: Path) -> Rewards | None:
        document = json.loads(read_bytes(directory, "reward.json") or b"null")
        if not isinstance(document, dict):
            return super().read_reward(directory)
        return {key: number for key, number in document.items() if type(number) in (int, float)}


def test_a_nested_value_is_a_bad_value() -> None:
    """Where keys only look like a path, the fault lies in the value."""
    broken = dict(_broken(_IgnoresNestedValues(), "reward-json/bad-value/json/"))

    assert broken['reward-json/bad-value/json/{"a.b":%201,%20"a":%20{"b":%201}}'] == "reward-json/bad-value"
    assert set(broken.values()) == {"reward-json/bad-value"}


@pytest.mark.parametrize("number", ["3", "1234567890"])
def test_a_rule_about_everything_does_not_take_what_a_vector_shows_of_another(number: str) -> None:
    """A number that was clipped is blamed on clipping, and one of another type on its type, by the same vector."""
    vector = f"reward-text/float/txt/{number}"

    clipped = dict(_broken(ClipsToUnitInterval(), vector))
    narrowed = dict(_broken(IntegersStay(), vector))

    assert clipped == {vector: "reward-number/unit-interval"}
    assert set(narrowed.values()) <= {"reward-text/float"}


def test_an_int_to_text_is_about_its_type() -> None:
    """An int for a float beyond the unit interval is not clipped."""
    broken = dict(_broken(IntegersStay(), "reward-number/unit-interval/txt/"))

    assert set(broken.values()) == {"reward-text/float"}


def test_big_ints_alone_have_nothing_to_compensate() -> None:
    """A detour by doubles is a fault in adding ints; beside floats, one about compensation."""
    alone = dict(_broken(BigIntegersAsDoubles(), "summation/integers/", AGGREGATE))
    mixed = dict(_broken(BigIntegersAsDoubles(), "summation/beyond-long/", AGGREGATE))

    assert alone
    assert set(alone.values()) == {"summation/integers"}
    assert set(mixed.values()) == {"summation/beyond-long"}


def test_what_does_not_count_is_not_blamed() -> None:
    """The state of reward.txt is no matter where reward.json exists."""
    directory = RewardFolder(FileState("file", b"[]"), FileState("directory"))

    assert READ_REWARD.flags(directory) == {"json-over-txt", "json-not-object"}
    assert "directory" in READ_REWARD.flags(RewardFolder(ABSENT, FileState("directory")))


@pytest.mark.needs("utf-8")
def test_vectors_alone_see_it() -> None:
    """A runner that is only held against the golden vectors is caught too."""
    broken = dict(_broken(FallsBackToLatin1()))

    assert set(broken.values()) == {FallsBackToLatin1.breaks}


def test_an_empty_file_is_shown_before_what_counts_as_one(pytester: pytest.Pytester) -> None:
    """Of the vectors that show one fault, the case that is printed is about the rule that is named."""
    ran = pytester.runpytest_inprocess(
        "--pyargs", "parity.operations.read_reward.test_read_reward", "-k", "test_golden", "--runner", _SPEC
    )

    ran.stdout.fnmatch_lines(
        [
            "DIVERGENCE in read_reward (form): reward-file/empty-is-zero-bytes: *",
            "  vector             reward-file/empty-is-zero-bytes/txt: *",
        ],
        consecutive=True,
    )


class _DecodesFirst(CleanRoom):
    """Raises what decoding raises, and takes a file of white space for empty."""

    def read_reward(self, directory: Path) -> Rewards | None:
        content = (read_bytes(directory, "reward.json") or read_bytes(directory, "reward.txt") or b"1").decode()
        if not content.strip():
            raise RewardFileEmptyError("empty")
        return super().read_reward(directory)


def test_what_makes_a_file_large_or_marks_it_is_not_blamed() -> None:
    """A runner that reads large files, and skips no mark, breaks the rule that a small file without one shows."""
    marked = dict(_broken(_DecodesFirst(), "reward-file/byte-order-mark-is-a-parse-error/"))
    large = dict(_broken(_DecodesFirst(), "reward-file/any-size/"))

    assert set(marked.values()) == {"reward-file/undecodable-is-a-parse-error"}
    assert large == {"reward-file/any-size/blanks": "reward-file/white-space-is-not-empty"}


def test_a_file_that_does_not_count_is_not_blamed() -> None:
    """Whatever is in the place of reward.txt, the fault is that it is read before reward.json."""
    kinds = ("fifo-is-empty", "device-is-empty")
    broken = {kind: set(dict(_broken(_TextFirst(), f"reward-file/{kind}/")).values()) for kind in kinds}

    assert broken == {kind: {"reward-file/json-wins"} for kind in kinds}


@pytest.mark.needs("utf-8")
def test_digits_of_a_later_unicode() -> None:
    """To who does not know them they are no digits, so that only a runner that reads them breaks the rule on digits."""
    zero = set(dict(_broken(_FaultsAreZero(), "reward-text/digits/")).values())
    read = set(dict(_broken(_KnowsNewDigits(), "reward-text/digits/")).values())

    knows_all = Series.running() is Series.PY314
    assert zero == (set() if knows_all else {"reward-text/malformed"})
    assert read == (set() if knows_all else {"reward-text/digits"})
