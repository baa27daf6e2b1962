"""The reference of `--reference golden`: only the answers recorded in the golden files, without Harbor."""

import platform

from parity.operations.goldens import GoldenError, golden_folder, read_manifest
from parity.reference.identity import Identity
from parity.scorer.series import Series


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
        raise GoldenError(f"{golden_folder() / 'manifest.json'}: does not name what was recorded; restore golden/")
    return Identity(
        harbor=str(recorded["harbor"]),
        wheel=str(recorded["wheel"]),
        implementation=platform.python_implementation(),
        python=platform.python_version(),
        series=Series.running(),
        pydantic=str(recorded["pydantic"]),
        pydantic_core=str(recorded["pydantic_core"]),
    )
