"""Imports Harbor without its clients, which take most of the time, until something of them is used.

These are litellm, with the one module of Harbor that makes tables of litellm's models, and the clients of Harbor's
registry and of its uploads. Agents that ask a language model use the former, datasets of the registry and jobs that are
uploaded the latter; the suite has none of them.
What Harbor imports of them meanwhile are placeholders. The first use of one imports what it stands for, and puts that
into Harbor's modules.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_LITELLM = "litellm"
_DEFERRED = (_LITELLM, "harbor.agents.utils", "harbor.registry.client", "harbor.upload")
_USER = "harbor"


@contextmanager
def without_clients() -> Iterator[None]:
    """Let modules that are imported meanwhile find placeholders, unless litellm has been imported already.

    This is made for harbor 0.13.1: a module that uses a placeholder while it is imported gets an ImportError.
    """
    if _LITELLM in sys.modules:
        yield
        return
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _PlaceholderModule)]:
            del sys.modules[name]


class _Finder(MetaPathFinder, Loader):
    """Finds placeholders for what is deferred."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        is_deferred = f"{name}.".startswith(tuple(f"{each}." for each in _DEFERRED))
        return ModuleSpec(name, self, is_package=True) if is_deferred else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to execute."""


class _PlaceholderModule(ModuleType):
    """A module with a placeholder for each name, while it can be imported, and the real module's members later."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is not self:
            return getattr(_loaded(self.__name__), name)
        member = _Placeholder(name, (Exception,), {"__module__": self.__name__})
        setattr(self, name, member)
        return member


class _Placeholder(type):
    """A function or a class that was not imported. A class itself, so that annotations can name it."""

    def __call__(cls, *arguments: Any, **options: Any) -> Any:
        return _loaded_member(cls)(*arguments, **options)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_loaded_member(cls), name)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _loaded_member(cls))


def _loaded_member(placeholder: type) -> Any:
    return getattr(_loaded(placeholder.__module__), placeholder.__name__)


def _loaded(name: str) -> ModuleType:
    """A deferred module, imported by now; in Harbor's modules nothing is a placeholder any more.

    Raises:
        ImportError: it is still being deferred.
    """
    module = import_module(name)
    if isinstance(module, _PlaceholderModule):
        raise ImportError(f"{name} is used while harbor is imported")
    for user in [user for known, user in sys.modules.items() if known.partition(".")[0] == _USER]:
        for member, value in [*vars(user).items()]:
            if isinstance(value, _PlaceholderModule):
                setattr(user, member, import_module(value.__name__))
            elif type(value) is _Placeholder:
                setattr(user, member, getattr(import_module(value.__module__), value.__name__))
    return module
