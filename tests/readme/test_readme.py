"""Tests that commands in documents print the shown output, and that relative links are not broken."""

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.needs import NEEDS, need
from tests.readme.console import ROOT, Block, blocks, documents
from tests.readme.links import broken_links

_DOCUMENTS = {str(path.relative_to(ROOT)): path for path in documents()}
_BLOCKS = {str(block): block for document in documents() for block in blocks(document)}


@pytest.mark.slow
@pytest.mark.parametrize("block", _BLOCKS.values(), ids=_BLOCKS)
def test_commands_print_the_shown_output(block: Block) -> None:
    """The commands in each block print the output that the document shows; `python -m tests.readme` renews it."""
    for word in block.words:
        if word in NEEDS:
            need(word)
    if not block.shown.isascii():
        need("utf-8")

    assert block.run() == block.shown


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_no_link_in_the_checkout_is_broken(name: str) -> None:
    """Every relative link in a document leads to a file or directory in the checkout, and every anchor to a heading."""
    assert list(broken_links(_DOCUMENTS[name])) == []


def test_no_link_in_the_wheel_is_broken(tmp_path: Path) -> None:
    """Every relative link in a document that this kit's wheel contains leads to a file or directory in the wheel."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    for package in wheel["packages"]:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for excluded in wheel.get("exclude", []):
        shutil.rmtree(tmp_path / excluded)
    for source, target in wheel["force-include"].items():
        shutil.copytree(ROOT / source, tmp_path / target)

    documents = sorted(tmp_path.rglob("*.md"))
    assert documents
    assert [(str(each.relative_to(tmp_path)), link) for each in documents for link in broken_links(each)] == []
