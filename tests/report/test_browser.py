"""The page in a real browser: filters, colours, small screens, hostile text, no scripts, no requests."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from parity.judging.records import DivergenceRecord
from parity.report.comparison import side_by_side
from parity.report.html import page
from tests.report.chromium import CONTRASTS, emulate, open_page
from tests.report.samples import HOSTILE, divergence, report, with_text


def _long() -> DivergenceRecord:
    """Return a divergence with the longest texts."""
    return replace(divergence(), case_text="x" * 4000, reference="y" * 4000, summary="z" * 500, replay="w" * 500)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page of two runners, with declared and undeclared divergences."""
    bad = report("bad", "diverges", (divergence(), _long()))
    reports = [
        (Path("bad.json"), bad),
        (Path("declaring.json"), report("declaring", "declared")),
    ]
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page(side_by_side(reports)), encoding="utf-8")
    return path


def _shown(browser: webdriver.Chrome, selector: str) -> int:
    return sum(element.is_displayed() for element in browser.find_elements(By.CSS_SELECTOR, selector))


_RULES, _DIVERGENCES = "#rules tr[data-operation]", "article.divergence"


def _counts(browser: webdriver.Chrome) -> tuple[int, int]:
    return _shown(browser, _RULES), _shown(browser, _DIVERGENCES)


def test_everything_is_shown_at_first(browser: webdriver.Chrome, written: Path) -> None:
    """At first, the filters are visible, and hide nothing."""
    open_page(browser, written)

    assert _counts(browser) == (3, 3)
    assert browser.find_element(By.NAME, "shown").text == "3 rules and 3 divergences shown"


def test_the_text_filter(browser: webdriver.Chrome, written: Path) -> None:
    """The text filter searches all shown text, ignoring case, and hides empty headings."""
    open_page(browser, written)

    browser.find_element(By.NAME, "text").send_keys("JSON-Wins")

    assert _counts(browser) == (1, 0)
    assert _shown(browser, "#rules tbody") == 1


def test_the_filter_of_operations(browser: webdriver.Chrome, written: Path) -> None:
    """The filter of operations hides rules and divergences of others."""
    open_page(browser, written)

    Select(browser.find_element(By.NAME, "operation")).select_by_visible_text("read_reward")

    assert _counts(browser) == (1, 0)


def test_the_filter_of_verdicts(browser: webdriver.Chrome, written: Path) -> None:
    """The filter of verdicts shows a rule if any runner has the verdict."""
    open_page(browser, written)
    choice = Select(browser.find_element(By.NAME, "verdict"))

    choice.select_by_visible_text("declared")
    declared = _counts(browser)
    choice.select_by_visible_text("agrees")
    agreeing = _counts(browser)
    choice.select_by_visible_text("all")

    assert declared == (1, 1)
    assert agreeing == (2, 0)
    assert _counts(browser) == (3, 3)


def test_without_scripts_all_is_shown(browser: webdriver.Chrome, written: Path) -> None:
    """Without scripts, everything but the filters is shown."""
    open_page(browser, written, scripts=False)

    shown = _counts(browser), _shown(browser, "form")
    emulate(browser)

    assert shown == ((3, 3), 0)


@pytest.mark.parametrize("width", [360, 412, 1200])
def test_the_page_itself_never_scrolls_sideways(browser: webdriver.Chrome, written: Path, width: int) -> None:
    """Wide tables and long texts scroll in their own boxes, and never the page itself."""
    open_page(browser, written, width=width)

    root = browser.find_element(By.TAG_NAME, "html")
    assert root.get_property("scrollWidth") == root.get_property("clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_contrast(browser: webdriver.Chrome, written: Path, scheme: str) -> None:
    """All text has a contrast of at least 4.5 to 1, in either colour scheme."""
    open_page(browser, written, scheme=scheme)

    found = browser.execute_script(CONTRASTS)

    assert len(found) > 50
    assert [each for each in found if each[0] < 4.5] == []


def test_the_schemes_differ(browser: webdriver.Chrome, written: Path) -> None:
    """The two colour schemes have different backgrounds."""
    colours = []
    for scheme in ("light", "dark"):
        open_page(browser, written, scheme=scheme)
        colours.append(browser.execute_script("return getComputedStyle(document.documentElement).backgroundColor"))

    assert colours == ["rgb(244, 247, 249)", "rgb(12, 21, 29)"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing(browser: webdriver.Chrome, tmp_path: Path, text: str) -> None:
    """Hostile text stays text: it makes no element, runs nothing, and loads nothing."""
    path = tmp_path / "hostile.html"
    path.write_text(page(side_by_side([(Path("a.json"), with_text(text))])), encoding="utf-8")
    _log(browser, "performance")
    _log(browser, "browser")

    open_page(browser, path)

    assert browser.title.endswith("diverges from harbor 0.13.1: 1 rule differs in last bits only (harbor-parity)")
    assert browser.find_elements(By.CSS_SELECTOR, "img, iframe, object, main script, [onerror], [onmouseover]") == []
    assert _shown(browser, _DIVERGENCES) == 2
    assert _requests(browser) == {path.as_uri()}
    assert _log(browser, "browser") == []


def test_no_request_leaves_the_page(browser: webdriver.Chrome, written: Path) -> None:
    """The page makes no request besides its own file."""
    _log(browser, "performance")

    open_page(browser, written)

    assert _requests(browser) == {written.as_uri()}


def _log(browser: webdriver.Chrome, kind: str) -> list[dict[str, Any]]:
    """Return the entries that were logged since the last reading."""
    entries: list[dict[str, Any]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


def _requests(browser: webdriver.Chrome) -> set[str]:
    messages = [json.loads(entry["message"])["message"] for entry in _log(browser, "performance")]
    return {
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    }


def test_controls_have_names_and_tables_have_headers(browser: webdriver.Chrome, written: Path) -> None:
    """Every control is labelled, every row and column has a header cell, and the language is given."""
    open_page(browser, written)

    controls = browser.find_elements(By.CSS_SELECTOR, "input, select")
    assert [control.accessible_name for control in controls] == ["Search", "Operation", "Verdict"]
    assert browser.find_elements(By.CSS_SELECTOR, "table:not(:has(th[scope=col])), tbody tr:not(:has(th[scope]))") == []
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"


def test_headings_skip_no_level(browser: webdriver.Chrome, written: Path) -> None:
    """Headings skip no level."""
    open_page(browser, written)

    levels = [int(element.tag_name[1]) for element in browser.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4, h5")]

    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
