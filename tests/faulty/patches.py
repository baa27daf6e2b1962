"""How faulty runners replace a part of the kit's own code while they answer."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from types import ModuleType
from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Member, Reader, Shape
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


def reading(table: str, key: str, read: Reader[Any]) -> Patch:
    """A key of a table read otherwise."""
    shape: Shape[Any] = getattr(task_models, table)
    member = Member(read, shape.members[key].to)
    return mock.patch.dict(shape.members, {key: member})


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
