"""A variant of the scorer, and the decorator that makes one from a function."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from parity.runners import CleanRoom

type Answer = Callable[..., Any]
"""Returns a variant's answer, given the built-in runner and the arguments of an operation."""


@dataclass(frozen=True)
class Variant:
    """The scorer with one algorithm replaced by what people write instead."""

    name: str
    operation: str
    equivalent: str | None
    """Why no input can tell the variant from the scorer; None if a vector tells it."""

    answer: Answer

    def runner(self) -> SimpleNamespace:
        """Return a runner that has only the variant's operation."""
        return SimpleNamespace(name=self.name, **{self.operation: partial(self.answer, CleanRoom())})


VARIANTS: dict[str, Variant] = {}
"""All variants, by operation and name, such as `aggregate/MetricFsum`."""


def add(variant: Variant) -> None:
    """Register a variant; raise ValueError if its operation has another with its name."""
    name = f"{variant.operation}/{variant.name}"
    if name in VARIANTS:
        raise ValueError(f"two variants have the name {name}")
    VARIANTS[name] = variant


def variant(operation: str, name: str = "", *, equivalent: str | None = None) -> Callable[[Answer], Answer]:
    """Decorate a function to register it as a variant.

    The function's arguments are the built-in runner and the arguments of the operation. A second decorator below this
    one can pass other arguments.

    Args:
        operation: the operation's name.
        name: the variant's name; by default, the function's.
        equivalent: why no input can tell the variant from the scorer; None if golden vectors tell it.
    """

    def register(answer: Answer) -> Answer:
        add(Variant(name or answer.__name__, operation, equivalent, answer))
        return answer

    return register
