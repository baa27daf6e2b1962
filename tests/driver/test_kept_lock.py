"""lock.json of a resumed job keeps the creation data, and must have the same trials."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from parity.driver.documents.configurations import PlannedTrial
from parity.driver.documents.lock import kept_lock, lock_tree
from parity.driver.documents.resume import ResumeError
from parity.driver.settings import JobSettings
from parity.scorer.result_text import Tree, text_of
from tests.wheel_documents import same_lock

_EARLIER, _NOW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def plan(tmp_path: Path) -> list[PlannedTrial]:
    """Return a plan with two different tasks."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "task.toml").write_text(f"# {name}")
    return [PlannedTrial(tmp_path / name, None, f"{name}__1234567") for name in ("a", "b")]


@pytest.fixture
def fresh(plan: list[PlannedTrial]) -> dict[str, Tree]:
    """Return the lock of a new run."""
    return lock_tree(JobSettings("job"), plan, _NOW)


def test_a_new_job_has_a_lock_of_its_own(tmp_path: Path, fresh: dict[str, Tree]) -> None:
    """Without an earlier lock, the new lock is returned unchanged."""
    assert kept_lock(tmp_path / "lock.json", fresh) == fresh


def test_a_lock_keeps_its_start(tmp_path: Path, plan: list[PlannedTrial], fresh: dict[str, Tree]) -> None:
    """The old lock's time, command line and Harbor version are kept."""
    old = {**lock_tree(JobSettings("job"), plan, _EARLIER, invocation=["harbor"]), "harbor": {"version": "0.13.1"}}
    (tmp_path / "lock.json").write_text(text_of(old))

    kept = kept_lock(tmp_path / "lock.json", fresh)

    assert text_of(kept) == text_of(old)


def _reverse(lock: dict[str, Any]) -> None:
    lock["trials"].reverse()
    lock["retry"]["exclude_exceptions"].reverse()


def _move(lock: dict[str, Any]) -> None:
    lock["trials"][0]["task"].update(name="other", path="elsewhere", source="tasks")


def _change_task(lock: dict[str, Any]) -> None:
    lock["trials"][0]["task"]["digest"] = "sha256:" + "0" * 64


def _drop(lock: dict[str, Any]) -> None:
    lock["trials"].pop()


def _double(lock: dict[str, Any]) -> None:
    lock["trials"][0] = lock["trials"][1]


def _retry(lock: dict[str, Any]) -> None:
    lock["retry"]["max_retries"] = 7


def _agent(lock: dict[str, Any]) -> None:
    lock["trials"][1]["agent"]["name"] = "nop"


@pytest.mark.parametrize("change", [_reverse, _move, _change_task, _drop, _double, _retry, _agent])
def test_locks_are_the_same_where_harbor_says_so(
    tmp_path: Path, fresh: dict[str, Tree], change: Callable[[dict[str, Any]], None]
) -> None:
    """Two locks are equal exactly if Harbor says so: the order of trials and a task's place do not matter."""
    old = json.loads(text_of(fresh))
    change(old)
    (tmp_path / "lock.json").write_text(json.dumps(old))

    try:
        kept_lock(tmp_path / "lock.json", fresh)
        same = True
    except ResumeError:
        same = False

    assert same == same_lock(json.dumps(old), text_of(fresh))
    assert same == (change in (_reverse, _move))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "lock.json: not JSON"),
        ("{}", "lock.json: n_concurrent_trials is missing; restore it"),
        ('{"schema_version": 1, "n_concurrent_trials": 9, "retry": {}}', "n_concurrent_trials: should be 4, is 9"),
    ],
)
def test_a_strange_lock_is_refused(tmp_path: Path, fresh: dict[str, Tree], content: str, problem: str) -> None:
    """A lock that is damaged or has other trials is refused in one line."""
    (tmp_path / "lock.json").write_text(content)

    with pytest.raises(ResumeError, match=problem):
        kept_lock(tmp_path / "lock.json", fresh)
