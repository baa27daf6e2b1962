"""Places of the documents: found, and made anew."""

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
    """Of its function; `console` for a block of commands."""

    words: tuple[str, ...]
    shown: str
    """What stands there now, with the line break at its end."""

    files: tuple[tuple[str, str], ...]
    """Names and texts of the files that the document shows."""

    def made(self) -> str:
        """What should stand there.

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
    """Every document of the checkout in Markdown, but for the instructions of tasks."""
    tops = [each for each in ROOT.iterdir() if not each.name.startswith(".")]
    found = [path for top in tops for path in ([top] if top.suffix == ".md" else top.rglob("*.md"))]
    return sorted(path for path in found if path.name != "instruction.md")


def places(document: Path) -> Iterator[Place]:
    """The places of a document, in order."""
    text = document.read_text(encoding="utf-8")
    files = tuple((name, content) for content, name in _FILE.findall(text))
    for found in _PLACE.finditer(text):
        yield _place(document, found, files)


def renew(document: Path) -> None:
    """Make all places of a document anew."""
    text = document.read_text(encoding="utf-8")
    made = iter([place.made() for place in places(document)])
    renewed = _PLACE.sub(lambda found: f"{found['head']}\n{next(made)}{found['tail']}", text)
    document.write_text(renewed, encoding="utf-8")


def place(document: str, name: str, *words: str) -> Place:
    """The place of this name and these words in a document of the checkout.

    Raises:
        StopIteration: there is none.
    """
    return next(each for each in places(ROOT / document) if (each.name, each.words) == (name, words))


def _place(document: Path, found: re.Match[str], files: tuple[tuple[str, str], ...]) -> Place:
    words = tuple((found["words"] or found["console"] or "").split())
    return Place(document, found["name"] or "console", words, found["shown"], files)
