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
    found: dict[str, dict[Place, None]] = {}
    for part in _CLEAN_ROOM:
        for path in sorted((_PACKAGE / part).rglob("*.py")) or [_PACKAGE / part]:
            for slug, place in _named_in(path):
                found.setdefault(slug, {})[place] = None
    return {slug: list(places) for slug, places in found.items()}


def _named_in(path: Path) -> Iterator[tuple[str, Place]]:
    """Yield each slug in a module's comments, with the place that contains the line below the comment."""
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
        place = Place(path, _name_at(tree, below + 1))
        yield from ((slug, place) for slug in slugs.split(", "))


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
