"""Which reference gave an answer: everything that can move its bits or its text."""

import platform
from dataclasses import dataclass
from importlib.metadata import version

from parity.reference.guard import HARBOR_VERSION, WHEEL_HASH
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


def read_identity() -> Identity:
    """The identity of a reference that `verify_wheel` has passed."""
    return Identity(
        harbor=HARBOR_VERSION,
        wheel=WHEEL_HASH,
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=version("pydantic"),
        pydantic_core=version("pydantic-core"),
    )
