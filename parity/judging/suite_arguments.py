"""Arguments that the suite and `parity check` share: the suite's own for pytest, and numbers of seconds."""

import argparse
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_MOST = 1_000_000


def suite_arguments() -> list[str]:
    """Return `parity/` if the current folder contains this package, else the arguments that name the package."""
    here = Path("parity")
    return ["parity/"] if here.is_dir() and here.samefile(_PACKAGE) else ["--pyargs", "parity"]


def seconds(text: str) -> float:
    """Read a number of seconds above 0.

    Raises:
        argparse.ArgumentTypeError: the text is not such a number.
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if number >= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is too long; give less than {_MOST:,} seconds")
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number
