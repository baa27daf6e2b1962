"""The suite finds a runner that changes its input.

`tests/self_noise` shows in the main job that Harbor only reads its input.
"""

from pathlib import Path
from typing import Any

import pytest

from parity.judging.checking import Checker
from parity.judging.declared.declaration import answer_json, stands
from parity.judging.difference_kind import kind_of
from parity.judging.divergence import Divergence, describe, first_line
from parity.operations import OPERATIONS
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Fault, Value
from parity.operations.compare import compare_answers
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.operation import Operation
from parity.operations.read_reward import READ_REWARD, RewardFolder, only_json
from parity.operations.vectors import VECTORS
from parity.reference import open_reference
from parity.runners import CleanRoom
from parity.runners.asking import Clock, ask_watched
from parity.runners.pipe import PipeRunner
from tests.running import PYTHON

_REFERENCE = open_reference().authorities
_CLOCK = Clock(10)
_REWARDS = AggregateCase("mean", ({"b": 1, "a": 0.5}, {"b": 0}, None))
_BOTH = RewardFolder(FileState("file", b'{"a": 1}'), FileState("link", b"0.5"))


class _Does(CleanRoom):
    """A runner that does something to its arguments before it answers."""

    def __init__(self, deed: Any) -> None:
        super().__init__()
        self._deed = deed

    def read_reward(self, directory: Path) -> Any:
        self._deed(directory)
        return {}

    def aggregate(self, metric: str, rewards: Any) -> Any:
        self._deed(rewards)
        return {}


def _changed(operation: Operation[Any], case: Any, deed: Any) -> str:
    with operation.arguments(case) as arguments:
        answer = ask_watched(_Does(deed), operation, arguments, _CLOCK)
    assert isinstance(answer, Value)
    return answer.changed


@pytest.mark.parametrize(
    ("deed", "shown"),
    [
        (lambda folder: (folder / "reward.json").unlink(), "verifier/reward.json is gone"),
        (lambda folder: (folder / "reward.json").write_bytes(b'{"a": 2}'), "verifier/reward.json is changed"),
        (lambda folder: (folder / "reward.json").chmod(0o600), "verifier/reward.json is changed"),
        (lambda folder: (folder / "reward.txt").write_bytes(b"0.6"), "elsewhere-reward.txt is changed"),
        (lambda folder: (folder / "note").touch(), "verifier/note is new"),
        (lambda folder: (folder.parent / "note").touch(), "note is new"),
        (lambda folder: folder.rename(folder.with_name("v")), "v is new, v/reward.json is new, v/reward.txt is new"),
        (lambda folder: (folder / "reward.json").read_bytes(), ""),
        (lambda folder: ((folder / "note").touch(), (folder / "note").unlink()), ""),
    ],
    ids=["deleted", "rewritten", "mode", "through-a-link", "new", "new-beside", "renamed", "read", "for-a-while"],
)
def test_changes_of_files(deed: Any, shown: str) -> None:
    """Missing, new and changed files are named, links and files around the folder included."""
    assert shown in _changed(READ_REWARD, _BOTH, deed)
    assert bool(shown) == bool(_changed(READ_REWARD, _BOTH, deed))


@pytest.mark.parametrize(
    ("kind", "deed", "shown"),
    [
        ("absent", Path.mkdir, "verifier is new"),
        ("file", lambda folder: folder.write_bytes(b"1"), "verifier is changed"),
        ("unsearchable", lambda folder: folder.chmod(0o755), "verifier is changed, verifier/reward.txt is new"),
    ],
)
def test_a_folder_that_is_none(kind: Any, deed: Any, shown: str) -> None:
    """A change of anything in the folder's place is found."""
    case = RewardFolder(ABSENT, FileState("file", b"1"), kind)

    kept, changed = _changed(READ_REWARD, case, lambda folder: None), _changed(READ_REWARD, case, deed)

    assert not kept
    assert changed == shown


@pytest.mark.parametrize(
    ("deed", "shown"),
    [
        (lambda rewards: rewards.pop(), "its arguments are changed at ['rewards']"),
        (lambda rewards: rewards.reverse(), "its arguments are changed at ['rewards'][0]"),
        (lambda rewards: rewards[0].update(b=1.0), "its arguments are changed at ['rewards'][0]['b']"),
        (lambda rewards: rewards[0].update(b=rewards[0].pop("b")), "its arguments are changed at ['rewards'][0]"),
        (lambda rewards: rewards.append(rewards), "its arguments no longer make a valid question"),
        (lambda rewards: rewards.append(lambda: 0), "its arguments no longer make a valid question"),
        (lambda rewards: sorted(map(str, rewards)), ""),
    ],
    ids=["popped", "reversed", "type", "order-of-keys", "endless", "function", "read"],
)
def test_changes_of_arguments(deed: Any, shown: str) -> None:
    """A change of an argument's values, types or order of keys is found, and the place is named."""
    assert _changed(AGGREGATE, _REWARDS, deed) == shown


def test_a_play_that_is_changed_changes_no_other() -> None:
    """Each call gets its own copy of a scenario."""
    for name in ("run_trial", "run_job", "harbor_env"):
        operation, case = OPERATIONS[name], VECTORS[name][0].case

        with operation.arguments(case) as (scenario,):
            assert scenario == case
            assert scenario is not case


def test_files_are_watched_over_a_pipe_too() -> None:
    """A program's changes of files are found; its arguments are copies."""
    runner: Any = PipeRunner(f"{PYTHON} -m parity serve tests.faulty.unruly:Litters")
    try:
        checker = Checker(_REFERENCE, runner, _CLOCK)
        files, arguments = checker.diverges(READ_REWARD, _BOTH), checker.diverges(AGGREGATE, _REWARDS)
    finally:
        runner.close()

    assert files
    assert files.rule.slug == "read-reward/leaves-its-input-alone"
    assert arguments is None


def test_another_answer_comes_first() -> None:
    """If the answers differ and the input was changed, the difference of the answers is reported."""
    agreed = compare_answers(Value({"a": 1}), Value({"a": 1}, "x is gone"))
    differing = compare_answers(Value({"a": 1}), Value({"a": 2}, "x is gone"))
    raised = compare_answers(Fault("ValueError"), Fault("ValueError", "", "x is gone"))

    assert agreed
    assert differing
    assert raised
    assert [each.aspect for each in (agreed, differing, raised)] == ["input", "value", "input"]
    assert compare_answers(Value(1, "x is gone"), Value(1, "y is gone")) is None


def test_it_is_reported() -> None:
    """The report of a changed input has its own rule, both answers, and the change."""
    checker = Checker(_REFERENCE, _Deletes(), _CLOCK)

    divergence = checker.diverges(READ_REWARD, only_json(b'{"reward": true}'))

    assert isinstance(divergence, Divergence)
    shown = dict(describe(divergence, "none"))
    assert divergence.rule.slug == "read-reward/leaves-its-input-alone"
    assert kind_of(divergence.reference, divergence.runner, divergence.difference) == "changed-input"
    assert first_line(divergence) == "the same answer, but what was given is changed: verifier/reward.json is gone"
    assert shown["deletes"] == "{'reward': 1.0}; what it was given is changed: verifier/reward.json is gone"


class _Deletes(CleanRoom):
    """A runner that deletes reward.json after reading it."""

    name = "deletes"

    def read_reward(self, directory: Path) -> Any:
        rewards = super().read_reward(directory)
        (directory / "reward.json").unlink()
        return rewards


def test_it_hides_no_other_fault() -> None:
    """A runner that always changes its input is still reported for wrong answers."""

    class DeletesAndErrs(_Deletes):
        def read_reward(self, directory: Path) -> Any:
            return {key: int(value) for key, value in super().read_reward(directory).items()}

    checker = Checker(_REFERENCE, DeletesAndErrs(), _CLOCK)

    divergence = checker.diverges(READ_REWARD, only_json(b'{"reward": true}'))

    assert divergence
    assert divergence.rule.slug == "reward-json/float"
    assert divergence.difference.aspect == "type"


def test_it_can_be_declared() -> None:
    """A declared answer with a change of the input covers only answers with a change."""
    answer, case = Value({"mean": 1.0}, "its arguments are changed"), AggregateCase("mean", ({"a": 1.0},))
    declared = answer_json(AGGREGATE, answer)

    assert stands(AGGREGATE, case, declared, answer)
    assert not stands(AGGREGATE, case, declared, Value({"mean": 1.0}))
    assert not stands(AGGREGATE, case, answer_json(AGGREGATE, Value({"mean": 1.0})), answer)
