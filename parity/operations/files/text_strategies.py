"""Hypothesis strategies for reward.txt: numbers by the grammar of Python's `float`, near misses, undecodable bytes."""

from hypothesis import strategies as st

from parity.operations.files.decimal_digits import ZEROS, in_block
from parity.operations.files.number_strategies import choose, finite_floats, floats, halfway_decimals

ASCII_PADDING = " \t\n\r\x0b\x0c"
UNICODE_PADDING = "\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000"
NO_PADDING = "\x1c\x1f\u200b\ufeff\u2060\0"
NO_DIGITS = "\u00b2\u2460\u4e00\u0bf1"

_digits = st.text("0123456789", min_size=1, max_size=6)
_grouped = st.builds("_".join, st.lists(_digits, min_size=2, max_size=3))
_whole = st.one_of(_digits, _digits, _grouped)
_signs = st.sampled_from(["", "", "", "-", "+"])
FAR_EXPONENTS = tuple(str(2**bits + 1) for bits in (15, 16, 31, 32, 63, 64))
"""Exponents that become 1 or small if they are kept in an int of 16, 32 or 64 bits."""

_exponents = st.one_of(
    st.just(""),
    st.just(""),
    st.builds(
        "{}{}{}".format,
        st.sampled_from("eE"),
        _signs,
        st.sampled_from(["0", "5", "12", "22", "308", "309", "320", "400", "1_0", *FAR_EXPONENTS]),
    ),
)
_fractions = st.one_of(st.just(""), st.just("."), st.builds(".{}".format, _whole))

spelled = st.one_of(
    st.builds("{}{}{}{}".format, _signs, _whole, _fractions, _exponents),
    st.builds("{}.{}{}".format, _signs, _whole, _exponents),
)
"""Numbers in all spellings that `float` accepts."""

words = st.builds(
    "{}{}".format,
    _signs,
    st.sampled_from(["nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity", "Infinity", "iNfInItY", "nan(1)", "infin"]),
)

refused = st.sampled_from(
    [
        "pass", "fail", "true", "True", "None", "null", "1,0", "1,5", "1/2", "50%", "0x10", "0b1", "1__0", "_1", "1_",
        "1e", "1e+", "e5", ".", "-", "+", "--1", "+-1", "1.2.3", "1._5", "1_.5", "1e_5", "1f", "1j", "$1", "½", "",
        "1 0", "1\n2", "- 1", "1.0 # ok", '"1"', "'1'", "1\\n", "reward: 1", "1;", "[1]", '{"reward": 1}',
    ]
)  # fmt: skip

_ascii_sides = st.text(ASCII_PADDING, max_size=2)
_unicode_sides = st.text(UNICODE_PADDING + ASCII_PADDING, min_size=1, max_size=2)
_refused_sides = st.text(NO_PADDING, min_size=1, max_size=1)
_sides = st.one_of(_ascii_sides, _ascii_sides, _ascii_sides, _unicode_sides, _refused_sides)


def _odd_digit(text: str, digit: str) -> str:
    return text.replace("1", digit) if "1" in text else digit + text


_odd_ones = st.one_of(st.sampled_from(ZEROS).map(lambda zero: chr(zero + 1)), st.sampled_from(NO_DIGITS))


def mutated(texts: st.SearchStrategy[str], alphabet: str) -> st.SearchStrategy[str]:
    """Draw strings in which one character is inserted, removed or replaced."""

    def mutate(text: str, place: int, character: str, length: int) -> str:
        place = place % (len(text) + 1)
        return text[:place] + character + text[place + length :]

    return st.builds(mutate, texts, st.integers(0, 12), st.sampled_from(["", *alphabet]), st.integers(0, 1))


_texts = choose(
    spelled,
    floats.map(repr),
    finite_floats.map(repr),
    words,
    halfway_decimals,
    refused,
    mutated(spelled, "0_.eE+-, \n\x1c\xa0"),
    choose(st.builds(_odd_digit, spelled, _odd_ones), st.builds(in_block, spelled, st.sampled_from(ZEROS))),
)

_padded = st.builds("{}{}{}".format, _sides, _texts, _sides)

_blank = st.text(ASCII_PADDING + UNICODE_PADDING, min_size=1, max_size=3)


def encoded(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """Draw strings in encodings that a reward file should not have."""
    codecs = st.sampled_from(["utf-8-sig", "utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
    return st.builds(lambda text, codec: text.encode(codec, "replace"), texts, codecs)


invalid_bytes = st.sampled_from(
    [b"\xff", b"1\xff", b"1\x80", b"\xc0\xb1", b"\xed\xa0\x80", b"1\xe2\x80", b"\x00", b"1\x00", b"\xa01", b"1\x85"]
)

_no_text = choose(st.just(b""), _blank.map(str.encode), encoded(_texts), invalid_bytes, st.binary(max_size=6))

text_files: st.SearchStrategy[bytes] = choose(
    _texts.map(str.encode), _texts.map(str.encode), _padded.map(str.encode), _padded.map(str.encode), _no_text
)
"""Contents that a test script might write to reward.txt."""
