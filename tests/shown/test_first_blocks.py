"""Tests that what a runner breaks is shown first: before rules that it only touches, and before oddities."""

from typing import Any

import pytest

from tests.shown.blocks import COMBINED, WrongRunner, combined_faults, measured, shown_rules, single_faults
from tests.shown.naive import NAIVE, Zeros
from tests.test_six_faults import SixFaults

_ODD = frozenset(
    {
        *(f"reward-file/{name}" for name in ("any-path", "any-size", "dangling-link-is-absent", "device-is-empty")),
        *(f"reward-file/{name}" for name in ("fifo-is-empty", "link-is-followed", "unsearchable-folder")),
        *(f"reward-text/{name}" for name in ("digits", "separators", "underscore", "unicode-padding")),
        *(f"reward-json/{name}" for name in ("big-integers", "digit-limit", "integer-string", "nesting")),
        "reward-json/nesting-held",
    }
)
"""Rules about what test scripts hardly ever leave."""


@pytest.mark.parametrize("operation", ["read_reward", "aggregate", "pass_at_k", "trial_reward", "trial_score"])
def test_broken_rule_is_among_the_first_two(operation: str) -> None:
    """Of nine in ten runners with one fault, the broken rule is one of the first two that are shown."""
    measurement = measured(single_faults(operation))

    assert measurement.first_two >= 0.9 * measurement.runners, measurement
    assert measurement.first >= 0.85 * measurement.runners, measurement
    assert len(measurement.unseen) <= 2, measurement.unseen


@pytest.mark.parametrize("operation", COMBINED)
def test_one_of_several_broken_rules_is_among_the_first_two(operation: str) -> None:
    """Of nine in ten runners with three to five faults, one of the broken rules is among the first two shown."""
    measurement = measured(combined_faults(operation))

    assert measurement.first_two >= 0.9 * measurement.runners, measurement
    assert measurement.first >= 0.8 * measurement.runners, measurement
    assert measurement.unseen == ()


def test_six_faults_are_shown_first() -> None:
    """The first two rules that are shown of a runner with six faults are among those that it breaks."""
    breaks = frozenset(fault.breaks for fault in SixFaults.__mro__ if hasattr(fault, "breaks"))
    operations = ("read_reward", "aggregate", "pass_at_k", "reason_code")

    measurement = measured(iter([WrongRunner("six faults", SixFaults, breaks, operations)]))

    assert (measurement.first, measurement.first_two) == (1, 1)


@pytest.mark.parametrize("naive", NAIVE)
def test_naive_reader_meets_no_oddity_first(naive: type[Any]) -> None:
    """The first two rules that are shown of a naive reader are about files that test scripts really leave."""
    shown = shown_rules(naive(), ["read_reward"])

    assert _ODD.isdisjoint(shown[:2])


def test_naive_reader_is_shown_that_json_wins() -> None:
    """A reader that takes reward.txt before reward.json is shown that rule early, and not the devices that it meets."""
    shown = shown_rules(Zeros(), ["read_reward"])

    assert "reward-file/json-wins" in shown[:2]
    assert "reward-file/device-is-empty" not in shown
