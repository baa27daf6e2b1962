"""Finds where a module of the kit uses private parts of another package, patches one, or tunes the interpreter."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

_OURS = {"parity", "tests", *sys.stdlib_module_names}
_TUNED = {"gc": "gc", "sys.modules": "sys.modules"}
_INTERNAL = ("hypothesis.internal", "_pytest", "execnet.gateway")
_BACKENDS = "from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider"
"""The two names that Hypothesis documents for registering a backend."""

_PATCHES = ("setattr", "object", "multiple", "dict", "patch")


def foreign_parts(path: Path) -> list[str]:
    """Return what a module does to other packages and to the interpreter, a line for each place.

    A private name is found if the module imports the object that it belongs to; a patch, if the module imports its
    target.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = dict(_imported(tree))
    return sorted({part for node in ast.walk(tree) for part in _parts(node, imported)})


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name that an import defines, with the module that it comes from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)


def _parts(node: ast.AST, imported: dict[str, str]) -> Iterator[str]:
    match node:
        case ast.Import(names):
            yield from (_TUNED[alias.name] for alias in names if alias.name in _TUNED)
            yield from (f"imports {alias.name}" for alias in names if alias.name.startswith(_INTERNAL))
        case ast.ImportFrom(module=str(module), names=names) if ast.unparse(node) != _BACKENDS:
            private = [alias.name for alias in names if _is_private(alias.name)]
            if module.startswith(_INTERNAL) or (_is_foreign(module) and (private or "._" in module)):
                yield f"imports {module}"
        case ast.Attribute(value, attr) if ast.unparse(node) in _TUNED or (
            _is_private(attr) and _is_foreign(_origin(value, imported))
        ):
            yield ast.unparse(node)
        case ast.Call(ast.Attribute(attr=attr), [target, *_]) if attr in _PATCHES:
            named = target.value if isinstance(target, ast.Constant) and isinstance(target.value, str) else None
            origin = named if named and "." in named else _origin(target, imported)
            if _is_foreign(origin):
                yield f"patches {named or ast.unparse(target)}"


def _origin(node: ast.AST, imported: dict[str, str]) -> str:
    """Return the module that the first name of an expression is imported from; empty if it is not imported."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return imported.get(node.id, "") if isinstance(node, ast.Name) else ""


def _is_foreign(module: str) -> bool:
    return bool(module) and module.partition(".")[0] not in _OURS


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")
