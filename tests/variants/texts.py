"""Readers of the number in reward.txt, as languages and libraries offer them."""

import ast
import json
import math
import re
import struct
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import yaml

from tests.variants.changes import prepares_text, reads_bytes, reads_text
from tests.variants.variant import variant

_DECIMAL = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_text = variant("read_reward")


def _prefix(pattern: str, text: str, default: Any) -> Any:
    match = re.match(rf"\s*({pattern})", text, re.ASCII)
    return float(match[1]) if match else default


@_text
@reads_text
def JavaScriptNumber(text: str) -> float:
    """Reads as `Number(text)`: blank is 0, radix prefixes count, and only `Infinity` is infinite."""
    stripped = text.strip("\t\n\x0b\x0c\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "\u2000\u2001\u2002\u2003")
    if not stripped:
        return 0.0
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", stripped):
        return float(int(stripped, 0))
    if re.fullmatch(_DECIMAL + "|[+-]?Infinity", stripped, re.ASCII):
        return float(stripped)
    return math.nan


@_text
@reads_text
def JavaScriptNumberOrError(text: str) -> float:
    """Refuses what `Number(text)` does not read."""
    number = JavaScriptNumber.__wrapped__(text)  # type: ignore[attr-defined]
    if math.isnan(number):
        raise ValueError(text)
    return float(number)


@_text
@reads_text
def JavaScriptParseFloat(text: str) -> float:
    """Reads as `parseFloat(text)`: the longest number at the beginning."""
    return float(_prefix(_DECIMAL + "|[+-]?Infinity", text, math.nan))


@_text
@reads_text
def GoParseFloat(text: str) -> float:
    """Reads as `strconv.ParseFloat(strings.TrimSpace(text), 64)`: hexadecimal floats, and an error beyond the range."""
    stripped = text.strip()
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*[pP][+-]?\d+", stripped):
        return float.fromhex(stripped.replace("_", ""))
    if re.fullmatch(r"(?i:[+-]?(?:inf(?:inity)?|nan))", stripped, re.ASCII):
        return float(stripped)
    if not re.fullmatch(_DECIMAL, stripped, re.ASCII) or math.isinf(float(stripped)):
        raise ValueError(text)
    return float(stripped)


@_text
@reads_text
def RustParse(text: str) -> float:
    """Reads as `text.trim().parse::<f64>()`: no underscores, ASCII digits only."""
    stripped = text.strip("\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\u2002\u2003\u2007\u2009")
    if not re.fullmatch(_DECIMAL + r"|(?i:[+-]?(?:inf(?:inity)?|nan))", stripped, re.ASCII):
        raise ValueError(text)
    return float(stripped)


@_text
@reads_text
def RubyToF(text: str) -> float:
    """Reads as `to_f`: the number at the beginning, with underscores; without one, 0."""
    match = re.match(r"\s*([+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?)", text, re.ASCII)
    return float(match[1].replace("_", "")) if match else 0.0


@_text
@reads_text
def RubyFloat(text: str) -> float:
    """Reads as `Float(text)`: hexadecimal ints, and no point without digits on both sides."""
    stripped = text.strip("\t\n\x0b\x0c\r ")
    if re.fullmatch(r"[+-]?0x[0-9a-f]+", stripped, re.IGNORECASE):
        return float(int(stripped, 16))
    if not re.fullmatch(r"[+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?", stripped, re.ASCII):
        raise ValueError(text)
    return float(stripped)


@_text
@reads_text
def PerlNumber(text: str) -> float:
    """Reads as `text + 0`: the number at the beginning, also inf and nan; without one, 0."""
    return float(_prefix(_DECIMAL + "|(?i:[+-]?(?:inf(?:inity)?|nan))", text, 0.0))


@_text
@reads_text
def PhpFloatval(text: str) -> float:
    """Reads as `floatval`: the number at the beginning; without one, 0."""
    return float(_prefix(_DECIMAL, text, 0.0))


@_text
@reads_text
def AwkNumber(text: str) -> float:
    """Reads the first field of the first line as awk does."""
    fields = text.split("\n")[0].split()
    return float(_prefix(_DECIMAL, fields[0] if fields else "", 0.0))


def _c_number(text: str) -> re.Match[str] | None:
    special = r"(?i:[+-]?(?:inf(?:inity)?|nan))"
    return re.match(
        rf"\s*([+-]?0[xX][0-9a-fA-F]+\.?[0-9a-fA-F]*(?:[pP][+-]?\d+)?|{_DECIMAL}|{special})", text, re.ASCII
    )


def _c_value(text: str) -> float:
    return float.fromhex(text) if "x" in text.lower() else float(text)


@_text
@reads_text
def CStrtod(text: str) -> float:
    """Reads as `strtod`, and ignores the rest of the text."""
    match = _c_number(text)
    return _c_value(match[1]) if match else 0.0


@_text
@reads_text
def CStrtodToTheEnd(text: str) -> float:
    """Reads as `strtod`, and refuses more than white space after the number."""
    match = _c_number(text)
    if not match or text[match.end() :].strip():
        raise ValueError(text)
    return _c_value(match[1])


@_text
@reads_text
def JavaParseDouble(text: str) -> float:
    """Reads as `Double.parseDouble`: a type suffix is allowed, and NaN and Infinity have one spelling."""
    stripped = text.strip("".join(map(chr, range(0x21))))
    if re.fullmatch(r"[+-]?(?:NaN|Infinity)", stripped):
        return float(stripped)
    if not re.fullmatch(_DECIMAL + "[fFdD]?", stripped, re.ASCII):
        raise ValueError(text)
    return float(stripped.rstrip("fFdD"))


@_text
@reads_text
def DotNetParse(text: str) -> float:
    """Reads as `double.Parse` in the invariant culture: commas separate thousands, `∞` is infinite."""
    stripped = text.strip().replace(",", "")
    if stripped.lower() in ("infinity", "-infinity", "nan", "∞", "-∞"):
        return float(stripped.replace("∞", "inf"))
    if not re.fullmatch(_DECIMAL, stripped, re.ASCII):
        raise ValueError(text)
    return float(stripped)


@_text
@reads_text
def PythonDecimal(text: str) -> float:
    """Reads as `float(Decimal(text))`: underscores are allowed anywhere."""
    return float(Decimal(text))


@_text
@reads_text
def PythonFraction(text: str) -> float:
    """Reads as `float(Fraction(text))`: `1/2` is allowed. A large exponent, which would take hours, is refused."""
    if re.search(r"[eE][+-]?\d{5}", text, re.ASCII):
        raise ValueError(text)
    return float(Fraction(text))


@_text
@reads_text
def PythonLiteral(text: str) -> float:
    """Reads as `ast.literal_eval`: hexadecimal numbers and True are allowed."""
    return float(ast.literal_eval(text.strip()))


@_text
@reads_text
def JsonNumber(text: str) -> float:
    """Parses the text as JSON."""
    return float(json.loads(text))


@_text
@reads_text
def YamlNumber(text: str) -> float:
    """Parses the text as YAML, in which `1e3` is a string, and `.inf` and `1:30` are numbers."""
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError from error
    return float(document)


@_text
@reads_text
def IntFirst(text: str) -> float:
    """Tries `int` before `float`, so that -0 loses its sign."""
    try:
        return float(int(text))
    except ValueError:
        return float(text)


@_text
@reads_text
def IntsStayInts(text: str) -> Any:
    """Tries `int` before `float`, and returns the int."""
    try:
        return int(text)
    except ValueError:
        return float(text)


@_text
@reads_text
def Float32Text(text: str) -> float:
    """Reads in single precision."""
    try:
        return float(struct.unpack("f", struct.pack("f", float(text)))[0])
    except OverflowError:
        return math.copysign(math.inf, float(text))


@_text
@reads_text
def DigitByDigit(text: str) -> float:
    """Multiplies by ten for each digit, and then by a power of ten, so that it rounds more than once."""
    number = float(text)
    match = re.fullmatch(r"([+-]?)(\d+)\.?(\d*)(?:[eE]([+-]?\d+))?", text.strip(), re.ASCII)
    if not match or not math.isfinite(number):
        return number
    mantissa = 0.0
    for digit in match[2] + match[3]:
        mantissa = mantissa * 10.0 + int(digit)
    exponent = min(max(int(match[4] or 0), -5000), 5000) - len(match[3])
    value = mantissa * 10.0**exponent if exponent < 300 else number
    return -value if match[1] == "-" else value


def _wraps_exponent(bits: int) -> Callable[[str], str]:
    """Return a reader whose exponent is a signed integer of this many bits, which wraps around."""

    def wrap(text: str) -> str:
        match = re.fullmatch(r"(\s*[+-]?[\d.]+[eE])([+-]?\d+)(\s*)", text, re.ASCII)
        if not match or len(match[2]) > 4000:
            return text
        half = 1 << (bits - 1)
        return f"{match[1]}{(int(match[2]) + half) % (2 * half) - half}{match[3]}"

    return wrap


def _clamps_exponent(most: int) -> Callable[[str], str]:
    """Return a reader that clamps the exponent before it applies it to the digits."""

    def clamp(text: str) -> str:
        match = re.fullmatch(r"(\s*[+-]?[\d.]+[eE])([+-]?\d+)(\s*)", text, re.ASCII)
        if not match or len(match[2]) > 4000:
            return text
        return f"{match[1]}{min(max(int(match[2]), -most), most)}{match[3]}"

    return clamp


def keeps_digits(most: int) -> Callable[[str], str]:
    """Return a reader that keeps so many significant digits, and takes the rest for zeros."""

    def cut(text: str) -> str:
        match = re.fullmatch(r"(\s*[+-]?)([\d.]+)((?:[eE][+-]?\d+)?\s*)", text, re.ASCII)
        if not match:
            return text
        kept, significant = [], 0
        for character in match[2]:
            significant += character.isdigit() and (significant > 0 or character != "0")
            kept.append("0" if character.isdigit() and significant > most else character)
        return f"{match[1]}{''.join(kept)}{match[3]}"

    return cut


for _bits in (8, 16, 32, 64):
    variant("read_reward", f"ExponentOf{_bits}Bits")(prepares_text(_wraps_exponent(_bits)))
for _most in (308, 400, 999, 4999, 9999, 32767, 65535):
    variant("read_reward", f"ExponentUpTo{_most}")(prepares_text(_clamps_exponent(_most)))
for _digits in (15, 17, 19, 20, 40, 100, 767, 768, 800, 1100):
    variant("read_reward", f"KeepsDigits{_digits}")(prepares_text(keeps_digits(_digits)))

_JOINED: dict[str, Callable[[str], str]] = {
    "FirstLine": lambda text: text.splitlines()[0],
    "FirstLineByNewline": lambda text: text.split("\n")[0],
    "LastLine": lambda text: text.splitlines()[-1],
    "LastLineThatIsNotBlank": lambda text: text.strip().splitlines()[-1],
    "FirstWord": lambda text: text.split()[0],
    "LastWord": lambda text: text.split()[-1],
    "WithoutWhiteSpace": lambda text: "".join(text.split()),
    "WithoutBlanks": lambda text: text.replace(" ", ""),
    "WithoutThousands": lambda text: text.replace(",", ""),
    "DecimalComma": lambda text: text.replace(",", "."),
    "WithoutUnderscores": lambda text: text.replace("_", ""),
    "WithoutQuotes": lambda text: text.strip().strip("\"'"),
    "WithoutNulls": lambda text: text.strip("\0 \n"),
    "UpToTheNull": lambda text: text.split("\0")[0],
    "StrStrip": lambda text: text.strip(),
    "WithoutByteOrderMark": lambda text: text.lstrip("\ufeff"),
    "WithoutFormatCharacters": lambda text: "".join(c for c in text if unicodedata.category(c) != "Cf"),
    "Nfkc": lambda text: unicodedata.normalize("NFKC", text),
    "Upper": lambda text: text.upper(),
    "UnicodeMinus": lambda text: text.replace("\u2212", "-"),
    "AsciiOnly": lambda text: text.encode("ascii").decode(),
    "FortranExponent": lambda text: text.replace("d", "e").replace("D", "E"),
    "PercentIgnored": lambda text: text.strip().removesuffix("%"),
    "AfterTheColon": lambda text: text.rpartition(":")[2],
    "AfterTheEqualsSign": lambda text: text.rpartition("=")[2],
    "TwoSigns": lambda text: text.strip().replace("--", "").replace("+-", "-"),
    "First32Characters": lambda text: text[:32],
    "First64Characters": lambda text: text[:64],
    "First255Characters": lambda text: text[:255],
    "First1024Characters": lambda text: text[:1024],
    "First4096Characters": lambda text: text[:4096],
    "First65536Characters": lambda text: text[:65536],
}
for _name, _change in _JOINED.items():
    variant("read_reward", f"Text{_name}")(prepares_text(_change))
variant(
    "read_reward",
    "TextLower",
    equivalent="Besides A to Z, only the Kelvin sign has one ASCII letter as its lower case: k, which is in no number.",
)(prepares_text(str.lower))
variant("read_reward", "TextAsItIs", equivalent="This is the specified reader.")(reads_text(float))


@_text
@reads_text
def NumericCharacters(text: str) -> float:
    """Reads a single numeric character, such as ½."""
    stripped = text.strip()
    return unicodedata.numeric(stripped) if len(stripped) == 1 else float(text)


@_text
@reads_text
def PercentIsAHundredth(text: str) -> float:
    """Reads 50% as 0.5."""
    stripped = text.strip()
    return float(stripped[:-1]) / 100 if stripped.endswith("%") else float(text)


@_text
@reads_text
def WordsAreNumbers(text: str) -> float:
    """Reads `true`, `pass` and `yes` as 1, and their opposites as 0."""
    words = {"true": 1.0, "pass": 1.0, "passed": 1.0, "yes": 1.0, "false": 0.0, "fail": 0.0, "failed": 0.0, "no": 0.0}
    return words[text.strip().lower()] if text.strip().lower() in words else float(text)


@_text
@reads_text
def BadTextIsZero(text: str) -> float:
    """Reads what is not a number as 0."""
    try:
        return float(text)
    except ValueError:
        return 0.0


@_text
@reads_text
def BadTextIsNan(text: str) -> float:
    """Reads what is not a number as nan."""
    try:
        return float(text)
    except ValueError:
        return math.nan


@_text
@reads_text
def BlankTextIsZero(text: str) -> float:
    """Reads white space as 0."""
    return float(text) if text.strip() else 0.0


@_text
@reads_text
def FloatOrZero(text: str) -> Any:
    """Returns `float(text) or 0`."""
    return float(text) or 0


@_text
@reads_text
def FiniteTextOnly(text: str) -> float:
    """Refuses nan and infinities."""
    if not math.isfinite(float(text)):
        raise ValueError(text)
    return float(text)


@_text
@reads_text
def RangeErrors(text: str) -> float:
    """Refuses a decimal number beyond the range of a double."""
    if math.isinf(float(text)) and "i" not in text.lower():
        raise OverflowError(text)
    return float(text)


@_text
@reads_text
def NoSubnormals(text: str) -> float:
    """Flushes subnormal numbers to zero."""
    number = float(text)
    return math.copysign(0.0, number) if abs(number) < 2.0**-1022 else number


@_text
@reads_text
def LargestInsteadOfInfinity(text: str) -> float:
    """Replaces infinities with the largest double, as jq does."""
    number = float(text)
    return math.copysign(1.7976931348623157e308, number) if math.isinf(number) else number


@_text
@reads_text
def OnlyZeroToOne(text: str) -> float:
    """Refuses numbers outside the range from 0 to 1."""
    if not 0 <= float(text) <= 1:
        raise ValueError(text)
    return float(text)


for _places in (1, 2, 3, 4, 6, 9, 12, 15):
    variant("read_reward", f"TextRoundedTo{_places}")(
        reads_text(lambda text, places=_places: round(float(text), places))  # type: ignore[misc]
    )
for _digits in (6, 12, 15, 16):
    variant("read_reward", f"TextWith{_digits}Digits")(
        reads_text(lambda text, digits=_digits: float(f"{float(text):.{digits}g}"))  # type: ignore[misc]
    )
for _encoding, _errors in [
    ("utf-8-sig", "strict"),
    ("utf-8", "replace"),
    ("utf-8", "ignore"),
    ("utf-8", "surrogateescape"),
    ("latin-1", "strict"),
    ("cp1252", "strict"),
    ("ascii", "strict"),
    ("ascii", "ignore"),
]:
    _made = reads_bytes(lambda content, how=(_encoding, _errors): float(content.decode(*how)))  # type: ignore[misc]
    if _errors in ("replace", "surrogateescape"):
        variant(
            "read_reward",
            f"Decodes {_encoding} {_errors}",
            equivalent="No number contains a replacement character or an unpaired surrogate, so `float` refuses it.",
        )(_made)
    else:
        variant("read_reward", f"Decodes {_encoding} {_errors}")(_made)


@_text
@reads_bytes
def FloatOfBytes(content: bytes) -> float:
    """Calls `float` with the bytes, so that only ASCII digits count."""
    return float(content)


@_text
@reads_bytes
def Utf16ByMark(content: bytes) -> float:
    """Decodes UTF-16 if there is its byte order mark, as PowerShell's redirection writes it."""
    return float(content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"))
