"""Which reference gave an answer: everything that can move its bits or its text."""

import platform
from dataclasses import dataclass
from importlib.metadata import version

from parity.reference.releases import HARBOR_VERSION, wheel_hashes
from parity.scorer.series import Series


@dataclass(frozen=True)
class Identity:
    """A verified reference and the environment that it ran in."""

    harbor: str
    wheel: str
    """sha256 over the files that the wheel ships."""

    implementation: str
    python: str
    series: Series
    pydantic: str
    pydantic_core: str


def read_identity(release: str = HARBOR_VERSION) -> Identity:
    """The identity of a reference that `verify_wheel` has passed, which is this release."""
    return Identity(
        harbor=release,
        wheel=wheel_hashes()[release],
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=version("pydantic"),
        pydantic_core=version("pydantic-core"),
    )
