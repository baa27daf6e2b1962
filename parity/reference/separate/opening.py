"""Opens a release of Harbor by its name, in an environment of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from parity.reference.separate.client import SeparateReference
from parity.reference.separate.making import Say, is_release, python_of


@contextmanager
def opened_release(name: str, say: Say) -> Iterator[SeparateReference]:
    """Start a release, and end its process with the context.

    Args:
        name: a version, `newest`, `pre`, or an interpreter with a release installed. A missing environment is made.
        say: a function that shows a line of progress to the user.

    Raises:
        WheelError: the environment cannot be made or started, or its Harbor cannot be trusted.
        ReferenceLost: the release gives no answer; raised inside the context.
    """
    release = SeparateReference(str(python_of(name, say)) if is_release(name) else name)
    try:
        yield release
    finally:
        release.close()
