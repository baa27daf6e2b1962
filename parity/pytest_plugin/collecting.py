"""Which tests of the suite a run collects: in which order, and whether all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from parity.pytest_plugin.asked import PACKAGE

if TYPE_CHECKING:
    from parity.pytest_plugin.session import Session

SUITE = PACKAGE / "operations"
"""Where the tests of the suite are."""


def rank(item: pytest.Item) -> int:
    """What comes first: the reference's own checks, then the witnesses, so that a draft knows which of them stay."""
    return 0 if item.get_closest_marker("smoke") else 1 if item.get_closest_marker("declared") else 2


def draws(item: pytest.Item) -> bool:
    """Whether a test draws cases."""
    return hasattr(getattr(item, "obj", None), "default_cases")


def is_complete(selected: list[pytest.Item], collected: list[pytest.Item], shards: int) -> bool:
    """Whether every test that draws cases was selected.

    Args:
        selected: the items that run.
        collected: the items that were found, before any was left out.
        shards: into how many items a test that draws cases is split.
    """
    modules = {item.path: item.module for item in collected if isinstance(item, pytest.Function)}
    if not modules.keys() >= set(SUITE.glob("**/test_*.py")):
        return False
    drawing = [each for module in modules.values() for each in vars(module).values() if hasattr(each, "default_cases")]
    return sum(map(draws, selected)) == len(drawing) * shards


def verify_goldens(session: Session, items: list[pytest.Item]) -> None:
    """Ask the wheel for every golden vector again where a run is about nothing else, unless it is a quick one."""
    checker = session.checker
    if session.profile.name != "quick" and checker.goldens_count and not any(map(draws, items)):
        checker.verifies_goldens = not session.golden_only
