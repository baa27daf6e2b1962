"""Garbage collection during a run."""

import gc

from parity.pytest_plugin.garbage import RareCollection


def test_it_is_as_before_when_a_run_ends() -> None:
    """The limits, and what is looked through."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    rare = RareCollection()

    rare.begin()
    rare.leave_out_what_is_loaded()
    meanwhile = gc.get_threshold(), gc.get_freeze_count()
    rare.restore()

    assert meanwhile[0][0] > before[0]
    assert meanwhile[1] > frozen
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_it_is_not_touched_without_a_run() -> None:
    """Nothing was begun, so nothing is restored."""
    before = gc.get_threshold()

    RareCollection().restore()

    assert gc.get_threshold() == before
