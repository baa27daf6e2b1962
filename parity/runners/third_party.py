"""Imports the third-party package of a bridge, and silences its logs and warnings."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from types import ModuleType


def third_party(*modules: str, install: str) -> ModuleType:
    """Import and return the first of these modules that is installed.

    Args:
        modules: dotted names, the likeliest first.
        install: the requirement for pip, for the message if none is installed.

    Raises:
        ImportError: none is installed; the message says what to install.
    """
    with quietly():
        for name in modules:
            try:
                return import_module(name)
            except ModuleNotFoundError as error:
                if not f"{name}.".startswith(f"{error.name}."):
                    raise  # the third party's own dependency is missing
    raise ImportError(f"{modules[0]} is not installed; install {install}")


def named(distribution: str, what: str = "") -> str:
    """Return the name of a runner: its distribution, the installed release, and the name of the reward path."""
    return " ".join(filter(None, (distribution, version(distribution), what)))


@contextmanager
def quietly() -> Iterator[None]:
    """Suppress logs and warnings of third parties, which this kit cannot fix."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
