"""The wheel against itself: what depends on where it runs is what `UNSTABLE` says, no less and no more.

Two of these runs are recordings of the golden vectors, which have to come to the files of this checkout.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer, encode_answer
from parity.operations.rules import RULES
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.scorer import MultiStepTrial, Step
from tests.self_noise.unstable import UNSTABLE, Unstable
from tests.self_noise.wheel_context import WheelContext

pytestmark = pytest.mark.long

_VECTORS = {(name, vector.id): vector for name, vectors in VECTORS.items() for vector in vectors}
_GOLDEN = Path(__file__).resolve().parents[2] / "golden"
_ASCII = WheelContext(locale="C", ascii_only=True)
_STILL = WheelContext(time_zone="Asia/Kathmandu", locale="C", elsewhere=True, umask=0o077)

type _Answers = dict[tuple[str, str], Any]


@dataclass(frozen=True)
class _Recording:
    """What the wheel answered in a recording of the golden vectors, and the folder that has them."""

    answers: _Answers
    golden: Path


def _recording(folder: Path, context: WheelContext, workers: int) -> _Recording:
    return _Recording(context.recorded(folder, workers), folder / "copy" / "golden")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> _Recording:
    """In a plain context, by one process."""
    return _recording(tmp_path_factory.mktemp("plain"), WheelContext(), 0)


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> _Recording:
    """With another hash seed, by two processes."""
    return _recording(tmp_path_factory.mktemp("shuffled"), WheelContext(hash_seed=1), 2)


def test_recording_repeats_itself(plain: _Recording, shuffled: _Recording) -> None:
    """Byte for byte what is committed, by one process or two, whatever the hash seed."""
    committed = {path.name: path.read_bytes() for path in _GOLDEN.glob("*.json")}

    for recording in (plain, shuffled):
        assert {path.name: path.read_bytes() for path in recording.golden.glob("*.json")} == committed


def test_what_moves_with_the_hash_seed_is_known(plain: _Recording, shuffled: _Recording) -> None:
    """Each difference is one of the list, and each of the list is seen in each of its operations."""
    _check_known("hash seed", _moved(plain.answers, shuffled.answers))


def test_what_moves_with_the_encoding_is_known(plain: _Recording, tmp_path: Path) -> None:
    """Each difference is one of the list, and each of the list is seen in each of its operations."""
    _check_known("encoding", _moved(plain.answers, _ASCII.answers(tmp_path)))


def test_nothing_else_moves(plain: _Recording, tmp_path: Path) -> None:
    """Neither time zone nor locale, working directory, folder for temporary files or umask reaches an answer."""
    moved = _moved(plain.answers, _STILL.answers(tmp_path))

    assert moved == {}


def test_what_is_unstable_is_a_rule() -> None:
    """The list names rules by their slugs, and operations that there are."""
    unknown = [each for each in UNSTABLE.values() if each.rule not in RULES or not each.operations <= OPERATIONS.keys()]

    assert unknown == []


def test_only_the_keys_of_a_mean_are_free() -> None:
    """Everywhere else in a trial's record the order of reward keys counts."""
    mean, final = (TRIAL_REWARD.ordered(MultiStepTrial((Step(),), strategy)) for strategy in ("mean", "final"))

    assert not mean(("rewards",))
    assert final(("rewards",))
    assert mean(("steps", 0, "rewards"))


def _check_known(moves_with: str, moved: dict[tuple[str, str], tuple[Any, Any]]) -> None:
    known = [each for each in UNSTABLE.values() if each.moves_with == moves_with]
    found = {place: [each for each in known if _explains(each, place, *sides)] for place, sides in moved.items()}
    seen = {(each.rule, operation) for (operation, _), reasons in found.items() for each in reasons}
    assert [place for place, reasons in found.items() if not reasons] == []
    assert seen == {(each.rule, operation) for each in known for operation in each.operations}


def _moved(before: _Answers, after: _Answers) -> dict[tuple[str, str], tuple[Any, Any]]:
    """The answers that differ by a bit, or in the order of their keys."""
    assert before.keys() == after.keys()
    return {
        place: (answer, after[place])
        for place, answer in before.items()
        if canonical(answer) != canonical(after[place])
    }


def _explains(unstable: Unstable, place: tuple[str, str], before: Any, after: Any) -> bool:
    """Whether all that differs between two answers is what this says."""
    operation, case = OPERATIONS[place[0]], _VECTORS[place].case
    if place[0] not in unstable.operations:
        return False
    if unstable.faults:
        beyond_ascii = "\\u" in json.dumps(operation.encode(case))
        return beyond_ascii and after.get("fault", {}).get("kind") in unstable.faults
    settled = (operation.settle(case, decode_answer(operation, answer)) for answer in (before, after))
    first, second = (canonical(encode_answer(answer)) for answer in settled)
    return first == second
