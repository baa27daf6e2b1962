"""The site: all runners by harm, and links from cells to cases."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from parity.command import main
from parity.judging.records import Report
from parity.report.comparison import alone
from parity.report.html import INDEX, page, site
from parity.report.places import to_json
from tests.report.samples import HOSTILE, edited, report


def _reports(*shown: Report) -> list[tuple[Path, Report]]:
    return [(Path(f"{number}.json"), each) for number, each in enumerate(shown)]


def _dead_links(files: dict[str, str]) -> Sequence[str]:
    """Return the links between the files that lead nowhere."""
    ids = {name: set(re.findall(r' id="([^"]+)"', text)) for name, text in files.items()}
    dead = []
    for name, text in files.items():
        for href in re.findall(r'<a href="([^"]+)"', text):
            target, _, anchor = href.partition("#")
            target = target or name
            if target not in files or (anchor and anchor not in ids[target]):
                dead.append(f"{name}: {href}")
    return dead


def test_every_cell_leads_to_its_case() -> None:
    """Each cell links to its case, and every link leads somewhere."""
    files = site(_reports(report("bad", "diverges"), report("good")))

    assert _dead_links(files) == []
    assert sorted(files) == ["bad-1.4.html", "good-1.4.html", INDEX, "rules.html"]
    cell = re.search(r'<a href="(bad-[^"#]+)#(divergence-1)"><span class="verdict diverges">', files[INDEX])
    assert cell is not None
    case = files[cell[1]].partition(f'<article id="{cell[2]}"')[2].partition("</article>")[0]
    assert "{&#x27;mean&#x27;: 0.6000000000000001}" in case


def test_each_rule_has_a_paragraph_that_names_who_breaks_it() -> None:
    """The index and each divergence lead to the rule's paragraph, with its evidence and the runners that break it."""
    files = site(_reports(report("good"), report("bad", "diverges")))
    slug = "summation/compensated"
    paragraph = files["rules.html"].partition(f'<tr id="{slug}"')[2].partition("</tr>")[0]

    assert f'<a href="rules.html#{slug}">' in files[INDEX]
    assert f'</span> <a href="rules.html#{slug}">' in files["bad-1.4.html"]
    assert "<b>last bits</b></span> <a href=" in paragraph
    assert re.findall(r'<a href="([^"]+)"><bdi dir="auto">(.*?)</bdi>', paragraph) == [
        ("bad-1.4.html#divergence-1", "bad")
    ]
    assert "agrees 1" in paragraph
    assert "<dt>holds in</dt><dd>0.1.45 to 0.26.0</dd>" in paragraph


def test_a_page_alone_links_to_no_other_page() -> None:
    """A page that belongs to no site has only links within itself."""
    assert re.findall(r'href="([^#"][^"]*)"', page(alone(report("bad", "diverges")))) == []


def test_classes_are_shown_harm_first(tmp_path: Path) -> None:
    """A runner's classes are shown with the worst harm first, with what it was asked, and the date of its record."""
    bad, path = report("bad", "diverges"), tmp_path / "bad.json"
    paying = replace(bad.rules[0], verdict="diverges", harm="pays-out")
    path.touch()
    os.utime(path, (0, 86_400 * 365.5))

    index = site([(path, replace(bad, rules=(*bad.rules[1:], paying)))])[INDEX]

    (shown,) = re.findall(r'<section id="classes">.*?</section>', index)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shown))
    assert "✗ pays out files (1 rule broken) ✗ last bits aggregation (1 rule broken) · not asked jobs" in text
    assert "read_reward , aggregate profile default, 1971-01-01" in text


def test_one_runner() -> None:
    """With one runner, the title is in the singular."""
    index = site(_reports(report("only")))[INDEX]

    assert "<h1>1 runner against harbor 0.13.1</h1>" in index
    assert "<title>1 runner against harbor 0.13.1" in index


def test_reports_of_one_runner_have_a_page_each() -> None:
    """Reports of equal runners have numbered pages, and the table names their files."""
    files = site(_reports(report("mine"), report("mine")))

    assert sorted(files) == [INDEX, "mine-1.4-2.html", "mine-1.4.html", "rules.html"]
    assert ">mine (1.json)</bdi>" in files[INDEX]
    assert _dead_links(files) == []


def test_harm_comes_first() -> None:
    """The runner that pays out comes first, and so does its rule."""
    bad = report("bad", "diverges")
    rules = tuple(replace(each, harm="pays-out" if each.harm else None) for each in bad.rules)

    index = site(_reports(report("milder", "diverges"), replace(bad, rules=rules)))[INDEX]

    assert index.index(">bad</bdi>") < index.index(">milder</bdi>")
    headings = re.findall(r'scope="rowgroup" colspan="3"><span>(.*?)[:<]', index)
    assert headings == ["pays out", "nothing diverges"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_leads_nowhere_else(text: str) -> None:
    """With any text in reports, the files are in the folder, and all links lead to them."""
    files = site(_reports(edited(text), edited(text)))

    assert [name for name in files if not re.fullmatch(r"[a-z0-9.-]+\.html", name)] == []
    assert _dead_links(files) == []


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The command writes a new folder or an earlier site again, and no other folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.json").write_text(to_json(report()))
    Path("other").mkdir()
    Path("other/file").touch()

    codes = [main(["report", "--site", folder, "mine.json"]) for folder in ("new/site", "new/site", "other")]

    assert codes == [0, 0, 3]
    printed = capfdbinary.readouterr()
    assert printed.out == b"new/site/index.html\n" * 2
    assert printed.err == b"parity report: other: neither empty nor an earlier site; name a new folder\n"
    assert [each.name for each in Path("other").iterdir()] == ["file"]
