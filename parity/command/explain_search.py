"""Searches rules, flags, operations, harms, options and READMEs for words.

An installed copy has the READMEs of the package and of the golden vectors; a checkout also has the first README and
that of the tests.
"""

import argparse
import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from parity.command.explain_sources import CHECKOUT, PACKAGE, SourceLine, is_checkout
from parity.judging.harm import HARMS
from parity.operations import OPERATIONS
from parity.operations.rules import FLAGS, RULES

_WIDTH = 110
"""The most characters of a text's line."""

_BEFORE = 40
"""Characters that are shown before the first word, if a text is cut."""

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_LEFT_OUT = re.compile(
    r"^```.*?^```$|^<!-- (?:rules|flags) .*?^<!-- end -->$|^## CHANGELOG$.*\Z|^\|[-|]+$", re.DOTALL | re.MULTILINE
)
"""Parts of READMEs that are not searched: blocks of code, tables of rules and flags, changelogs, lines of tables."""

_UNIT = re.compile(r"(?:^(?!#).+\n(?!\||#| *- | *\d+\. ))*^.+$", re.MULTILINE)
"""A heading, a row of a table, or lines up to a blank line, a heading, a row or an item of a list."""

_MARK = re.compile(r"^ *(?:[|#]+|-|\d+\.) *")
"""The sign that begins a heading, a row or an item."""


@dataclass(frozen=True)
class Entry:
    """Something that words may find."""

    name: str
    where: str
    """What it is, or the path and line of a README."""

    text: str


def search(query: str, commands: Mapping[str, ModuleType]) -> list[Entry]:
    """Return the entries with all words of a query, each with the part of its text that has the first word.

    A word may be the beginning of a longer one; upper and lower case are the same. Entries with all words in their
    names come first; then the order is that of `_entries`. A section of a README is found once.

    Args:
        query: the words.
        commands: the modules of the subcommands by name, whose options are searched.
    """
    words = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in query.split()]

    def has_all(text: str) -> bool:
        return all(word.search(text) for word in words)

    found: dict[tuple[str, str], Entry] = {}
    for entry in _entries(commands):
        if has_all(f"{entry.name} {entry.text}"):
            shown = Entry(entry.name, entry.where, _cut(entry.text, words))
            found.setdefault((entry.name, entry.where.rpartition(":")[0] or entry.where), shown)
    return sorted(found.values(), key=lambda entry: not has_all(entry.name))


def _cut(text: str, words: Sequence[re.Pattern[str]]) -> str:
    """Return the text, cut around the first of the words if it is long."""
    if len(text) <= _WIDTH:
        return text
    places = [place.start() for word in words if (place := word.search(text))]
    start = max(0, min(min(places, default=0) - _BEFORE, len(text) - _WIDTH))
    end = start + _WIDTH
    return f"{'…' * (start > 0)}{text[start:end]}{'…' * (end < len(text))}"


def _entries(commands: Mapping[str, ModuleType]) -> Iterator[Entry]:
    for slug, rule in RULES.items():
        yield Entry(slug, f"a rule of {rule.operation}", rule.sentence)
    for operation, sentences in FLAGS.items():
        for flag, sentence in sentences.items():
            yield Entry(flag, f"a flag of {operation}", sentence)
    for harm, meaning in HARMS.items():
        yield Entry(harm, "a harm", f"The harm of a divergence: {meaning}.")
    for name, each in OPERATIONS.items():
        yield Entry(name, "an operation", " ".join((type(each).__doc__ or "").split()))
    for name, module in commands.items():
        recorder = _Recorder(f"an option of parity {name}")
        module.add_arguments(recorder)
        yield from recorder.options
    yield from _options_of_the_suite()
    of_checkout = [CHECKOUT / name for name in ("README.md", "golden/README.md", "tests/README.md")]
    for path in [*(of_checkout if is_checkout() else ()), *sorted(PACKAGE.rglob("*.md"))]:
        yield from _sections(path)


class _Recorder:
    """Takes the place of a parser and of its groups, and keeps the options that are added."""

    def __init__(self, where: str) -> None:
        self.where, self.options = where, list[Entry]()

    def add_argument(self, *names: str, **settings: Any) -> None:
        if names[0].startswith("-") and settings["help"] != argparse.SUPPRESS:
            self.options.append(Entry(", ".join(names), self.where, settings["help"].replace("%(default)s", "…")))

    def set_defaults(self, **_: object) -> None:
        """Ignore defaults, which are not options."""

    def add_argument_group(self, *_: object) -> "_Recorder":
        return self

    def add_mutually_exclusive_group(self) -> "_Recorder":
        return self


def _options_of_the_suite() -> Iterator[Entry]:
    """Yield the options in the suite's table, which is read as text: importing pytest takes longer than the search."""
    path = PACKAGE / "pytest_plugin" / "options.py"
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.AnnAssign(ast.Name("_OPTIONS"), value=ast.Dict(names, tables)):
                for option, table in zip(names, tables, strict=True):
                    match option, table:
                        case ast.Constant(str(name)), ast.Dict([*_, ast.Constant("help")], [*_, ast.Constant(text)]):
                            yield Entry(f"--{name}", "an option of pytest parity/", str(text))


def _sections(path: Path) -> Iterator[Entry]:
    """Yield the paragraphs, items and rows of a README, each with the heading above it as its name."""
    text = _LEFT_OUT.sub(lambda left: "\n" * left[0].count("\n"), path.read_text(encoding="utf-8"))
    heading = path.parent.name
    for unit in _UNIT.finditer(text):
        plain = " ".join(_MARK.sub("", _LINK.sub(r"\1", unit[0])).removesuffix("|").split())
        if unit[0].startswith("#"):
            heading = plain
        else:
            line = text.count("\n", 0, unit.start()) + 1
            yield Entry(heading, SourceLine(path, line, heading).place, plain)
