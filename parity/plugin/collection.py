"""The tests of the suite that a run collects: their order, and whether all of them are collected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from parity.plugin.command_line import PACKAGE
from parity.reference.releases import HARBOR_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from parity.reference import Reference, SeparateReference

SUITE = PACKAGE / "operations"
"""The directory of the suite's tests."""


def is_left_out(path: Path, *, replaying: bool) -> bool:
    """Return whether pytest can leave out a path, so that it does not look at each of the kit's files.

    Args:
        path: a file or a directory.
        replaying: whether the run asks only cases of replay files.
    """
    if path.parent == PACKAGE:
        return path != SUITE
    tests = path.name.startswith("test_") and not replaying
    return path.parent.parent == SUITE and not tests


def rank(item: pytest.Item) -> int:
    """Return a sort key: checks of the reference first.

    Tests that import `datasets` come last, because that package adds a hook on every opened file, and a source of
    random numbers whose state Hypothesis saves around every case.
    """
    if item.get_closest_marker("smoke"):
        return 0
    marker = item.get_closest_marker("operation")
    return 2 if marker and marker.args[0] == "harbor_env" else 1


def draws(item: pytest.Item) -> bool:
    """Return whether a test generates cases."""
    return hasattr(getattr(item, "obj", None), "default_cases")


def shard_of(item: pytest.Item) -> int:
    """Return the number, from 0, of a part of a split test; 0 if the test is not split."""
    number: int = getattr(getattr(item, "callspec", None), "params", {}).get("shard", 0)
    return number


@dataclass(frozen=True)
class Selection:
    """The tests of the suite that a run selects, and those that generate cases and are left out."""

    tests: tuple[str, ...] = ()
    left_out: tuple[str, ...] | None = None
    """The tests that generate cases and were not selected; None if the run did not collect the whole suite."""

    @property
    def complete(self) -> bool:
        """Whether every test that generates cases is selected."""
        return self.left_out == ()


def name_of(item: pytest.Item) -> str:
    """Return the name of a test in records: its file and its own name."""
    return name_of_id(item.nodeid)


def name_of_id(nodeid: str) -> str:
    """Return the name of the test with this node id; see `name_of`."""
    path, _, name = nodeid.partition("::")
    return f"{path.rpartition('/')[2]}::{name}"


def select(selected: list[pytest.Item], collected: list[pytest.Item], shards: int) -> Selection:
    """Return the selection of a run.

    Args:
        selected: the items that run.
        collected: all items that were found, including those not selected.
        shards: the number of items into which a test that generates cases is split.
    """
    tests = {name_of(item) for item in selected if item in collected}
    left_out = {name_of(item) for item in collected if draws(item)} - tests
    whole = _is_whole(collected, shards)
    return Selection(tuple(sorted(tests)), tuple(sorted(left_out)) if whole else None)


def _is_whole(collected: list[pytest.Item], shards: int) -> bool:
    """Return whether every test that generates cases was collected."""
    modules = {item.path: item.module for item in collected if isinstance(item, pytest.Function)}
    if not modules.keys() >= set(SUITE.glob("**/test_*.py")):
        return False
    drawing = [each for module in modules.values() for each in vars(module).values() if hasattr(each, "default_cases")]
    return sum(map(draws, collected)) == len(drawing) * shards


def verifies_goldens(options: Any, reference: Reference | SeparateReference | None, *, drawing: bool) -> bool:
    """Return whether Harbor is asked all golden vectors again, and not only those that the runner answers differently.

    Args:
        options: the options of the command line.
        reference: the reference; None for the golden files.
        drawing: whether the run generates cases, too; a run of golden vectors alone verifies them, unless it is quick.
    """
    if reference is None or reference.identity.harbor != HARBOR_VERSION:
        return False
    if options.parity_report or reference.unpinned or options.parity_profile == "thorough":
        return True
    return options.parity_profile != "quick" and not (drawing and reference.is_as_recorded)
