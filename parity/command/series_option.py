"""The option `--series`: the Python release whose arithmetic is used."""

import argparse

from parity.scorer import OFFICIAL, Series

_NAMES = {"3.12": Series.PY312, "3.13": Series.PY312, "3.14": Series.PY314}


def add_series(parser: argparse.ArgumentParser) -> None:
    """Add the option to a subcommand."""
    parser.add_argument(
        "--series",
        type=_series,
        default=OFFICIAL,
        metavar="{" + ",".join(_NAMES) + "}",
        help="the Python release whose sums and digits are computed; 3.13 is the same as 3.12 (default: %(default)s, "
        "the release of published scores)",
    )


def _series(name: str) -> Series:
    if name not in _NAMES:
        raise argparse.ArgumentTypeError(f"choose {', '.join(_NAMES)}, not {name!r}")
    return _NAMES[name]
