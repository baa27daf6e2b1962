"""pytest's arguments for the suite, in commands that can be followed from the current folder."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def suite_arguments() -> list[str]:
    """The folder of this very package, where it is at hand; else its name."""
    here = Path("parity")
    return ["parity/"] if here.is_dir() and here.samefile(_PACKAGE) else ["--pyargs", "parity"]
