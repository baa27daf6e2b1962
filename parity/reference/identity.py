"""The identity of a reference: everything that can change the bits or the text of its answers."""

import platform
from dataclasses import dataclass
from importlib.metadata import version

from parity.reference.releases import HARBOR_VERSION, wheel_hashes
from parity.scorer.series import Series


@dataclass(frozen=True)
class Identity:
    """A verified reference and its environment."""

    harbor: str
    wheel: str
    """sha256 over the files that the wheel ships."""

    implementation: str
    python: str
    series: Series
    pydantic: str
    pydantic_core: str


def read_identity(release: str = HARBOR_VERSION) -> Identity:
    """Return the identity of the installed reference, of a release that `verify_wheel` has returned."""
    return Identity(
        harbor=release,
        wheel=wheel_hashes()[release],
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=version("pydantic"),
        pydantic_core=version("pydantic-core"),
    )
