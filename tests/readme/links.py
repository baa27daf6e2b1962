"""Finds broken relative links in documents, including links to headings."""

import re
from collections.abc import Iterator
from pathlib import Path

_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def broken_links(document: Path) -> Iterator[str]:
    """Yield the relative links that lead to a missing file, directory or heading."""
    for path, anchor in _LINK.findall(_prose(document)):
        target = document.parent / path if path else document
        if target.is_dir() and anchor:
            target /= "README.md"
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            yield f"{path}#{anchor}" if anchor else path


def _anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub generates for the headings in a document."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(_prose(document))
    }


def _prose(document: Path) -> str:
    return _BLOCK.sub("", document.read_text(encoding="utf-8"))
