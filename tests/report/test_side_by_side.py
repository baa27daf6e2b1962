"""Several reports side by side: the matrix as text, and notes on differences."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from parity.judging.records import Report, RuleRecord
from parity.report.badge import badge
from parity.report.comparison import alone, side_by_side
from parity.report.matrix import markdown_matrix, text_matrix
from tests.report.samples import HOSTILE, REFERENCE, SETTINGS, edited, report, rule, with_text

_SVG = "{http://www.w3.org/2000/svg}"


def _two(first: Report, second: Report) -> list[tuple[Path, Report]]:
    return [(Path("a/first.json"), first), (Path("b/second.json"), second)]


def test_the_matrix_has_the_rules_that_do_not_agree() -> None:
    """The matrix has the rules that do not agree, a column for each runner, and a line that sums up each."""
    reports = _two(report("good"), report("bad", "diverges"))

    shown = text_matrix(side_by_side(reports))

    assert shown == (
        "rule                     good      bad\n"
        "aggregate\n"
        "  summation/compensated  ✓ agrees  ✗ last bits\n"
        "\n"
        "good agrees with harbor 0.13.1 (3 rules: agrees 3)\n"
        "bad diverges from harbor 0.13.1: 1 rule differs in last bits only (3 rules: agrees 2, diverges 1)\n"
    )


def test_the_matrix_in_markdown() -> None:
    """The matrix in Markdown has the same rows and a list, with Markdown's characters escaped."""
    shown = markdown_matrix(side_by_side(_two(report("my_runner|1", "diverges"), report("good"))))

    assert shown.splitlines()[:5] == [
        r"| rule | my\_runner\|1 | good |",
        "| --- | --- | --- |",
        "| aggregate |  |  |",
        "| summation/compensated | ✗ last bits | ✓ agrees |",
        "",
    ]
    assert shown.splitlines()[5].startswith(r"- my\_runner\|1 diverges from harbor 0.13.1: ")


def test_the_matrix_of_a_runner_that_agrees_is_a_line() -> None:
    """The matrix of a runner that agrees is one line, unless all rules are asked for."""
    one = alone(report("good"))

    assert text_matrix(one) == "good agrees with harbor 0.13.1 (3 rules: agrees 3)\n"
    assert "reward-file/json-wins" in text_matrix(one, every_rule=True)


def test_an_operation_of_which_nothing_was_asked_is_a_line() -> None:
    """An operation that was not asked takes one line, unless all rules are asked for."""
    rules = tuple(replace(each, verdict="not-asked") for each in report().rules[:1])
    partial = alone(replace(report("part"), rules=(*rules, *report().rules[1:])))

    assert text_matrix(partial).splitlines()[:2] == ["rule         part", "read_reward  · not asked"]
    assert "  reward-file/json-wins   · not asked\n" in text_matrix(partial, every_rule=True)


def test_many_runners_are_numbered() -> None:
    """Many runners are numbered, and the lines below name them."""
    reports = [(Path(f"{number}.json"), report(f"runner-{number}", "declared")) for number in range(1, 13)]

    shown = text_matrix(side_by_side(reports))

    assert "[12]" in shown.splitlines()[0]
    assert "[12] runner-12 diverges from harbor 0.13.1 only as declared" in shown


def test_equal_names_are_distinguished_by_the_file() -> None:
    """Reports with equal names are distinguished by the file's name, or by its path."""
    names = [column.name for column in side_by_side(_two(report("same"), report("same"))).columns]
    paths = [Path("a/report.json"), Path("b/report.json")]
    same_files = [column.name for column in side_by_side([(path, report("same")) for path in paths]).columns]

    assert names == ["same (first.json)", "same (second.json)"]
    assert same_files == ["same (a/report.json)", "same (b/report.json)"]


def test_equal_files_are_numbered() -> None:
    """Equal files are numbered, so that no two columns have the same name."""
    runners = ["same", "same", "same (a.json)", "same (a.json) [2]"]
    paths = [Path("a.json"), Path("a.json"), Path("b.json"), Path("c.json")]

    comparison = side_by_side([(path, report(name)) for path, name in zip(paths, runners, strict=True)])

    names = [column.name for column in comparison.columns]
    assert names[:2] == ["same (a.json)", "same (a.json) [2]"]
    assert len(set(names)) == len(names)


def test_long_names_are_cut() -> None:
    """Long names are cut in the matrix and in notes, and columns with equal heads are numbered."""
    parts = [replace(report("x" * 100_000), settings=replace(SETTINGS, complete=False)) for _ in range(2)]

    shown = text_matrix(side_by_side(_two(*parts)), every_rule=True)

    assert "[2] xxx" in shown
    assert "note: The run of xxx" in shown
    assert "(second.json)" in shown
    assert max(map(len, shown.splitlines())) < 400


@pytest.mark.parametrize(
    ("other", "note"),
    [
        (replace(report("b"), kit="0.2.0"), "different versions of harbor-parity"),
        (replace(report("b"), reference=replace(REFERENCE, harbor="0.14.0")), "different versions of harbor"),
        (replace(report("b"), reference=replace(REFERENCE, wheel="cd" * 32)), "different wheels of harbor"),
        (replace(report("b"), reference=replace(REFERENCE, series="3.14")), "different interpreter series"),
        (replace(report("b"), rules=report().rules[1:]), "different sets of rules: 1 of them"),
        (replace(report("b"), settings=replace(SETTINGS, complete=False)), "The run of b asked only part"),
        (replace(report("b"), final=replace(report().final, ended="interrupted")), "The run of b was interrupted"),
    ],
)
def test_what_cannot_be_compared_is_noted(other: Report, note: str) -> None:
    """Reports of different references, kits, rules or settings get a note."""
    comparison = side_by_side(_two(report("a"), other))

    assert len(comparison.notes) == 1
    assert note in comparison.notes[0]
    assert f"note: {comparison.notes[0]}" in text_matrix(comparison)


def test_reports_that_are_alike_have_no_notes() -> None:
    """Reports that differ only in verdicts get no note."""
    assert side_by_side(_two(report("a"), report("b", "diverges"))).notes == ()


def test_a_rule_that_one_report_does_not_know() -> None:
    """A rule that one report lacks is listed with its operation, and is unknown in that report's column."""
    other = replace(report("b"), rules=(*report().rules, rule("reward-file/new", "read_reward")))
    comparison = side_by_side(_two(report("a"), other))

    assert [row.rule.slug for row in comparison.rows_of("read_reward")] == ["reward-file/json-wins", "reward-file/new"]
    assert comparison.rows_of("read_reward")[1].verdicts == (None, "agrees")
    assert "? unknown rule" in text_matrix(comparison)


def test_the_worst_rules_come_first() -> None:
    """The worst rules of an operation come first, by the worst harm of any runner, declared or not."""
    slugs = ["aggregate/null-is-zero", "summation/compensated"]
    mild = rule("aggregate/null-is-zero", "aggregate", "diverges")
    grave: RuleRecord = replace(rule("summation/compensated", "aggregate", "declared"), harm="pays-out")
    plain = report("plain")
    other = replace(report("other", "diverges"), rules=(plain.rules[0], mild, grave))

    comparison = side_by_side(_two(plain, other))

    assert [row.rule.slug for row in comparison.rows_of("aggregate")] == slugs[::-1]
    assert "≈ pays out" in text_matrix(comparison)
    assert "✗ last bits" in text_matrix(comparison)


def test_an_operation_that_is_not_claimed() -> None:
    """An operation that is not claimed is shown as such, not as 0."""
    unclaimed = replace(report(), rules=tuple(replace(each, verdict="not-claimed") for each in report().rules))

    assert "– not claimed" in text_matrix(alone(unclaimed))


@pytest.mark.parametrize("text", HOSTILE)
def test_badges_hold_any_text(text: str) -> None:
    """A badge with any text is XML without elements from the text."""
    for drawn in (badge(with_text(text)), badge(edited(text))):
        root = ElementTree.fromstring(drawn.encode("utf-8"))

        assert {element.tag.removeprefix(_SVG) for element in root.iter()} <= {"svg", "title", "rect", "g", "text"}


@pytest.mark.parametrize("text", HOSTILE)
def test_the_matrix_holds_any_text(text: str) -> None:
    """The matrix with any text has only printable characters."""
    shown = text_matrix(side_by_side(_two(report("good"), edited(text))), every_rule=True)

    assert all(line.isprintable() for line in shown.split("\n"))
    shown.encode()


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (report(), "my-runner 1.4: agrees; conforms: files"),
        (report(verdict="diverges"), "my-runner 1.4: 1 rule differs in last bits only; conforms: files"),
        (report(verdict="declared"), "my-runner 1.4: 1 declared, 1 rule differs in last bits only; conforms: files"),
        (replace(report(), settings=replace(SETTINGS, complete=False)), "my-runner 1.4: agrees, in part"),
        (replace(report(), final=replace(report().final, verdict="undecided")), "my-runner 1.4: undecided"),
    ],
)
def test_a_badge_shows_the_verdict(shown: Report, expected: str) -> None:
    """A badge shows Harbor's version, the runner with its version, and the verdict."""
    root = ElementTree.fromstring(badge(shown))

    assert [element.text for element in root.iter(f"{_SVG}text")] == ["harbor 0.13.1", expected]
