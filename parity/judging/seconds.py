"""A number of seconds, as options take it."""

import argparse

_MOST = 1_000_000


def seconds(text: str) -> float:
    """A time above 0.

    Raises:
        argparse.ArgumentTypeError: it is none.
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
