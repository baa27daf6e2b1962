"""pytest's arguments for the suite, for commands that are shown to the user."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def suite_arguments() -> list[str]:
    """Return `parity/` if the current folder contains this package, else the arguments that name the package."""
    here = Path("parity")
    return ["parity/"] if here.is_dir() and here.samefile(_PACKAGE) else ["--pyargs", "parity"]
