"""Number grammars of rewards and results.

reward.txt is read by Python's `float()`, and a string in place of a number in result.json by `float()` and `int()`. A
JSON string in reward.json is read by pydantic, which tries a float first and then an int. Each grammar has its own
rules for underscores, padding and zeros, and none is Python's literal syntax. Rules: `reward-text/*`,
`reward-json/number-string`, `reward-json/integer-string`, `outcome/count`, `outcome/metric-value`.
"""

import re

from parity.scorer.series import Series
from parity.scorer.values import Number

# Code points of the zeros of decimal digits that Unicode gained after 15.1. CPython 3.14 reads them.
_NEW_ZEROS = (0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x16130, 0x16D70, 0x1CCF0, 0x1E5F1)
_NEW_DIGITS = {zero + digit: str(digit) for zero in _NEW_ZEROS for digit in range(10)}

# Characters that Rust's `trim` removes: Unicode's White_Space, without U+001C to U+001F.
_RUST_SPACES = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_FLOAT = re.compile(r"[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.ASCII | re.IGNORECASE)
_INT = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_MAX_INT_DIGITS = 4300


def python_float(string: str, series: Series) -> float:
    """Return `float(string)` as an interpreter of `series` reads it.

    Raises:
        ValueError: the string is not a number.
    """
    # Rules: reward-text/padding, reward-text/unicode-padding, reward-text/separators, reward-text/underscore,
    #   reward-text/spelling, reward-number/rounding, reward-number/sign-of-zero, reward-number/non-finite
    return float(_with_known_digits(string, series))


def python_int(string: str, series: Series) -> int:
    """Return `int(string)` as an interpreter of `series` reads it: at most 4300 digits.

    Raises:
        ValueError: the string is not an integer.
    """
    return int(_with_known_digits(string, series))


def plain_new_digits(string: str) -> str:
    """Replace the digits that only `Series.PY314` reads by 0 to 9."""
    return string if string.isascii() else string.translate(_NEW_DIGITS)


def _with_known_digits(string: str, series: Series) -> str:
    """Replace newer digits by 0 to 9; raise ValueError if the series does not know them."""
    plain = plain_new_digits(string)
    # Rule: reward-text/digits
    if plain != string and series is not Series.PY314:
        raise ValueError("digits that this interpreter series does not know")
    return plain


def lax_number(string: str) -> Number | None:
    """Read a string as pydantic does for `float | int`; return None if pydantic refuses it.

    The result is a float whenever the float grammar accepts the string, so `"1"` is 1.0. The int grammar decides the
    rest: `" 1_0"` is 10, because only ints may have both padding and underscores.
    """
    # Rule: reward-json/number-string
    number = lax_float(string)
    # Rule: reward-json/integer-string
    return lax_int(string) if number is None else number


def lax_float(string: str) -> float | None:
    """Read a string as pydantic does for a float; return None if pydantic refuses it."""
    stripped = string.strip(_RUST_SPACES)
    if _FLOAT.fullmatch(stripped):
        return float(stripped)
    joined = _without_underscores(string)
    return float(joined) if joined is not None and _FLOAT.fullmatch(joined) else None


def lax_int(string: str) -> int | None:
    """Read a string as pydantic does for an int; return None if pydantic refuses it.

    Padding, one sign, leading zeros, single underscores between digits, and zero decimals at the end (`.000`) are
    allowed.
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
    # After leading zeros pydantic lets a second sign stand: "0-1" is -1, while "-0-1" is refused.
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
