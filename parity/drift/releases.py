"""Starts releases of Harbor, each in its own environment."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from parity.reference import SeparateReference
from parity.reference.separate.making import is_release, python_of

type Say = Callable[[str], None]


@dataclass(frozen=True)
class Release:
    """A release that can be asked."""

    label: str
    """The name in texts, such as `harbor 0.24.0`; the two releases have different labels."""

    runner: object
    """The object that `parity.runners.asking` asks."""

    environment: str = ""
    """The interpreter and the packages that can change bits and texts of answers."""

    lacking: Mapping[str, str] = field(default_factory=dict)
    """The operations that the release does not answer, each with the reason."""


@contextmanager
def opened(old: str, new: str, say: Say) -> Iterator[tuple[Release, Release]]:
    """Start both releases, and end their processes with the context.

    Args:
        old: a version, `newest`, `pre`, or an interpreter with a release installed. A missing environment is made.
        new: the other release.
        say: a function that shows a line of progress to the user.

    Raises:
        WheelError: an environment cannot be made or started, or its Harbor cannot be trusted.
        ReferenceLost: a release gives no answer; raised inside the context.
    """
    first = _started(old, say)
    try:
        second = _started(new, say)
        try:
            yield _labelled((old, first), (new, second))
        finally:
            second.close()
    finally:
        first.close()


@contextmanager
def opened_release(name: str, say: Say) -> Iterator[Release]:
    """Start one release; see `opened`."""
    started = _started(name, say)
    try:
        yield _release(f"harbor {started.identity.harbor}", started)
    finally:
        started.close()


def _started(name: str, say: Say) -> SeparateReference:
    return SeparateReference(str(python_of(name, say)) if is_release(name) else name)


def _labelled(*started: tuple[str, SeparateReference]) -> tuple[Release, Release]:
    """Return the releases with the shortest labels that differ."""
    candidates = [
        [f"harbor {reference.identity.harbor}" for _, reference in started],
        [f"harbor {reference.identity.harbor}, Python {reference.identity.python}" for _, reference in started],
        [f"harbor {reference.identity.harbor} of {name}" for name, reference in started],
        [f"harbor {reference.identity.harbor} [{number}]" for number, (_, reference) in enumerate(started, 1)],
    ]
    labels = next(each for each in candidates if len(set(each)) == len(each))
    first, second = (_release(label, reference) for label, (_, reference) in zip(labels, started, strict=True))
    return first, second


def _release(label: str, reference: SeparateReference) -> Release:
    identity = reference.identity
    environment = f"{identity.implementation} {identity.python}, pydantic {identity.pydantic}{identity.trust}"
    return Release(label, reference, environment, reference.lacking)
