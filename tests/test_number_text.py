"""Tests for pydantic's number grammars, with every short string of the relevant characters."""

import itertools
import json
import unicodedata

import pytest
from pydantic import TypeAdapter, ValidationError

from parity.operations.compare import compare
from parity.operations.files.decimal_digits import ZEROS
from parity.operations.files.number_strings import with_old_digits
from parity.scorer import Series
from parity.scorer.number_text import lax_number, plain_new_digits, python_float

_ADAPTER: TypeAdapter[float | int] = TypeAdapter(float | int)


def _pydantic(text: str) -> float | int | None:
    try:
        return _ADAPTER.validate_python(text)
    except ValidationError:
        return None


@pytest.mark.parametrize(
    ("alphabet", "length"),
    [("01_.+- ", 6), ("0_.1-", 7), ("1_.e+-0", 5), ("infa_ -", 6), ("nai_+ ", 6), ("1\x1c\x85\u2003\u200b_", 5)],
)
def test_short_strings_are_read_as_by_pydantic(alphabet: str, length: int) -> None:
    """The clean room and pydantic read every short string as the same number, or both refuse it."""
    disagreements = [
        text
        for size in range(length + 1)
        for text in map("".join, itertools.product(alphabet, repeat=size))
        if compare(_pydantic(text), lax_number(text))
    ]

    assert disagreements == []


def test_digits_agree_with_the_unicode_database() -> None:
    """The table of new digits agrees with the interpreter's own Unicode database."""
    digits = [chr(point) for point in range(0x80, 0x110000) if chr(point).isdecimal()]

    read = {digit: python_float(digit, Series.PY314) for digit in digits}

    assert read == {digit: float(digit) for digit in digits}
    assert json.dumps(sorted(set(read.values()))) == json.dumps([float(digit) for digit in range(10)])


def test_blocks_of_digits_are_complete() -> None:
    """The blocks of digits from which cases are drawn include all that the interpreter knows."""
    zeros = {point for point in range(0x80, 0x110000) if unicodedata.digit(chr(point), None) == 0}
    zeros = {zero for zero in zeros if chr(zero).isdecimal()}

    read = [python_float(chr(zero + 5), Series.PY314) for zero in ZEROS]

    assert zeros <= set(ZEROS)
    assert read == [5.0] * 75


def test_both_sides_know_the_same_new_digits() -> None:
    """The suite and the clean room replace the same digits, each by a table of its own."""
    digits = "".join(chr(zero + digit) for zero in ZEROS for digit in range(-1, 11))

    assert with_old_digits(digits) == plain_new_digits(digits)
