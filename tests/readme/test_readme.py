"""Every document is correct and complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity.judging.declared.reading import read_all_declarations
from parity.operations import OPERATIONS
from tests.needs import NEEDS, need
from tests.readme.bridges import BRIDGES, read_field
from tests.readme.console import ROOT, matches
from tests.readme.links import broken_links, missing_functions
from tests.readme.places import Place, documents, places

_DOCUMENTS = {str(path.relative_to(ROOT)): path for path in documents()}
_PLACES = {
    str(place): place
    for document in _DOCUMENTS.values()
    for place in places(document)
    if place.name != "summary"  # is held by the test of the default profile, which runs the main job anyway
}


@pytest.mark.parametrize("name", _PLACES)
def test_places_are_current(name: str) -> None:
    """Each generated place is up to date; `python -m tests.readme` renews them."""
    place: Place = _PLACES[name]
    for word in place.words:
        if word in NEEDS:
            need(word)
    if not place.shown.isascii():
        need("utf-8")

    assert place.made() == place.shown


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    """Every relative link leads to a file or a folder of the checkout, and every anchor to a heading."""
    assert list(broken_links(_DOCUMENTS[name])) == []


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_linked_functions_are_in_their_files(name: str) -> None:
    """A link whose text is a function, class or variable leads to the file that defines it."""
    assert list(missing_functions(_DOCUMENTS[name])) == []


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_every_place_is_found(name: str) -> None:
    """Every marker and every block of commands belongs to a place."""
    text = _DOCUMENTS[name].read_text(encoding="utf-8")

    found = list(places(_DOCUMENTS[name]))

    assert len(found) == len(re.findall(r"^(?:<!-- (?!end -->)|```console)", text, re.MULTILINE))
    assert len(re.findall(r"^<!-- end -->$", text, re.MULTILINE)) == sum(place.name != "console" for place in found)
    assert all(place.shown.strip() for place in found)


def test_every_operation_has_its_tables() -> None:
    """The README of each operation has the tables of its rules and its flags."""
    shown = {(place.name, place.document.parent.name) for place in _PLACES.values() if place.name in {"rules", "flags"}}

    assert shown == {(kind, operation) for kind in ("rules", "flags") for operation in OPERATIONS}


def test_the_first_document_is_short() -> None:
    """The first document is short enough for five minutes."""
    text = (ROOT / "README.md").read_bytes()

    assert text.count(b"\n") <= 228
    assert len(text) <= 14 * 1024


def test_the_first_two_code_blocks_are_the_two_commands() -> None:
    """The first block of the first document runs the main job, and the second the tests, as CI does."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    first, second = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[:2]

    assert "pytest parity/" in first
    assert "pytest tests/" in second


@pytest.mark.parametrize("path", sorted((BRIDGES / "divergences").glob("*.toml")), ids=lambda path: path.stem)
def test_declared_divergences_of_bridges_are_read(path: Path) -> None:
    """No entry is malformed, or redundant beside another one."""
    assert read_all_declarations([path])


def test_every_bridge_has_an_environment() -> None:
    """Each file of declared divergences, and each stored bridge, has a tox environment, and vice versa."""
    tox = subprocess.run(
        [sys.executable, "-m", "tox", "list", "--no-desc", "-q"], capture_output=True, text=True, cwd=ROOT, check=True
    )

    environments = {name.removeprefix("bridge-") for name in tox.stdout.split() if name.startswith("bridge-")}
    assert {path.stem for path in (BRIDGES / "divergences").glob("*.toml")} == environments
    assert set(read_field()) == environments


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a.\n", "ab\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nb\nc\n", False),
        ("in … s\n", "in 3.5 s\n", True),
        ("in … s\n", "in 3.5 m\n", False),
    ],
)
def test_an_ellipsis_stands_for_anything(shown: str, printed: str, expected: bool) -> None:
    """An ellipsis alone on a line matches any lines, and within a line any text; all else is compared literally."""
    assert matches(shown, printed) is expected


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    """Broken links to files and headings are found, except in blocks of code."""
    (tmp_path / "other.md").write_text("# One, two\n```\n# no heading\n```\n")
    document = tmp_path / "README.md"
    document.write_text(
        "# Here\n[a](other.md#one-two) [b](#here) [c](gone) [d](#no) [e](other.md#no-heading)\n```\n[f](x)\n```\n"
    )

    assert list(broken_links(document)) == ["gone", "#no", "other.md#no-heading"]


def test_a_function_that_has_moved_is_seen(tmp_path: Path) -> None:
    """A missing method, async function or class is found; a link with a file's name is not checked."""
    (tmp_path / "a.py").write_text("class C:\n    def m(self): ...\nasync def f(): ...\n")
    document = tmp_path / "README.md"
    document.write_text("[`C.m`](a.py) [`f`](a.py) [`C`](a.py) [`a.py`](a.py) [`C.gone`](a.py)\n")

    assert list(missing_functions(document)) == ["C.gone in a.py"]
