"""Tests of the HTML page about one or several reports."""

import re
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

import pytest

from parity.operations.read_reward import READ_REWARD, only_text
from parity.scorer.printable import printable
from parity.suite.harm import Harm
from parity.suite.records import DeclaredReason, Report
from parity.suite.report.page import age, page_of
from tests.report.samples import HOSTILE, SETTINGS, divergence, edited, operation, report, rule

_NOW = datetime.fromisoformat("2026-11-27T10:00:00+00:00")


class _Parsed(HTMLParser):
    """The tags of a page, with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


def _text(*reports: Report) -> str:
    """Return the text of the page of these reports, with single spaces."""
    return " ".join(_Parsed(page_of(reports, _NOW)).text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_string_is_escaped(text: str) -> None:
    """Hostile text adds no tag and no attribute, and is shown in printable characters."""
    page = page_of([edited(text)], _NOW)

    assert _Parsed(page).tags == _Parsed(page_of([edited("plain")], _NOW)).tags
    assert printable(text) in _Parsed(page).text
    assert all(line.isprintable() for line in page.split("\n"))
    page.encode()


def test_page_loads_no_other_file() -> None:
    """A page has no script, loads no other file, and has no links."""
    tags = _Parsed(page_of([report("mine", "diverges")], _NOW)).tags

    assert {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "a"} == set()
    assert {name for _, attributes in tags for name, _ in attributes} == {
        "lang", "charset", "name", "content", "class", "scope",
    }  # fmt: skip


def test_reports_are_side_by_side() -> None:
    """Each report has a column; runners with the same name are numbered."""
    page = page_of([report("mine"), report("mine", "diverges")], _NOW)

    (row,) = re.findall(r'<tr><th scope="row">aggregate</th>\n(.*?)\n</tr>', page, re.DOTALL)
    assert '<th scope="col">mine (1)</th><th scope="col">mine (2)</th>' in page
    assert row == "<td>✓ agrees</td>\n<td>✗ diverges: 1 rule differs in last bits only</td>"


def test_worst_harm_comes_first() -> None:
    """Broken rules are ordered by their worst harm in any report; for each rule, each report's worst case is shown."""

    def broken(name: str, *harms: tuple[str, Harm]) -> Report:
        slugs = dict(harms)
        cases = tuple(replace(divergence(slug), harm=harm, case_text=f"{name} {harm}") for slug, harm in harms)
        rules = (replace(rule(slug, "aggregate", "diverges"), harm=slugs.get(slug)) for slug in ("a/a", "b/b"))
        kept = tuple(each if each.harm else replace(each, verdict="agrees") for each in rules)
        return replace(report(name), rules=kept, divergences=cases)

    page = page_of([broken("one", ("a/a", "form")), broken("two", ("a/a", "form"), ("b/b", "pays-out"))], _NOW)

    headings = re.findall(r"<h[34]>(.*?)</h", page)
    assert headings == ["b/b: pays out", "two: pays out", "a/a: form", "one: form", "two: form"]
    assert page.index("two pays-out") < page.index("one form") < page.index("two form")


def test_case_is_shown_with_both_answers() -> None:
    """A broken rule is shown with its case, the expected and the actual answer, the bits, and the replay command."""
    text = _text(report("mine", "diverges"))

    assert (
        "case mean of [{'reward': 0.1}, None] expected (harbor) {'mean': 0.6} actual {'mean': 0.6000000000000001} "
        "difference another number at ['mean'], 1 ULP apart; bits 3fe3333333333333, not 3fe3333333333334 "
        "replay pytest parity/ --replay .parity/aggregate-0123456789ab.json"
    ) in text
    assert "Declared divergences" not in text


def test_declared_divergences_are_shown_with_their_reasons() -> None:
    """Declared divergences are not listed as broken rules, and are shown with their class and reason."""
    text = _text(report("mine", "declared"))

    _, broken, declared = re.split("Broken rules|Declared divergences", text)
    assert broken.strip() == "None."
    assert "declared to-fix: adds one by one" in declared


def test_report_of_golden_vectors_alone_conforms_to_nothing() -> None:
    """A run of golden vectors alone shows no conformance: the page states what was compared, and what would decide."""
    text = _text(replace(report("mine"), settings=replace(SETTINGS, golden_only=True)))

    assert "mine agrees with 112 recorded answers of harbor 0.13.1; the wheel and generated cases decide." in text
    assert "conforms to undecided: the wheel was not asked" in text


def test_report_of_a_whole_run_lists_its_classes() -> None:
    """The report of a whole run lists the classes to which the runner conforms; the report of a part does not."""
    part = replace(SETTINGS, complete=False)

    assert "conforms to files, aggregation in part Broken" in _text(report("mine"))
    assert "conforms to undecided: a part of the suite was asked (read_reward, aggregate) Broken" in _text(
        replace(report(), settings=part)
    )


def test_operations_without_an_answer_are_one_line() -> None:
    """Operations that were answered in no run are one line, and not a row each."""
    mine = report("mine")
    idle = (*mine.operations, operation("pass_at_k", "not claimed"), operation("outcome", "not asked"))

    text = _text(replace(mine, operations=idle), report("other"))
    beside = _text(replace(mine, operations=idle), replace(report("other"), operations=(operation("outcome"),)))

    assert "Not claimed, or not asked: pass_at_k, outcome." in text
    assert "Not claimed, or not asked: pass_at_k. " in beside
    assert "outcome · not asked ✓ agrees" in beside


@pytest.mark.parametrize(
    ("started_at", "expected"),
    [
        ("2026-11-27T10:00:00+00:00", "new"),
        ("2026-11-27T11:00:00+00:00", "new"),
        ("2026-11-27T10:59:00+01:00", "1 minute old"),
        ("2026-11-27T10:00:00+03:00", "3 hours old"),
        ("2026-11-24T09:30:00+01:00", "3 days old"),
    ],
)
def test_report_is_shown_with_its_age(started_at: str, expected: str) -> None:
    """The age of a report is shown in the largest unit that fits, whatever the time zones."""
    assert age(started_at, _NOW) == expected
    assert f"Run at {started_at}, {expected}:" in _text(replace(report(), started_at=started_at))


def test_reward_files_are_shown_as_bash_commands() -> None:
    """A case of `read_reward` is shown with the commands that make its files, unless the report leaves out the case."""
    case = READ_REWARD.encode(only_text(b"1 % 'point'\n"))
    record = replace(divergence(), operation="read_reward", case=case, declared=DeclaredReason("by-design", "we do"))

    page = page_of([report(divergences=(record,))], _NOW)
    left_out = page_of([report(divergences=(replace(record, case=None),))], _NOW)

    written = r"printf &#39;1 %% \047point\047\012&#39; &gt; verifier/reward.txt"
    assert f"<pre>\nmkdir verifier\n{written}\n</pre>" in page
    assert "<pre>" not in left_out


def test_long_case_is_shortened() -> None:
    """A long case has a few lines, with what differs of both answers, and no commands that make its files."""
    texts = ["1" * 3000 + "x", "1" * 3000 + "y"]
    case = READ_REWARD.encode(only_text(b"12345" * 500))
    record = replace(
        divergence(), operation="read_reward", case=case, case_text="2" * 3000, reference=texts[0], runner=texts[1]
    )

    page = page_of([report(verdict="diverges", divergences=(record,))], _NOW)

    assert all(f"1{end}</code>" in page for end in "xy")
    assert max(map(len, page.splitlines())) < 1000
    assert "<pre>" not in page
