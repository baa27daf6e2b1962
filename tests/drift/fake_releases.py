"""Stand-ins for releases of Harbor: the built-in runner, and faulty ones."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from parity.drift.releases import Release
from parity.runners import CleanRoom

OLD = Release("harbor 1.0", CleanRoom(), "CPython 3.12.1, pydantic 2.13.4")


def release(runner: object) -> Release:
    """Return the newer release, which answers like the runner."""
    return Release("harbor 2.0", runner, "CPython 3.12.1, pydantic 2.14.0")


def opening(runner: object) -> object:
    """Return a replacement for `opened` that provides two releases at once."""

    @contextmanager
    def opened(*given: object) -> Iterator[tuple[Release, Release]]:
        yield OLD, release(runner)

    return opened


def opening_one(runners: Mapping[str, object]) -> object:
    """Return a replacement for `opened_release`."""

    @contextmanager
    def opened_release(name: str, *given: object) -> Iterator[Release]:
        yield release(runners[name])

    return opened_release
