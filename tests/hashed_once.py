"""Lets jobs of the wheel hash each task's folder once, and not for each of its trials, which takes half their time."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from harbor.publisher.packager import Packager


@contextmanager
def hashed_once() -> Iterator[None]:
    """For jobs whose tasks stay as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Packager, "compute_content_hash", staticmethod(cache(Packager.compute_content_hash)))
        yield
