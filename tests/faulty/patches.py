"""How faulty runners replace a part of the driver while a trial or a job runs."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import ModuleType
from typing import Any
from unittest import mock

from parity.driver import task_models
from parity.driver.task_table import Member, Reader, Shape

type Patch = AbstractContextManager[Any]
type Change = Callable[[str], str]


def replaced(owner: object, name: str, change: Callable[[Any], Any]) -> Patch:
    """A function of the driver replaced by one that is made of it."""
    return mock.patch.object(owner, name, change(getattr(owner, name)))


def reading(table: str, key: str, read: Reader[Any]) -> Patch:
    """A key of a table read otherwise."""
    shape: Shape[Any] = getattr(task_models, table)
    member = Member(read, shape.members[key].to)
    return mock.patch.dict(shape.members, {key: member})


def agent_ends_as_error(original: Any) -> Any:
    """What ends the program becomes an error of the agent."""

    async def run(*arguments: Any, **options: Any) -> Any:
        try:
            return await original(*arguments, **options)
        except (SystemExit, KeyboardInterrupt) as error:
            raise RuntimeError(str(error)) from error

    return run


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


def twice(key: str) -> Change:
    """A key with its value twice."""
    return lambda text: re.sub(rf'(\n +"{key}": [^\n]*,)', r"\1\1", text)


def in_milliseconds(text: str) -> str:
    """Times with three digits of a second's fraction."""
    return re.sub(r"(T\d\d:\d\d:\d\d\.\d{3})\d{3}", r"\1", text)
