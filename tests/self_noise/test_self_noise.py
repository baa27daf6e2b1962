"""The wheel compared with itself: exactly the answers in `UNSTABLE` depend on its environment.

One of the compared runs is the main job, in which all vectors have their recorded answers. Another one records them
again, and must give the files of this checkout.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.operation import decode_answer, encode_answer
from parity.operations.rules import RULES
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.scorer import MultiStepTrial, Step
from tests.filled_once import filled_once
from tests.main_job import MainJob
from tests.self_noise.kept_answers import read_kept
from tests.self_noise.unstable import UNSTABLE, Unstable
from tests.self_noise.wheel_context import WheelContext

_VECTORS = {(name, vector.id): vector for name, vectors in VECTORS.items() for vector in vectors}
_GOLDEN = Path(__file__).resolve().parents[2] / "golden"
_ASCII = WheelContext(locale="C", ascii_only=True)
_OTHER = WheelContext(hash_seed=1, time_zone="Asia/Kathmandu", locale="C", umask=0o077)

type _Answers = dict[tuple[str, str], Any]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a recording by two processes, in an environment that differs in everything."""

    def record(folder: Path) -> None:
        (folder / "élse where").mkdir()
        _OTHER.record(folder / "élse where", 2)

    return filled_once(tmp_path_factory, "recorded-elsewhere", record) / "élse where"


@pytest.mark.needs("utf-8")
def test_recording_repeats_itself(recorded: Path) -> None:
    """Recording again gives the committed files, byte for byte, with any hash seed."""
    committed = {path.name: path.read_bytes() for path in _GOLDEN.glob("*.json")}

    assert {path.name: path.read_bytes() for path in (recorded / "copy" / "golden").glob("*.json")} == committed


def test_every_operation_is_asked(main_job: MainJob) -> None:
    """The main job asks vectors of every operation."""
    assert {operation for operation, _ in main_job.answers} == set(OPERATIONS)


@pytest.mark.needs("utf-8")
def test_what_moves_with_the_hash_seed_is_known(main_job: MainJob, recorded: Path) -> None:
    """The answers that change with the hash seed are exactly the listed ones."""
    _check_known("hash seed", _moved(main_job.answers, read_kept(recorded / "kept")))


@pytest.mark.needs("ascii")
def test_what_moves_with_the_encoding_is_known(main_job: MainJob, tmp_path: Path) -> None:
    """The answers that change with the encoding are exactly the listed ones."""
    _check_known("encoding", _moved(main_job.answers, _ASCII.answers(tmp_path)))


@pytest.mark.needs("utf-8")
def test_nothing_else_moves(main_job: MainJob, recorded: Path) -> None:
    """Time zone, locale, working directory, temporary folder and umask change no answer."""
    moved = _moved(main_job.answers, read_kept(recorded / "kept"))

    assert [place for place, sides in moved.items() if not _are_settled_alike(place, *sides)] == []


def test_what_is_unstable_is_a_rule() -> None:
    """The list names known rules and operations."""
    unknown = [each for each in UNSTABLE.values() if each.rule not in RULES or not each.operations <= OPERATIONS.keys()]

    assert unknown == []


def test_only_the_keys_of_a_mean_are_free() -> None:
    """Only the keys of a mean have no order; other reward keys in a trial's record have one."""
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
    """Return the answers that differ by a bit, or in the order of their keys."""
    assert before.keys() == after.keys()
    return {
        place: (answer, after[place])
        for place, answer in before.items()
        if canonical(answer) != canonical(after[place])
    }


def _explains(unstable: Unstable, place: tuple[str, str], before: Any, after: Any) -> bool:
    """Return whether this item explains the whole difference of two answers."""
    operation, case = OPERATIONS[place[0]], _VECTORS[place].case
    if place[0] not in unstable.operations:
        return False
    if unstable.faults:
        beyond_ascii = "\\u" in json.dumps(operation.encode(case))
        return beyond_ascii and after.get("fault", {}).get("kind") in unstable.faults
    return _are_settled_alike(place, before, after)


def _are_settled_alike(place: tuple[str, str], *sides: Any) -> bool:
    """Return whether answers are equal except for parts that the hash seed decides."""
    operation, case = OPERATIONS[place[0]], _VECTORS[place].case
    settled = (operation.settle(case, decode_answer(operation, answer)) for answer in sides)
    return len({canonical(encode_answer(answer)) for answer in settled}) == 1
