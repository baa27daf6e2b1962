"""How faulty runners replace a part of the kit's own code while they answer."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from types import ModuleType
from typing import Any
from unittest import mock

from pydantic import BaseModel

from parity.driver import task_file
from tests.faulty.fault import Patch, Patching

type Change = Callable[[str], str]


def patching[C: Callable[..., Any]](patch: Callable[[C], Patch]) -> Callable[[C], Patching]:
    """Make a decorator of a function that says what is replaced, and how that is made of the change below it."""
    return lambda change: Patching(change, lambda: patch(change))


@patching
def while_patched(patch: Callable[[], Patch]) -> Patch:
    """What the function below says is replaced."""
    return patch()


def instead_of(owner: object, *names: str) -> Callable[[Callable[..., Any]], Patching]:
    """The function below replaces one of the kit; it is given the one that it replaces, and then what that is given."""

    def patch(change: Callable[..., Any]) -> Patch:
        stack = ExitStack()
        for name in names:
            stack.enter_context(replaced(owner, name, lambda original: lambda *a, **b: change(original, *a, **b)))
        return stack

    return patching(patch)


def replaced(owner: object, name: str, change: Callable[[Any], Any]) -> Patch:
    """A function of the kit replaced by one that is made of it."""
    return mock.patch.object(owner, name, change(getattr(owner, name)))


def each_task_toml(change: Callable[[dict[str, Any]], None]) -> Patching:
    """Change the values of each task.toml before they are read."""

    @instead_of(task_file, "read_toml")
    @wraps(change)
    def read(original: Any, text: str) -> dict[str, Any]:
        values: dict[str, Any] = original(text)
        change(values)
        return values

    return read


def agents_of(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of a task.toml for the agent: the task's, and those of its steps."""
    tables = [part.get("agent") for part in (values, *values.get("steps", ())) if isinstance(part, dict)]
    return [table for table in tables if isinstance(table, dict)]


def altered[Model: BaseModel](model: Model, **changes: Any) -> Model:
    """Return a model with other values in some of its fields."""
    return model.model_copy(update=changes)


async def agent_ends_as_error(original: Any, *arguments: Any, **options: Any) -> Any:
    """What ends the program becomes an error of the agent."""
    try:
        return await original(*arguments, **options)
    except (SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(str(error)) from error


def with_texts(change: Change, *modules: ModuleType) -> Patch:
    """Documents of these modules are written in another way."""
    stack = ExitStack()
    for module in modules:
        stack.enter_context(replaced(module, "text_of", lambda original: lambda tree: change(original(tree))))
    return stack


def indented_by_two(text: str) -> str:
    """Two blanks a level instead of four."""
    return re.sub(r"(?m)^ +", lambda blanks: blanks[0][::2], text)


def as_python_spells(text: str) -> str:
    """Exponents of two digits."""
    return re.sub(r"(\de[+-])(\d)\b", r"\g<1>0\2", text)


def as_ascii(text: str) -> str:
    """What is not ASCII as escapes."""
    return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)


def twice(key: str, text: str) -> str:
    """A key with its value twice."""
    return re.sub(rf'(\n +"{key}": [^\n]*,)', r"\1\1", text)


def in_milliseconds(text: str) -> str:
    """Times with three digits of a second's fraction."""
    return re.sub(r"(T\d\d:\d\d:\d\d\.\d{3})\d{3}", r"\1", text)
