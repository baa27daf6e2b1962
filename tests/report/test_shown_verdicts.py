"""Tests that the verdicts of a report are shown as text and as Markdown."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from parity.suite.records import Report, RunnerIdentity
from parity.suite.report.verdicts import as_markdown, as_text, conformance_of, newest
from parity.suite.verdict import WRONG_SHAPE
from tests.report.samples import HOSTILE, SETTINGS, counts, edited, report, rule


def test_markdown_has_a_row_for_each_runner() -> None:
    """The Markdown has a row for each runner, then broken rules and reasons. Special characters are escaped."""
    markdown = as_markdown([report("my_runner|1", "diverges"), report("other", "declared"), report("third")])

    assert markdown == (
        "| runner | version | language | reference | verdict | declared | conforms to | asked | kit |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        r"| my\_runner\|1 | 1.4 | Go | harbor 0.13.1 | diverges: 1 rule differs in last bits only |  | files "
        "| 2026-11-24 | 0.1.0, default |\n"
        "| other | 1.4 | Go | harbor 0.13.1 | diverges as declared | 1 rule differs in last bits only "
        "| files, aggregation in part | 2026-11-24 | 0.1.0, default |\n"
        "| third | 1.4 | Go | harbor 0.13.1 | agrees |  | files, aggregation in part | 2026-11-24 | 0.1.0, default |\n"
        "\n"
        r"| rule, by my\_runner\|1 | verdict |"
        "\n| --- | --- |\n| summation/compensated | ✗ last bits |\n"
        "\n"
        "- other, to-fix: adds one by one: summation/compensated (last bits)\n"
    )


def test_column_without_any_content_is_left_out() -> None:
    """A column that no report fills is left out; a record without a version has an empty cell beside one with it."""
    plain = replace(report("plain"), runner=RunnerIdentity("plain", "p:P", None, None))
    with_version = replace(report("other"), runner=RunnerIdentity("other", "o:O", "2", None))

    assert as_markdown([plain]).startswith("| runner | reference | verdict | conforms to | asked | kit |\n")
    assert as_markdown([plain, with_version]).splitlines()[2].startswith("| plain |  | harbor 0.13.1 |")


def test_declared_rule_without_a_case_is_listed() -> None:
    """A declared rule whose case the record lacks is listed, too."""
    markdown = as_markdown([replace(report("mine", "declared"), divergences=())])

    assert "\n- mine, declared, but the record has no case of it: summation/compensated\n" in markdown


def test_untested_operations_are_one_line() -> None:
    """What is not claimed is one line, and so is what was not asked; in Markdown, runners share a line."""
    first, second, third = report().rules
    partial = replace(
        report("part"), rules=(replace(first, verdict="not-asked"), second, replace(third, verdict="not-claimed"))
    )
    unclaimed = replace(report(), rules=tuple(replace(each, verdict="not-claimed") for each in report().rules))

    assert as_text(partial).startswith("not claimed: 1 rule of aggregate\nnot asked: read_reward\n\npart ")
    assert as_text(unclaimed).startswith("not claimed: read_reward, aggregate\n\n")
    assert as_markdown([unclaimed]).endswith("|\n\nnot claimed: read\\_reward, aggregate\n")
    assert as_markdown([unclaimed, replace(unclaimed, runner=replace(unclaimed.runner, name="b"))]).endswith(
        "|\n\nnot claimed: read\\_reward, aggregate (my-runner, b)\n"
    )


def test_operation_whose_answers_have_a_wrong_shape_was_asked() -> None:
    """An operation whose answers all have the wrong shape is not listed as not asked, although its rules are not."""
    plain = report()
    first, *others = plain.operations
    operations = (replace(first, verdict=WRONG_SHAPE), *others)
    text = as_text(replace(plain, operations=operations, rules=(replace(plain.rules[0], verdict="not-asked"),)))

    assert "not asked:" not in text


def _of(name: str, spec: str, started_at: str, harbor: str = "0.13.1") -> Report:
    plain = report(name)
    return replace(
        plain,
        runner=replace(plain.runner, spec=spec),
        started_at=started_at,
        reference=replace(plain.reference, harbor=harbor),
    )


def test_newer_report_replaces_the_older_of_its_runner() -> None:
    """A newer report replaces the older one of the same runner, by their instants; no report of another runner goes."""
    older = _of("mine", "mine:A", "2026-11-24T09:30:00+01:00")
    newer = _of("mine", "mine:A", "2026-11-24T09:00:00+00:00")
    others = [
        _of("mine", "mine:B", "2026-11-20T00:00:00+00:00"),
        _of("yours", "mine:A", "2026-11-20T00:00:00+00:00"),
        _of("mine", "mine:A", "2026-11-20T00:00:00+00:00", harbor="0.26.0"),
    ]

    assert newest([newer, older, *others, newer]) == newest([older, newer, *others]) == [newer, *others]


def _with_nothing_of_the_first_operation(plain: Report) -> Report:
    return replace(_with_a_part(plain), counts=counts("aggregate"))


def _with_a_part(plain: Report) -> Report:
    return replace(plain, settings=replace(SETTINGS, complete=False))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda plain: plain, "files, aggregation in part"),
        (_with_a_part, "undecided: a part of the suite was asked (read_reward, aggregate)"),
        (_with_nothing_of_the_first_operation, "undecided: a part of the suite was asked (aggregate)"),
        (
            lambda plain: replace(plain, settings=replace(SETTINGS, golden_only=True)),
            "undecided: the wheel was not asked",
        ),
        (
            lambda plain: replace(plain, final=replace(plain.final, ended="interrupted")),
            "undecided: the run was interrupted",
        ),
    ],
)
def test_conformance_is_decided_by_whole_runs(change: Callable[[Report], Report], expected: str) -> None:
    """Conformance is decided by whole runs against the wheel; any other run names what was asked."""
    assert conformance_of(change(report())) == expected


def test_worst_rules_come_first() -> None:
    """The worst rules of an operation come first, declared or not."""
    milder = rule("aggregate/mild", "aggregate", "diverges")
    worse = replace(rule("aggregate/worse", "aggregate", "declared"), harm="pays-out")

    text = as_text(replace(report(), rules=(milder, worse)))

    assert text.startswith("aggregate/worse  ≈ pays out\naggregate/mild   ✗ last bits\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_string_is_shown_in_printable_characters(text: str) -> None:
    """A report with any text is shown in printable characters."""
    output = as_text(edited(text)) + as_markdown([edited(text), report()])

    assert all(line.isprintable() for line in output.split("\n"))
    output.encode()
