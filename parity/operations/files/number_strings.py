"""Strings that spell numbers: which of them pydantic reads, and digits that only new interpreters read."""

from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

_NUMBER: TypeAdapter[float | int] = TypeAdapter(float | int)

_NEW_ZEROS = (0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x16130, 0x16D70, 0x1CCF0, 0x1E5F1)
"""The zeros of the blocks of digits that Unicode 16 added. CPython reads their digits from 3.14 on."""

_OLD_DIGITS = {zero + digit: str(digit) for zero in _NEW_ZEROS for digit in range(10)}


@lru_cache(1024)
def number_in(string: str) -> float | int | None:
    """Return the number that pydantic reads in a string, as in a reward; None if it reads none."""
    try:
        return _NUMBER.validate_python(string)
    except ValidationError:
        return None


def with_old_digits(string: str) -> str:
    """Replace digits that CPython reads only from 3.14 on with 0 to 9."""
    return string.translate(_OLD_DIGITS)
