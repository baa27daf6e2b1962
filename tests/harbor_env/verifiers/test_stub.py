"""The types used for type checking match the installed release."""

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

from parity.harbor_env import verifiers_release
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.rollouts import foreign_warnings, make

_STUB = Path(verifiers_release.__file__).with_name("verifiers_stub.pyi")
_CLASSES = [node for node in ast.parse(_STUB.read_text()).body if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("described", _CLASSES, ids=lambda node: node.name)
def test_a_class_is_there_with_its_bases(described: ast.ClassDef) -> None:
    """Each described class exists with the described bases."""
    kind = getattr(verifiers_release, described.name)

    bases = [vars(verifiers_release).get(ast.unparse(base), Exception) for base in described.bases]

    assert all(issubclass(kind, base) for base in bases)


@foreign_warnings
def test_members_take_what_they_are_given(tmp_path: Path) -> None:
    """Each described method and attribute exists, with the described arguments."""
    environment = make("true", write_task(tmp_path, "true"))
    (described,) = (node for node in _CLASSES if node.name == "CliAgentEnv")

    wrong = [message for node in described.body if (message := _wrong(environment, node)) is not None]

    assert wrong == []


def _wrong(environment: Any, node: ast.stmt) -> str | None:
    if isinstance(node, ast.AnnAssign):
        name = ast.unparse(node.target)
        return None if hasattr(environment, name) else f"{name} is missing"
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if node.name == "__init__":
        return None  # `OPTIONS` is read off it
    released: Any = inspect.getattr_static(verifiers_release.CliAgentEnv, node.name, None)
    member = getattr(environment, node.name) if released is None else released
    if inspect.iscoroutinefunction(member) != isinstance(node, ast.AsyncFunctionDef):
        return f"{node.name} waits, or does not"
    positional = [None] * (len(node.args.posonlyargs) or (released is None))
    named = {one.arg: None for one in [*node.args.args, *node.args.kwonlyargs] if released is not None}
    try:
        inspect.signature(member).bind(*positional, **named)
    except TypeError as error:
        return f"{node.name}: {error}"
    return None
