"""Rollouts on local sandboxes under the event loop of `vf-eval` and of trainers, as root and as another user."""

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import parity.harbor_env
from tests.harbor_env.verifiers.places import BUNDLED, NAMES, SOLVE
from tests.harbor_env.verifiers.rollouts import foreign_warnings

pytestmark = foreign_warnings

uvloop: Any = import_module("uvloop")  # which verifiers installs

_LOOPS: list[Callable[[Any], Any]] = [asyncio.run, uvloop.run]


@pytest.mark.parametrize("run", _LOOPS)
def test_rollouts_are_the_same_in_every_loop(run: Callable[[Any], Any]) -> None:
    """On a bare machine, the bundled tasks get the same rewards in every event loop."""
    environment = parity.harbor_env.HarborEnv(SOLVE, BUNDLED, tasks=NAMES)

    results = run(environment.evaluate())

    assert [state["error"] for state in results["state"]] == [None] * len(NAMES)
    assert dict(zip(NAMES, results["reward"], strict=True)) == {
        "bad-json": 0.0,
        "both-files": 1.0,
        "failing-test-script": 0.25,
        "no-reward": 0.0,
        "reward-txt": 1.0,
        "several-keys": 0.0,
        "wrong-value": 0.0,
    }
