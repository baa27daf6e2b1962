"""Stand-ins for releases of Harbor: the built-in runner, and faulty ones."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from parity.drift.releases import Release
from parity.runners import CleanRoom

OLD = Release("harbor 1.0", CleanRoom(), "CPython 3.12.1, pydantic 2.13.4")


def release(runner: object) -> Release:
    """The newer release, which answers as the runner does."""
    return Release("harbor 2.0", runner, "CPython 3.12.1, pydantic 2.14.0")


def opening(runner: object) -> object:
    """What takes the place of `opened`: two releases that are there already."""

    @contextmanager
    def opened(*given: object) -> Iterator[tuple[Release, Release]]:
        yield OLD, release(runner)

    return opened


def opening_one(runners: Mapping[str, object]) -> object:
    """What takes the place of `opened_release`."""

    @contextmanager
    def opened_release(name: str, *given: object) -> Iterator[Release]:
        yield release(runners[name])

    return opened_release
