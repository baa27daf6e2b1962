"""The site: all runners by harm, each cell with its case, the history of each runner, and what is stale."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from parity import __version__
from parity.command import main
from parity.judging.records import Report
from parity.operations.rules import RULES
from parity.report.history import Record, date_of, field_of
from parity.report.html import INDEX, site
from parity.report.writing import to_json
from tests.report.samples import HOSTILE, edited, report, rule

_DAY = date(2026, 11, 24)


def _of_today(shown: Report) -> Report:
    """The report with all rules and the version of this kit."""
    known = {each.slug for each in shown.rules}
    others = tuple(rule(slug, "read_reward", "not-claimed") for slug in RULES if slug not in known)
    return replace(shown, kit=__version__, rules=tuple(each for each in shown.rules if each.slug in RULES) + others)


def _records(*shown: tuple[str, Report]) -> list[Record]:
    return [
        Record(Path(f"{day}/{number}.json"), each, date.fromisoformat(day)) for number, (day, each) in enumerate(shown)
    ]


def _dead_links(files: dict[str, str]) -> Sequence[str]:
    """Links between the files that lead nowhere."""
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
    """Runners and cells are links, and all of them lead somewhere."""
    files = site(_records(("2026-11-24", report("bad", "diverges")), ("2026-11-24", report("good"))))

    assert _dead_links(files) == []
    assert sorted(files) == ["bad-1.4-2026-11-24.html", "good-1.4-2026-11-24.html", INDEX]
    cell = re.search(r'<a href="(bad-[^"#]+)#(divergence-1)"><span class="verdict diverges">', files[INDEX])
    assert cell is not None
    case = files[cell[1]].partition(f'<article id="{cell[2]}"')[2].partition("</article>")[0]
    assert "{&#x27;mean&#x27;: 0.6000000000000001}" in case


def test_one_runner() -> None:
    """The title is in the singular."""
    index = site(_records(("2026-11-24", report("only"))))[INDEX]

    assert "<h1>1 runner against harbor 0.13.1</h1>" in index
    assert "<title>1 runner against harbor 0.13.1" in index


def test_harm_comes_first() -> None:
    """The runner that pays out is above the one that does not, and its rule above those in which nothing diverges."""
    bad = report("bad", "diverges")
    rules = tuple(replace(each, harm="pays-out" if each.harm else None) for each in bad.rules)

    index = site(_records(("2026-11-24", report("milder", "diverges")), ("2026-11-24", replace(bad, rules=rules))))[
        INDEX
    ]

    assert index.index(">bad</bdi>") < index.index(">milder</bdi>")
    headings = re.findall(r'scope="rowgroup" colspan="3"><span>(.*?)[:<]', index)
    assert headings == ["pays out", "nothing diverges"]


def test_the_newest_record_counts() -> None:
    """Earlier ones are the runner's history, with what changed between them."""
    records = _records(("2026-11-01", report("mine", "diverges")), ("2026-11-24", report("mine")))

    files = site(records)

    assert "1 runner against" in files[INDEX]
    assert "2026-11-24 and 1 earlier" in files[INDEX]
    for name in ("mine-1.4-2026-11-01.html", "mine-1.4-2026-11-24.html"):
        assert re.search(r"1 rule better:</b></span> <code[^>]*>summation/compensated", files[name])
    assert _dead_links(files) == []


@pytest.mark.parametrize(
    ("change", "day", "why"),
    [
        ({}, "2026-11-24", ()),
        ({}, "2026-08-26", ()),
        ({}, "2026-08-25", ("91 days older than the newest record",)),
        ({"kit": "0.0.1"}, "2026-11-24", (f"harbor-parity 0.0.1, not {__version__}",)),
        ({"rules": ()}, "2026-11-24", (f"{len(RULES)} rules added or removed since",)),
    ],
)
def test_what_is_stale(change: dict[str, object], day: str, why: tuple[str, ...]) -> None:
    """A record of another kit, of other rules, or far older than the newest of all."""
    newest = _of_today(report("newest"))
    old = replace(_of_today(report("old")), **change)  # type: ignore[arg-type]

    found = field_of(_records(("2026-11-24", newest), (day, old)))

    assert {each.newest.report.runner.name: each.stale for each in found} == {"newest": (), "old": why}


def test_another_harbor_is_stale() -> None:
    """What was held against another release says nothing of this one."""
    old = _of_today(report("old"))
    old = replace(old, reference=replace(old.reference, harbor="0.12.0"))

    assert field_of(_records(("2026-11-24", old)))[0].stale == ("harbor 0.12.0, not 0.13.1",)


def test_the_date_of_a_record(tmp_path: Path) -> None:
    """The last one in its path that is one, or else that of the file."""
    path = tmp_path / "mine.json"
    path.touch()
    os.utime(path, (86_400 * 3, 86_400 * 3))

    assert date_of(Path("2026-01-01/mine-2026-11-24.json")) == _DAY
    assert date_of(Path("2026-11-24/mine-2026-99-99.json")) == _DAY
    assert date_of(path) == date(1970, 1, 4)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_leads_nowhere_else(text: str) -> None:
    """Whatever a record says, its files lie in the folder, and all links are to them."""
    files = site(_records(("2026-11-24", edited(text)), ("2026-11-24", edited(text))))

    assert [name for name in files if not re.fullmatch(r"[a-z0-9.-]+\.html", name)] == []
    assert _dead_links(files) == []


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """It writes a new folder, and an earlier site again; it touches no other folder."""
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
