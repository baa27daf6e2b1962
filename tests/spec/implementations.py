"""Finds the places in the clean room that implement each rule.

The clean room lists the rules that a line implements in a comment right above it: `# Rule: reward-file/json-wins`, or
`# Rules: ` and several slugs, separated by commas. If the comment has several lines, the lines after the first are
indented. The modules are parsed, not imported.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import parity

_PACKAGE = Path(parity.__file__).parent
_CLEAN_ROOM = ("formats", "scorer", "driver", "harbor_env", "runners/clean_room")
"""Directories and files in the package that implement rules."""

_COMMENT = re.compile(r" *# Rules?: (.*)")
_CONTINUED = re.compile(r" *#   (.*)")


@dataclass(frozen=True)
class Place:
    """A function, class or constant in the clean room."""

    path: Path
    name: str

    def __str__(self) -> str:
        return f"parity/{self.path.relative_to(_PACKAGE)} {self.name}"


@cache
def implementations() -> dict[str, list[Place]]:
    """Return, for each slug, the places in the clean room that implement the rule, each place once."""
    places: dict[str, dict[Place, None]] = {}
    for path in _modules():
        for slug, place in _named_in(path):
            places.setdefault(slug, {})[place] = None
    return {slug: list(each) for slug, each in places.items()}


def _modules() -> Iterator[Path]:
    for part in _CLEAN_ROOM:
        yield from sorted((_PACKAGE / part).rglob("*.py")) or [_PACKAGE / part]


def _named_in(path: Path) -> Iterator[tuple[str, Place]]:
    """Yield each slug in a module's comments, with the place that contains the line below the comment."""
    for slug, line, tree in _lines_in(path):
        yield slug, Place(path, _name_at(tree, line))


def decisive_lines() -> Iterator[tuple[str, Path, set[int]]]:
    """Yield each slug in a comment, with the module and the numbers of the lines that show that the rule is applied.

    Usually this is the line below the comment; if this line begins a class or an exception handler, it is any line in
    it. Constants are left out, because they are computed before any case.
    """
    for path in _modules():
        for slug, line, tree in _lines_in(path):
            if _name_at(tree, line).isupper():
                continue
            heads = [node for node in ast.walk(tree) if getattr(node, "lineno", 0) == line]
            inside = [node.body for node in heads if isinstance(node, ast.ClassDef | ast.ExceptHandler)]
            yield slug, path, {each.lineno for body in inside for part in body for each in _statements(part)} or {line}


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    return (each for each in ast.walk(node) if isinstance(each, ast.stmt))


def _lines_in(path: Path) -> Iterator[tuple[str, int, ast.Module]]:
    """Yield each slug in a module's comments, with the number of the line below the comment, and the parsed module."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    tree = None
    for index, line in enumerate(lines):
        if (named := _COMMENT.fullmatch(line)) is None:
            continue
        tree = tree or ast.parse(text)
        slugs = named[1]
        below = index + 1
        while lines[below].lstrip().startswith("#"):
            more = _CONTINUED.fullmatch(lines[below])
            slugs += f" {more[1]}" if more and slugs.endswith(",") else ""
            below += 1
        for slug in slugs.split(", "):
            yield slug, below + 1, tree


def _name_at(tree: ast.Module, line: int) -> str:
    """Return the qualified name of the function or class around a line, or the name that a top-level line assigns."""
    names: list[str] = []
    node: ast.AST = tree
    while inner := [child for child in ast.iter_child_nodes(node) if _spans(child, line)]:
        node = inner[0]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not names:
            names.append(ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target))
    return ".".join(names)


def _spans(node: ast.AST, line: int) -> bool:
    return getattr(node, "lineno", line + 1) <= line <= (getattr(node, "end_lineno", None) or 0)
