"""The reference: the installed wheel of Harbor, called through its own classes; by default `harbor==0.13.1`.

Only this package imports Harbor, and not when it is imported itself: `open_reference` verifies the wheel first, and
then imports it with its network access switched off. `separate` asks a wheel in another environment.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from parity.reference.guard import NotInstalledError, WheelError, verify_wheel
from parity.reference.identity import Identity, read_identity
from parity.reference.releases import (
    ENVIRONMENT_FILE,
    HARBOR_VERSION,
    constraints_of,
    is_as_recorded,
    unpinned_packages,
)
from parity.reference.separate.client import ReferenceLost, SeparateReference

if TYPE_CHECKING:
    from parity.reference.wheel import Wheel

__all__ = [
    "ENVIRONMENT_FILE",
    "Identity",
    "NotInstalledError",
    "Reference",
    "ReferenceLost",
    "SeparateReference",
    "WheelError",
    "open_reference",
    "read_identity",
    "unpinned_packages",
    "verify_wheel",
]


# Without this, Harbor's dependencies fetch a price table when they are imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
# From 0.20 on, a Harbor job sends usage statistics from a separate process.
os.environ["HARBOR_TELEMETRY"] = "off"


@dataclass(frozen=True)
class Reference:
    """The verified wheel and its identity."""

    identity: Identity
    wheel: "Wheel"
    """The wheel as a runner."""

    lacking: Mapping[str, str]
    """The operations that this release does not answer, each with the reason."""

    @cached_property
    def unpinned(self) -> list[str]:
        """Installed packages that differ from the pinned ones; see `unpinned_packages`."""
        return unpinned_packages(constraints_of(self.identity.harbor))

    @cached_property
    def is_as_recorded(self) -> bool:
        """Whether this is the environment of the recorded answers; see `releases.is_as_recorded`."""
        return is_as_recorded()

    def load(self, operation: str) -> None:
        """Import the wheel's modules for this operation now, so that the first case does not take longer.

        Raises:
            WheelError: the import fails.
        """
        with _importing(self.identity.harbor):
            from parity.reference.wheel import OWN_MODULES

            if operation in OWN_MODULES:
                import_module(OWN_MODULES[operation])

    def close(self) -> None:
        """Do nothing: this reference holds nothing open."""


def open_reference(release: str | None = HARBOR_VERSION) -> Reference:
    """Verify the installed wheel and import it.

    Args:
        release: the required release; None allows any known release.

    Raises:
        NotInstalledError: harbor is not installed.
        WheelError: the installed harbor is a different release, edited or incomplete.
    """
    identity = read_identity(verify_wheel(release))
    with _importing(identity.harbor):
        from parity.reference.wheel import Wheel, lacking_operations

        lacking = lacking_operations(identity.harbor)
        return Reference(identity, Wheel(lacking), lacking)


@contextmanager
def _importing(release: str) -> Iterator[None]:
    """Raise a WheelError with the remedy if importing Harbor fails inside the `with` block.

    Raises:
        WheelError: an import fails.
    """
    try:
        yield
    except Exception as error:  # a half-installed dependency may fail in any way
        problem = f"harbor is intact, but cannot be imported: {type(error).__name__}: {' '.join(str(error).split())}"
        # For the pinned release, the constraints have the version.
        package = "harbor" if release == HARBOR_VERSION else f"harbor=={release}"
        raise WheelError(problem, f"pip install --force-reinstall -c {constraints_of(release)} {package}") from error
