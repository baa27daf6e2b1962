"""The identity of a reference: everything that can change the bits or the text of its answers.

The reference of `--reference golden`, which asks no Harbor, has the identity of the one that was recorded.
"""

import platform
from dataclasses import dataclass
from importlib.metadata import version

from parity.operations.goldens import GoldenError, golden_directory, read_manifest
from parity.reference.releases import HARBOR_VERSION, trusted_hash, wheel_hashes
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

    @property
    def trust(self) -> str:
        """A phrase for texts if the wheel's hash is not a published one, else nothing."""
        return "" if self.harbor in wheel_hashes() else ", unverified: its hash was recorded at first use"


def read_identity(release: str = HARBOR_VERSION) -> Identity:
    """Return the identity of the installed reference, of a release that `verify_wheel` has returned."""
    return Identity(
        harbor=release,
        wheel=trusted_hash(release) or "",
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=version("pydantic"),
        pydantic_core=version("pydantic-core"),
    )


class GoldenOnly:
    """A reference that answers no operation, so that the recorded answers of golden vectors count."""

    name = "the golden vectors"


def recorded_identity() -> Identity:
    """Return the identity of the reference that was recorded, and of the interpreter that runs now.

    Raises:
        GoldenError: the manifest of the golden files is missing or damaged.
    """
    recorded = read_manifest()
    if not {"harbor", "wheel", "pydantic", "pydantic_core"} <= recorded.keys():
        raise GoldenError(f"{golden_directory() / 'manifest.json'}: lacks the recorded releases; restore golden/")
    return Identity(
        harbor=str(recorded["harbor"]),
        wheel=str(recorded["wheel"]),
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=str(recorded["pydantic"]),
        pydantic_core=str(recorded["pydantic_core"]),
    )
