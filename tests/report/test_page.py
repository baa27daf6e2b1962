"""The page as text: no text from outside becomes markup, and all tags are closed."""

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from parity.judging.records import DeclaredReason, Report
from parity.report.comparison import alone, side_by_side
from parity.report.html import page, unfinished_page
from tests.report.samples import HOSTILE, divergence, edited, report, with_text

_VOID = {"meta", "input"}


class _Tags(HTMLParser):
    """A parser that collects every tag with its attributes, and checks that each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, tuple[str, ...]]] = []
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, tuple(name for name, _ in attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _pages() -> list[str]:
    two = [(Path("a.json"), report("a", "declared")), (Path("b.json"), report("b", "diverges"))]
    return [page(alone(report())), page(alone(report(verdict="diverges"))), page(side_by_side(two)), unfinished_page()]


@pytest.mark.parametrize("text", _pages(), ids=["agrees", "diverges", "several", "unfinished"])
def test_all_tags_are_closed_and_ids_are_unique(text: str) -> None:
    """All tags are closed, and ids are unique."""
    tags = _Tags(text)

    assert tags.open == []
    assert len(set(tags.ids)) == len(tags.ids)


def test_a_divergence_names_the_releases() -> None:
    """Those in which the broken rule holds, as `parity explain` does."""
    tags = _Tags(page(alone(report(verdict="diverges"))))

    assert tags.texts[tags.texts.index("holds in") + 1] == "0.1.45 to 0.26.0"


def test_a_page_names_the_classes() -> None:
    """The classes to which the runner conforms are named, as in the summary."""
    texts = _Tags(page(alone(report(verdict="diverges")))).texts

    assert texts[texts.index("classes") + 1] == "conforms to harbor 0.13.1: files; diverges: aggregation"


def test_a_divergence_has_lines_for_a_shell() -> None:
    """They are those of `--repro`, and can be copied."""
    text = page(alone(report(verdict="diverges")))

    assert "python3 -X utf8 - &lt;&lt;&#x27;EOF&#x27;\n" in text
    assert "Mean().compute([{&#x27;reward&#x27;: 0.1}, None])" in text


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("report_of", [with_text, edited])
def test_text_stays_text(text: str, report_of: Callable[[str], Report]) -> None:
    """With any text in a report, the page has the same elements and can be encoded."""
    plain, hostile = (_Tags(page(alone(report_of(each)))) for each in ("x", text))

    assert [tag for tag in hostile.seen if tag[0] != "ul"] == [tag for tag in plain.seen if tag[0] != "ul"]
    page(alone(report_of(text))).encode("utf-8")


def test_controls_and_surrogates_are_shown_as_escapes() -> None:
    """Control characters and surrogates are shown as escapes."""
    text = page(alone(with_text("\x00\x1b\ud800\u202e")))

    assert r"\x00\x1b\ud800\u202e" in text
    assert not {"\x00", "\x1b", "\ud800", "\u202e"} & set(text)


def _words(shown: Report) -> str:
    return " ".join(" ".join(_Tags(page(alone(shown))).texts).split())


def test_a_divergence_is_reported_whole() -> None:
    """A divergence is shown with rule, case, both answers, type, bits, distance, flags and replay command."""
    words = _words(report(verdict="diverges"))

    for expected in (
        "The sentence of summation/compensated.", "mean of [{'reward': 0.1}, None]", "{'mean': 0.6000000000000001}",
        '{"metric": "mean"', "1 ULP apart", "at ['mean']", "null-reward",
        "pytest parity/ --replay .parity/aggregate-0123456789ab.json",
    ):  # fmt: skip
        assert expected in words


def test_harm_is_reported_and_counted() -> None:
    """The harm is shown in the headline, with the divergence, and beside the rule, with the tests that found it."""
    words = _words(report(verdict="diverges"))

    assert "diverges from harbor 0.13.1: 1 rule differs in last bits only" in words
    assert "Last bits: a score differs by a billionth or less" in words
    assert "last bits 2 of 10 vectors, 1 vectors break other rules" in words
    assert "test_aggregate.py::test_golden" in words


def test_a_rule_whose_vectors_break_other_rules_is_undecided() -> None:
    """A rule whose vectors all break other rules is shown as undecided."""
    words = _words(report(verdict="undecided"))

    assert "○ undecided 3 vectors break other rules" in words


def test_bits_that_differ_are_marked() -> None:
    """Only the differing digits are marked, in hex and in binary."""
    text = page(alone(report(verdict="diverges")))

    assert "<code>3fe333333333333<mark>3</mark></code>" in text
    assert "<code>3fe333333333333<mark>4</mark></code>" in text
    assert text.count("<mark>") == 4


def test_a_declared_divergence_has_its_reason() -> None:
    """A declared divergence is shown with its class and its reason."""
    words = _words(report(divergences=(divergence(declared=DeclaredReason("to-fix", "adds one by one")),)))

    assert "Declared as to-fix: adds one by one" in words


def test_a_case_that_was_left_out_is_named() -> None:
    """A case that was too large is named with its size and the replay file."""
    words = _words(report(divergences=(replace(divergence(), case=None, case_bytes=70_000),)))

    assert "The whole case takes 70,000 bytes and is left out; it is in the replay file" in words


def test_a_runner_that_is_not_repeatable() -> None:
    """The page warns of a runner whose answers are not repeatable."""
    words = _words(report(divergences=(replace(divergence(), repeatable=False),)))

    assert "Warning: asked the same again, the runner answered differently." in words


def test_an_interrupted_run_says_so() -> None:
    """The page of an interrupted run says so."""
    cut = replace(report(), final=replace(report().final, verdict="undecided", ended="interrupted", exit=2))

    assert "The run was interrupted (exit code 2)" in _words(cut)


def test_an_incomplete_run_says_so() -> None:
    """The page of a partial run says so."""
    part = replace(report(), settings=replace(report().settings, complete=False))

    assert "Only part of the suite was run" in _words(part)
