"""Imports the third-party package that a bridge tests, and suppresses the package's logs and warnings."""

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
        modules: dotted names, the most likely one first.
        install: the requirement for pip, which the error message contains.

    Raises:
        ImportError: no module is installed; the message tells what to install.
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
    """Return a name for a runner: the distribution, its installed release, and the tested reward path."""
    return " ".join(filter(None, (distribution, version(distribution), what)))


@contextmanager
def quietly() -> Iterator[None]:
    """Suppress logs and warnings from third parties, which this kit cannot fix."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
