"""Tests that the verdicts of a report are shown as text and as Markdown."""

from dataclasses import replace

import pytest

from parity.suite.report.verdicts import as_markdown, as_text
from tests.report.samples import HOSTILE, edited, report, rule


def test_markdown_has_a_table_and_a_line() -> None:
    """The Markdown has a table of the rules that do not agree, and a line. Special characters are escaped."""
    table, line = as_markdown(report("my_runner|1", "diverges")).split("\n\n")

    assert table == "| rule | verdict |\n| --- | --- |\n| summation/compensated | ✗ last bits |"
    assert line.startswith(r"my\_runner\|1 diverges from harbor 0.13.1: ")


def test_operation_that_was_not_tested_gets_one_line() -> None:
    """An operation that was not tested, or is not claimed, gets one line."""
    first, *others = report().rules
    partial = replace(report("part"), rules=(replace(first, verdict="not-asked"), *others))
    unclaimed = replace(report(), rules=tuple(replace(each, verdict="not-claimed") for each in report().rules))

    assert as_text(partial).startswith("read_reward  · not asked\n\npart ")
    assert as_text(unclaimed).startswith("read_reward  – not claimed\naggregate    – not claimed\n\n")


def test_worst_rules_come_first() -> None:
    """The worst rules of an operation come first, declared or not."""
    milder = rule("aggregate/mild", "aggregate", "diverges")
    worse = replace(rule("aggregate/worse", "aggregate", "declared"), harm="pays-out")

    shown = as_text(replace(report(), rules=(milder, worse)))

    assert shown.startswith("aggregate/worse  ≈ pays out\naggregate/mild   ✗ last bits\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_string_is_shown_in_printable_characters(text: str) -> None:
    """A report with any text is shown in printable characters."""
    shown = as_text(edited(text)) + as_markdown(edited(text))

    assert all(line.isprintable() for line in shown.split("\n"))
    shown.encode()
