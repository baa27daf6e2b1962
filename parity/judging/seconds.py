"""Reads a number of seconds from an option."""

import argparse

_MOST = 1_000_000


def seconds(text: str) -> float:
    """Read a number of seconds above 0.

    Raises:
        argparse.ArgumentTypeError: the text is no such number.
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
