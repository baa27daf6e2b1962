"""The reference: the installed wheel of Harbor, asked through its own classes; `harbor==0.13.1`, if none is named.

The only place in the kit that imports Harbor. Importing this package does not; `open_reference` verifies
the wheel first, then imports it with its network access switched off. `separate` asks one in another environment.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from parity.reference.consumer import DescribedConsumer
from parity.reference.coverage import Monitor, Places, ScoringModule, open_monitor, places_of
from parity.reference.environment import ENVIRONMENT_FILE, is_as_recorded, unpinned_packages
from parity.reference.guard import NotInstalledError, WheelError, verify_wheel
from parity.reference.identity import Identity, read_identity
from parity.reference.released import installed_release
from parity.reference.releases import HARBOR_VERSION, constraints_of
from parity.reference.separate.client import SeparateReference
from parity.reference.separate.lost import ReferenceLost

if TYPE_CHECKING:
    from parity.operations.job_stats.job_plans import RealJobPlan
    from parity.reference.authorities import Authorities
    from parity.reference.job_histories import RealHistories
    from parity.reference.wheel import Wheel

__all__ = [
    "ENVIRONMENT_FILE",
    "Identity",
    "NotInstalledError",
    "Reference",
    "ReferenceLost",
    "SeparateReference",
    "WheelError",
    "load_for",
    "open_reference",
    "read_identity",
    "real_histories",
    "unpinned_packages",
    "verify_wheel",
]


# Harbor's dependencies fetch a price table when they are imported, unless they are forbidden to before that.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
# From 0.20 on, a job of Harbor's reports how it is used, from a process of its own.
os.environ["HARBOR_TELEMETRY"] = "off"


@dataclass(frozen=True)
class Reference:
    """The verified wheel and what it is exactly, and whoever has the word on each operation."""

    identity: Identity
    wheel: "Wheel"
    authorities: "Authorities"
    """As a runner: the wheel, and the scoring description where no wheel answers."""

    lacking: Mapping[str, str]
    """The operations that this release does not answer, each with the reason."""

    @cached_property
    def unpinned(self) -> list[str]:
        """See `unpinned_packages`."""
        return unpinned_packages(constraints_of(self.identity.harbor))

    @cached_property
    def is_as_recorded(self) -> bool:
        """See `parity.reference.environment.is_as_recorded`."""
        return is_as_recorded()

    @property
    def verifiers(self) -> str | None:
        """See `installed_release`."""
        return installed_release()

    def load(self, operation: str) -> None:
        """See `load_for`."""
        load_for(operation, self.identity.harbor)

    def open_monitor(self) -> Monitor:
        """See `parity.reference.coverage.open_monitor`."""
        return open_monitor()

    def places_of(self, module: ScoringModule) -> Places:
        """See `parity.reference.coverage.places_of`."""
        return places_of(module)

    def close(self) -> None:
        """Nothing is left open."""


def open_reference(release: str | None = HARBOR_VERSION) -> Reference:
    """Verify the installed wheel and import it.

    Args:
        release: which one it has to be; any that is known, where None.

    Raises:
        NotInstalledError: harbor is missing.
        WheelError: it is of another version, edited or incomplete.
    """
    identity = read_identity(verify_wheel(release))
    with _importing(identity.harbor):
        from parity.reference.authorities import Authorities
        from parity.reference.lacking import lacking
        from parity.reference.wheel import Wheel

        wheel = Wheel()
        lacks = lacking(identity.harbor)
    return Reference(identity, wheel, Authorities(wheel, DescribedConsumer(), lacks), lacks)


def load_for(operation: str, release: str = HARBOR_VERSION) -> None:
    """Import now what the wheel needs for this operation alone, so that its first case does not pay for it.

    Raises:
        WheelError: it cannot be imported.
    """
    with _importing(release):
        from parity.reference.wheel import OWN_MODULES

        if operation in OWN_MODULES:
            import_module(OWN_MODULES[operation])


def real_histories(reference: object, plan: "RealJobPlan", ended: int) -> "RealHistories":
    """What comes of real jobs, by whichever reference; see `parity.reference.job_histories.killed_and_resumed`."""
    if isinstance(reference, SeparateReference):
        histories: RealHistories = reference.call("real_histories", plan, ended)
        return histories
    from parity.reference.job_histories import killed_and_resumed

    return killed_and_resumed(plan, ended)


@contextmanager
def _importing(release: str) -> Iterator[None]:
    """Say what to do where Harbor cannot be imported.

    Raises:
        WheelError: an import fails.
    """
    try:
        yield
    except Exception as error:  # a half-installed dependency may fail in any way
        problem = f"harbor is intact, but cannot be imported: {type(error).__name__}: {' '.join(str(error).split())}"
        wanted = "harbor" if release == HARBOR_VERSION else f"harbor=={release}"  # the constraints have the former
        raise WheelError(problem, f"pip install --force-reinstall -c {constraints_of(release)} {wanted}") from error
