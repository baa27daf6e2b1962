"""Two releases of Harbor to be asked the same, each in an environment of its own."""

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
    """Such as `harbor 0.24.0`; no other release that it is compared with has it."""

    runner: object
    """What `parity.runners.asking` asks."""

    environment: str = ""
    """The interpreter and the packages that decide bits and texts."""

    lacking: Mapping[str, str] = field(default_factory=dict)
    """Operation that it does not answer to the reason."""


@contextmanager
def opened(old: str, new: str, say: Say) -> Iterator[tuple[Release, Release]]:
    """Both releases, whose processes are ended with the context.

    Args:
        old: a version, whose environment is made where it is missing, or an interpreter that has a release.
        new: the other one.
        say: shows a line to whoever waits.

    Raises:
        WheelError: one cannot be made or started, or its Harbor cannot be trusted.
        ReferenceLost: raised in the context where one gives no answer.
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
    """One release alone; see `opened`."""
    started = _started(name, say)
    try:
        yield _release(f"harbor {started.identity.harbor}", started)
    finally:
        started.close()


def _started(name: str, say: Say) -> SeparateReference:
    return SeparateReference(str(python_of(name, say)) if is_release(name) else name)


def _labelled(*started: tuple[str, SeparateReference]) -> tuple[Release, Release]:
    """With as much in each label as it takes to distinguish them."""
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
    environment = f"{identity.implementation} {identity.python}, pydantic {identity.pydantic}"
    return Release(label, reference, environment, reference.lacking)
