"""Imports the third-party package that a bridge tests, and suppresses the package's logs and warnings."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from types import ModuleType


def third_party(module: str) -> ModuleType:
    """Import and return a module, by its dotted name.

    Raises:
        ImportError: its package is not installed; the message says what to do.
    """
    with quietly():
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise  # the third party's own dependency is missing
    raise ImportError(f"{module} is not installed; run the bridge as `python -m tests.bridges` does")


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
