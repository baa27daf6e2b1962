"""Which tests a run collects: whether the suite is among them, in which order, and whether all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

_PACKAGE = Path(__file__).resolve().parents[1]
SUITE = _PACKAGE / "operations"
"""Where the tests of the suite are."""


def _targets(config: pytest.Config) -> Iterator[Path]:
    """What the command line names, as paths."""
    for argument in config.args:
        name = str(argument).split("::")[0]
        if config.option.pyargs and name.split(".")[0] == "parity":
            yield _PACKAGE.joinpath(*name.split(".")[1:])
        else:
            yield (config.invocation_params.dir / name).resolve()


def collects_suite(config: pytest.Config) -> bool:
    """Whether the command line names the suite, a part of it, or the checkout that holds it."""
    checkout = _PACKAGE.parent
    is_checkout = (checkout / "golden" / "README.md").is_file()
    return any(is_in(path, _PACKAGE) or (path == checkout and is_checkout) for path in _targets(config))


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


def is_in(path: Path, folder: Path) -> bool:
    """Whether a path is this folder, or below it."""
    return path == folder or folder in path.parents
