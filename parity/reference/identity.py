"""The identity of a reference: everything that can change the bits or the text of its answers.

With `--reference golden`, Harbor is not called, and the identity is the recorded one.
"""

import platform
from dataclasses import dataclass
from importlib.metadata import version

from parity.operations.goldens import GoldenError, golden_directory, read_manifest
from parity.operations.series import running_series
from parity.reference.releases import HARBOR_VERSION, trusted_hash, wheel_hashes
from parity.scorer.series import Series


@dataclass(frozen=True)
class Identity:
    """A verified reference and its environment."""

    harbor: str
    wheel: str
    """SHA-256 hash over the files in the wheel."""

    implementation: str
    python: str
    series: Series
    pydantic: str
    pydantic_core: str

    @property
    def trust(self) -> str:
        """A phrase for messages if the wheel's hash is not a published one; else an empty string."""
        return "" if self.harbor in wheel_hashes() else ", unverified: its hash was recorded at first use"


def read_identity(release: str = HARBOR_VERSION) -> Identity:
    """Return the identity of the installed reference. The release must be the one that `verify_wheel` has returned."""
    return Identity(
        harbor=release,
        wheel=trusted_hash(release) or "",
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=running_series(),
        pydantic=version("pydantic"),
        pydantic_core=version("pydantic-core"),
    )


class GoldenOnly:
    """A reference that answers no operation, so that the golden vectors' recorded answers are used."""

    name = "the golden vectors"


def recorded_identity() -> Identity:
    """Return the recorded reference's identity, with the interpreter that runs now.

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
        series=running_series(),
        pydantic=str(recorded["pydantic"]),
        pydantic_core=str(recorded["pydantic_core"]),
    )
