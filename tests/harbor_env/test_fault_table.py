"""The table of faults, executed: each row in both classes, by both scorings and both choices of `faults`."""

import asyncio
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env import Faults, HarborEnv, Scoring, verifying
from tests.harbor_env.fault_table import ROWS
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE

type Rolled = Callable[..., dict[str, Any]]


def _plain(agent: str, dataset: Path, sandboxes: Sandboxes, **options: Any) -> dict[str, Any]:
    env = HarborEnv(agent, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)
    return asyncio.run(env.evaluate())["state"][0]


def _for_verifiers(agent: str, dataset: Path, sandboxes: Sandboxes, **options: Any) -> dict[str, Any]:
    from tests.harbor_env.verifiers.rollouts import state_of

    return state_of(agent, dataset, docker_image=IMAGE, sandboxes=sandboxes, **options)


_CLASSES: dict[str, Rolled] = {
    "plain": _plain,
    **({"for verifiers": _for_verifiers} if importlib.util.find_spec("verifiers") else {}),
}
"""The second is there in tox's environments of verifiers."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what a release sets off in newer libraries
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("rolled", _CLASSES.values(), ids=_CLASSES)
def test_a_fault_is_the_same_in_both_classes(
    tmp_path: Path,
    local: Sandboxes,
    monkeypatch: pytest.MonkeyPatch,
    rolled: Rolled,
    name: str,
    scoring: Scoring,
    faults: Faults,
) -> None:
    """Its reward, its error by kind, and its fault."""
    row = ROWS[name]
    given = row.harbor if scoring == "harbor" else row.documented
    is_slow = row.tests.endswith("sleep 600")
    task = write_task(tmp_path / "task", tests=row.tests)
    if is_slow:
        (task / "task.toml").write_text("[verifier]\ntimeout_sec = 1\n")
        monkeypatch.setattr(verifying, "_TESTS_SECONDS", 1)

    state = rolled(row.agent, tmp_path, local, scoring=scoring, faults=faults, **row.options)

    error = given.infrastructure or (given.fault.partition(":")[0] if given.fault and faults == "error" else None)
    assert (state["reward"], _kind(state["error"]), state["fault"]) == (given.reward, error, given.fault)


def _kind(error: Any) -> str | None:
    """The name of the exception, also where it is inside one that verifiers knows."""
    return None if error is None else getattr(error, "kind", type(error).__name__)
