"""Finds and renews the generated places of the documents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.readme.console import ROOT, run_block
from tests.readme.generated import GENERATED

_PLACE = re.compile(
    r"^(?P<head>```console(?P<console>(?: \w+)*)|<!-- (?!end )(?P<name>[\w-]+)(?P<words>(?: \w+)*) -->)\n"
    r"(?P<shown>.*?)^(?P<tail>(?(name)<!-- end -->|```))$",
    re.DOTALL | re.MULTILINE,
)
_FILE = re.compile(r"^```python\n(# (\w+\.py)\n.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """One place of a document."""

    document: Path
    name: str
    """The name of the function; `console` for a block of commands."""

    words: tuple[str, ...]
    shown: str
    """The present content, with the line break at its end."""

    files: tuple[tuple[str, str], ...]
    """Names and texts of the files that the document shows."""

    def made(self) -> str:
        """Return the correct content.

        Raises:
            KeyError: no function has this name.
        """
        if self.name == "console":
            return run_block(self.shown, self.words, dict(self.files))
        return GENERATED[self.name](*self.words)

    def __str__(self) -> str:
        first = self.shown.partition("\n")[0].removeprefix("$ ") if self.name == "console" else " ".join(self.words)
        return f"{self.document.relative_to(ROOT)}: {self.name} {first}".rstrip()


def documents() -> list[Path]:
    """Return every document of the checkout in Markdown, except the instructions of tasks."""
    tops = [each for each in ROOT.iterdir() if not each.name.startswith(".")]
    found = [path for top in tops for path in ([top] if top.suffix == ".md" else top.rglob("*.md"))]
    return sorted(path for path in found if path.name != "instruction.md")


def places(document: Path) -> Iterator[Place]:
    """Yield the places of a document, in order."""
    text = document.read_text(encoding="utf-8")
    files = tuple((name, content) for content, name in _FILE.findall(text))
    for found in _PLACE.finditer(text):
        yield _place(document, found, files)


def renew(document: Path) -> None:
    """Renew all places of a document."""
    text = document.read_text(encoding="utf-8")
    made = iter([place.made() for place in places(document)])
    renewed = _PLACE.sub(lambda found: f"{found['head']}\n{next(made)}{found['tail']}", text)
    document.write_text(renewed, encoding="utf-8")


def place(document: str, name: str, *words: str) -> Place:
    """Return the place with this name and these words in a document of the checkout.

    Raises:
        StopIteration: there is no such place.
    """
    return next(each for each in places(ROOT / document) if (each.name, each.words) == (name, words))


def _place(document: Path, found: re.Match[str], files: tuple[tuple[str, str], ...]) -> Place:
    words = tuple((found["words"] or found["console"] or "").split())
    return Place(document, found["name"] or "console", words, found["shown"], files)
