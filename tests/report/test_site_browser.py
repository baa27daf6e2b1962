"""The site in a real browser, on small and large screens, light and dark."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from parity.judging.harm import HARMS
from parity.report.html import INDEX, site
from tests.report.chromium import CONTRASTS, emulate, open_page
from tests.report.samples import report, rule

_AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"

_CUT = """
const boxes = [...document.querySelectorAll("a, b, code, span, th, td, h1, h2, label, output, p, li")]
  .filter((each) => each.checkVisibility() && !each.closest(".unseen") && each.textContent.trim());
const inScroll = (each) => each.parentElement.closest(".scroll, pre");
const cut = boxes.filter((each) => !inScroll(each) && each.getBoundingClientRect().right > innerWidth + 1);
const cells = [...document.querySelectorAll("td, tbody th")].filter((each) => each.scrollWidth > each.clientWidth + 1);
return [...cut, ...cells].map((each) => each.outerHTML.slice(0, 120));
"""
"""Returns the elements that reach beyond the screen, or beyond their own cell."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site of ten runners. One runner has a long name."""
    reports = []
    for number in range(10):
        name = "a-runner-with-a-very-long-name-of-one-word-0.1.2.post3" if number == 3 else f"runner {number}"
        bad = report(name, "diverges")
        harm = [*HARMS][number % len(HARMS)]
        shown = replace(bad, rules=tuple(replace(each, harm=harm if each.harm else None) for each in bad.rules))
        reports.append((Path(f"{number}.json"), shown))
    made = tmp_path_factory.mktemp("site")
    for file, text in site(reports).items():
        (made / file).write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 2560, 3840])
@pytest.mark.parametrize("page", [INDEX, "rules.html", "runner-5-1.4.html"])
def test_nothing_is_cut_or_hard_to_read(
    browser: webdriver.Chrome, folder: Path, page: str, width: int, scheme: str
) -> None:
    """The page does not scroll sideways, no text is cut, and all text has contrast."""
    open_page(browser, folder / page, width=width, scheme=scheme)

    root = browser.find_element(By.TAG_NAME, "html")
    assert root.get_property("scrollWidth") == root.get_property("clientWidth")
    assert browser.execute_script(_CUT) == []
    assert [each for each in browser.execute_script(CONTRASTS) if each[0] < 4.5] == []


@pytest.mark.parametrize("runners", [1, 3])
def test_all_counts_are_in_sight_on_a_telephone(browser: webdriver.Chrome, tmp_path: Path, runners: int) -> None:
    """On a telephone, the table of runners does not scroll sideways, even with long names and large counts."""
    names = ["mine", "a-runner-with-a-very-long-name-of-one-word-0.1.2.post3", "another runner"][:runners]
    many = tuple(rule(f"aggregate/{number}", "aggregate", "agrees") for number in range(440))
    reports = [(Path(f"{name}.json"), replace(report(name), rules=many)) for name in names]
    for file, text in site(reports).items():
        (tmp_path / file).write_text(text, encoding="utf-8")

    open_page(browser, tmp_path / INDEX, width=390)

    table = browser.find_element(By.CSS_SELECTOR, ".scroll:has(.standings)")
    assert table.text.count("440") == runners
    assert table.get_property("scrollWidth") == table.get_property("clientWidth")


def test_a_cell_leads_to_its_case(browser: webdriver.Chrome, folder: Path) -> None:
    """A cell can be opened by the keyboard, and shows its case."""
    open_page(browser, folder / INDEX)
    cell = browser.find_element(By.CSS_SELECTOR, "#rules td a")

    cell.send_keys(Keys.ENTER)

    assert re.search(r"runner-\d-1.4.html#divergence-1$", browser.current_url)
    article = browser.find_element(By.ID, "divergence-1")
    assert article.is_displayed()
    assert "0.6000000000000001" in article.text


def test_a_rule_leads_to_its_paragraph(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """A rule of the matrix can be opened by the keyboard, and its paragraph is not hidden below the filters."""
    bad = report("bad", "diverges")
    before, after = (tuple(rule(f"{name}/{number}", "aggregate") for number in range(20)) for name in "ab")
    for file, text in site([(Path("bad.json"), replace(bad, rules=(*before, *bad.rules, *after)))]).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    open_page(browser, tmp_path / INDEX)

    browser.find_element(By.CSS_SELECTOR, "#rules th a").send_keys(Keys.ENTER)

    place = browser.execute_script("return document.querySelector('tr:target').getBoundingClientRect().top")
    filters = browser.execute_script("return document.getElementById('filters').getBoundingClientRect().bottom")
    assert browser.current_url.endswith("rules.html#summation/compensated")
    assert place >= filters


def test_controls_and_regions_have_names(browser: webdriver.Chrome, folder: Path) -> None:
    """Every link, input and scrolling box can be focused, and has a name."""
    open_page(browser, folder / INDEX)

    reached = browser.find_elements(By.CSS_SELECTOR, "a, input, select, [tabindex]")
    assert [each.get_attribute("outerHTML") for each in reached if not each.accessible_name] == []
    assert browser.find_elements(By.CSS_SELECTOR, ".scroll:not([tabindex='0'])") == []
    assert browser.find_elements(By.CSS_SELECTOR, "table:not(:has(th[scope=col])), tbody tr:not(:has(th[scope]))") == []


@pytest.mark.skipif(not _AXE.exists(), reason="with axe-core; npm install --prefix tests/report axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 2560])
@pytest.mark.parametrize("page", [INDEX, "rules.html", "runner-5-1.4.html"])
def test_axe_finds_nothing(browser: webdriver.Chrome, folder: Path, page: str, width: int, scheme: str) -> None:
    """The page has no violation of axe's rules."""
    open_page(browser, folder / page, width=width, scheme=scheme)
    browser.set_script_timeout(600)
    axe: dict[str, Any] = {"expression": _AXE.read_text(encoding="utf-8")}
    browser.execute_cdp_cmd("Runtime.evaluate", axe)

    found = browser.execute_async_script("axe.run().then((each) => arguments[0](each.violations))")

    assert [(each["id"], each["impact"], each["nodes"][0]["html"]) for each in found] == []


def test_without_scripts(browser: webdriver.Chrome, folder: Path) -> None:
    """Without scripts, all rules are shown, and no filters."""
    emulate(browser, scripts=False)
    browser.get((folder / INDEX).as_uri())

    assert browser.find_elements(By.CSS_SELECTOR, "#rules td a") != []
    assert not browser.find_element(By.ID, "filters").is_displayed()
    emulate(browser)
