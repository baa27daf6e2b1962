"""Finds a rule in source text: the method that asks Harbor, and the lines of the clean room.

The clean room names a rule in a comment right above the line that decides it: `# Rule: reward-file/json-wins`, or
`# Rules: ` and several slugs with commas, where further lines are indented. The sources are parsed, not imported.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent
CLEAN_ROOM = ("formats", "scorer", "driver", "harbor_env", "runners/clean_room.py")
"""Folders and files of the package that implement rules."""

_REFERENCE = ("wheel.py", "consumer.py")
_FAULTY = CHECKOUT / "tests" / "faulty"
_COMMENT = re.compile(r" *# Rules?: (.*)")
_CONTINUED = re.compile(r" *#   (.*)")


@dataclass(frozen=True)
class SourceLine:
    """A line of source text, with the name of the function, class or constant around it."""

    path: Path
    line: int
    name: str

    @property
    def place(self) -> str:
        """The path, relative to the current folder if it is inside, and the line."""
        path = self.path.relative_to(Path.cwd()) if self.path.is_relative_to(Path.cwd()) else self.path
        return f"{path}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place} {self.name}"


def is_checkout() -> bool:
    """Return whether this is a checkout, which has the faulty runners; the package does not."""
    return _FAULTY.is_dir()


@cache
def implementations() -> dict[str, list[SourceLine]]:
    """Return the places in the clean room that decide each rule, by slug; one line for each function."""
    found: dict[str, dict[tuple[Path, str], SourceLine]] = {}
    for part in CLEAN_ROOM:
        for path in sorted((PACKAGE / part).rglob("*.py")) or [PACKAGE / part]:
            for slug, place in _named_in(path):
                found.setdefault(slug, {}).setdefault((place.path, place.name), place)
    return {slug: list(places.values()) for slug, places in found.items()}


def asking(operation: str) -> SourceLine:
    """Return the method of the reference that answers an operation."""
    for path in (PACKAGE / "reference" / name for name in _REFERENCE):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == operation:
                return SourceLine(path, node.lineno, node.name)
    raise LookupError(f"no method of the reference is called {operation}")


def _named_in(path: Path) -> Iterator[tuple[str, SourceLine]]:
    """Yield the slugs in the comments of a module, each with the line below the comment."""
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
        place = SourceLine(path, below + 1, _name_at(tree, below + 1))
        yield from ((slug, place) for slug in slugs.split(", "))


def _name_at(tree: ast.Module, line: int) -> str:
    """Return the qualified name of the function or class around a line; at module level, of the assigned name."""
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
