"""Tests that imports between the packages of the kit point in one direction."""

import ast
from pathlib import Path

import parity

_PACKAGE = Path(parity.__file__).parent
_FROM_THE_TOP = [
    *("command", "plugin", "suite", "reference", "runners", "operations"),
    *("harbor_env", "driver", "scorer", "formats"),
]
"""The packages of the kit; a module imports only from its own package and from later ones."""


def _imports(module: Path) -> set[str]:
    """Return the packages of the kit that a module imports, including imports in functions and for types."""
    nodes = list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= (
                {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "parity" else {node.module}
            )
    return {name.split(".")[1] for name in names if name.startswith("parity.")} & {*_FROM_THE_TOP}


def test_imports_point_in_one_direction() -> None:
    """No module imports from a package above its own; the suite's tests are above everything except the commands."""
    wrong = []
    for module in sorted(_PACKAGE.glob("*/**/*.py")):
        package = module.relative_to(_PACKAGE).parts[0]
        of_the_suite = package == "operations" and module.name.startswith(("test_", "conftest"))
        below = _FROM_THE_TOP[_FROM_THE_TOP.index("plugin" if of_the_suite else package) :]
        wrong += [f"{module}: {name}" for name in _imports(module) if name not in below]

    assert wrong == []
