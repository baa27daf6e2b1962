"""The grammars of numbers in reward files and in result.json.

Python's `float()` reads reward.txt. `float()` and `int()` read a string in place of a number in result.json. pydantic
reads a JSON string in reward.json: first as a float, then as an int. Each grammar has its own rules for underscores,
padding and zeros, and none of them is the syntax of Python's literals. Rules: `reward-text/*`,
`reward-json/number-string`, `reward-json/integer-string`, `outcome/count`, `outcome/metric-value`.
"""

import re

from parity.scorer.series import Series
from parity.scorer.values import Number

# The zeros of the sets of decimal digits that were added after Unicode 15.1. CPython 3.14 reads these digits.
_NEW_ZEROS = (0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x16130, 0x16D70, 0x1CCF0, 0x1E5F1)
_NEW_DIGITS = {zero + digit: str(digit) for zero in _NEW_ZEROS for digit in range(10)}

# Characters that Rust's `trim` removes: Unicode's White_Space property, so not U+001C to U+001F.
_RUST_SPACES = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_FLOAT = re.compile(r"[+-]?(?:inf(?:inity)?|nan|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)", re.ASCII | re.IGNORECASE)
_INT = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_MAX_INT_DIGITS = 4300


def python_float(string: str, series: Series) -> float:
    """Return the value of `float(string)` in an interpreter of this series.

    Raises:
        ValueError: the string is not a number.
    """
    # Rules: reward-text/padding, reward-text/unicode-padding, reward-text/separators, reward-text/underscore,
    #   reward-text/spelling, reward-number/rounding, reward-number/sign-of-zero, reward-number/non-finite
    return float(_with_known_digits(string, series))


def python_int(string: str, series: Series) -> int:
    """Return the value of `int(string)` in an interpreter of this series.

    Raises:
        ValueError: the string is not an integer, or has more than 4300 digits.
    """
    return int(_with_known_digits(string, series))


def plain_new_digits(string: str) -> str:
    """Replace decimal digits that only `Series.PY314` reads with 0 to 9."""
    return string if string.isascii() else string.translate(_NEW_DIGITS)


def _with_known_digits(string: str, series: Series) -> str:
    """Replace the newer digits with 0 to 9; raise ValueError if the series does not know them."""
    plain = plain_new_digits(string)
    # Rule: reward-text/digits
    if plain != string and series is not Series.PY314:
        raise ValueError("digits that this interpreter series does not know")
    return plain


def lax_number(string: str) -> Number | None:
    """Read a string as pydantic does for `float | int`; return None if pydantic rejects it.

    The result is a float if the grammar of floats accepts the string, so `"1"` becomes 1.0. Otherwise the grammar of
    ints is tried: `" 1_0"` becomes 10, because only ints may have both padding and underscores.
    """
    # Rule: reward-json/number-string
    number = lax_float(string)
    # Rule: reward-json/integer-string
    return lax_int(string) if number is None else number


def lax_float(string: str) -> float | None:
    """Read a string as pydantic does for a float; return None if pydantic rejects it."""
    stripped = string.strip(_RUST_SPACES)
    if _FLOAT.fullmatch(stripped):
        return float(stripped)
    joined = _without_underscores(string)
    return float(joined) if joined is not None and _FLOAT.fullmatch(joined) else None


def lax_int(string: str) -> int | None:
    """Read a string as pydantic does for an int; return None if pydantic rejects it.

    Allowed are padding, one sign, leading zeros, single underscores between digits, and a fraction of zeros (`.000`).
    """
    digits = string.strip(_RUST_SPACES)
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits.removeprefix("+"))
    unpadded = _without_leading_zeros(digits)
    if unpadded is None:
        return None
    whole, point, decimals = unpadded.partition(".")
    if point and (not decimals or decimals.strip("0")):
        return None
    joined = _without_underscores(whole)
    # pydantic accepts a minus sign after leading zeros: "0-1" is read as -1. It rejects "-0-1".
    if joined is None or not _INT.fullmatch(sign + joined) or len(joined.removeprefix("-")) > _MAX_INT_DIGITS:
        return None
    return int(sign + joined)


def _without_leading_zeros(digits: str) -> str | None:
    if digits[:1] in set("123456789"):
        return digits
    if digits[:1] != "0":
        return None
    rest = digits.lstrip("0_")
    if rest[:1] in ("", "."):
        return digits[len(digits) - len(rest) - 1 :]
    return rest if rest[0] in set("123456789-") else None


def _without_underscores(string: str) -> str | None:
    """Remove single underscores between characters; return None if an underscore leads, trails or repeats."""
    if string.startswith("_") or string.endswith("_") or "__" in string:
        return None
    return string.replace("_", "")
