"""The reference where Harbor is not asked: what is recorded of it in the golden files, and nothing else."""

import platform

from parity.operations.goldens import GoldenError, golden_folder, read_manifest
from parity.reference.identity import Identity
from parity.scorer.series import Series


class GoldenOnly:
    """Answers no operation, so that a golden vector's recorded answer stands."""

    name = "the golden vectors"


def recorded_identity() -> Identity:
    """The reference that the golden files were recorded from, and the interpreter that reads them.

    Raises:
        GoldenError: their manifest is missing or damaged.
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
