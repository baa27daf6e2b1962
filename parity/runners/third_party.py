"""Loads what a bridge is about, and keeps it quiet."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from types import ModuleType


def third_party(*modules: str, install: str) -> ModuleType:
    """The first of these modules that there is.

    Args:
        modules: dotted names, the likeliest first.
        install: what to install where there is none, as pip takes it.

    Raises:
        ImportError: there is none; one line that says what to install.
    """
    with quietly():
        for name in modules:
            try:
                return import_module(name)
            except ModuleNotFoundError as error:
                if not f"{name}.".startswith(f"{error.name}."):
                    raise  # something that the third party needs
    raise ImportError(f"{modules[0]} is not installed; install {install}")


def named(distribution: str, what: str = "") -> str:
    """The name of a runner: distribution, installed release, and which of its reward paths."""
    return " ".join(filter(None, (distribution, version(distribution), what)))


@contextmanager
def quietly() -> Iterator[None]:
    """Without logs and warnings that are not ours to mend."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
