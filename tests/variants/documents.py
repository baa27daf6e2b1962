"""Readers of reward.json, as languages and libraries offer them: parsers, and conversions of values."""

import ast
import json
import math
import re
import struct
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import yaml
from pydantic import TypeAdapter

from parity.scorer.number_text import lax_float, lax_int, lax_number
from tests.variants.changes import (
    changes_document,
    changes_rewards,
    converts,
    loads,
    loads_bytes,
    prepares_json,
)
from tests.variants.texts import keeps_digits
from tests.variants.variant import variant

_json = variant("read_reward")
_WHOLE = 2**53


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _range_checked(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _narrow(text: str) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", float(text)))[0])
    except OverflowError:
        return math.copysign(math.inf, float(text))


def _within(least: int, most: int, outside: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: int(text) if len(text) < 30 and least <= int(text) <= most else outside(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _ordered_last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Let a duplicate take the place of its last occurrence."""
    document: dict[str, Any] = {}
    for key, value in pairs:
        document.pop(key, None)
        document[key] = value
    return document


def _summed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        document[key] = document[key] + value if key in document else value
    return document


def _strings_checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, _ in pairs:
        key.encode()
    return dict(pairs)


_OPTIONS: dict[str, dict[str, Any]] = {
    "StrictJson": {"parse_constant": _refuse},
    "ConstantsAreNull": {"parse_constant": lambda _: None},
    "ConstantsAreStrings": {"parse_constant": str},
    "ConstantsAreNan": {"parse_constant": lambda _: math.nan},
    "IntsAreDoubles": {"parse_int": float},
    "IntsBeyond53BitsAreDoubles": {"parse_int": _within(-_WHOLE, _WHOLE, float)},
    "IntsBeyond53BitsAreRounded": {"parse_int": _within(-_WHOLE, _WHOLE, lambda text: int(_finite(text)))},
    "IntsBeyond64BitsAreDoubles": {"parse_int": _within(-(2**63), 2**64 - 1, float)},
    "IntsBeyond63BitsAreDoubles": {"parse_int": _within(-(2**63), 2**63 - 1, float)},
    "IntsBeyond64BitsAreRefused": {"parse_int": _within(-(2**63), 2**64 - 1, _refuse)},
    "IntsBeyond32BitsAreDoubles": {"parse_int": _within(-(2**31), 2**31 - 1, float)},
    "IntsWrapAt64Bits": {"parse_int": lambda text: (int(text) + 2**63) % 2**64 - 2**63},
    "IntsSaturateAt64Bits": {"parse_int": lambda text: min(max(int(text), -(2**63)), 2**63 - 1)},
    "MinusZeroIsADouble": {"parse_int": lambda text: -0.0 if text == "-0" else int(text)},
    "WholeDoublesAreInts": {"parse_float": lambda text: _whole(float(text))},
    "DoublesAreDecimals": {"parse_float": lambda text: float(Decimal(text))},
    "DoublesInFloat32": {"parse_float": _narrow},
    "DoublesOutOfRangeAreRefused": {"parse_float": _range_checked},
    "DoublesRoundedTo6": {"parse_float": lambda text: round(float(text), 6)},
    "DoublesRoundedTo15Digits": {"parse_float": lambda text: float(f"{float(text):.15g}")},
    "DoublesAreClampedLikeJq": {
        "parse_float": lambda text: min(max(float(text), -1.7976931348623157e308), 1.7976931348623157e308)
    },
    "FirstDuplicate": {"object_pairs_hook": lambda pairs: dict(reversed(pairs))},
    "FirstDuplicateInPlace": {"object_pairs_hook": lambda pairs: {**dict(pairs), **dict(reversed(pairs))}},
    "DuplicatesAreRefused": {"object_pairs_hook": _unique},
    "DuplicatesMoveToTheEnd": {"object_pairs_hook": _ordered_last},
    "DuplicatesAreAdded": {"object_pairs_hook": _summed},
    "LoneSurrogatesAreRefused": {"object_pairs_hook": _strings_checked},
    "ControlCharactersAreAllowed": {"strict": False},
}


_SAME_OPTIONS = {
    "ConstantsAreStrings": "As a value, each of the strings NaN, Infinity and -Infinity is read as the float that the "
    "constant is. In any other place, neither a string nor a float is allowed."
}


def _finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else 0.0


def _loads(text: str, options: dict[str, Any]) -> Any:
    return json.loads(text, **options)


def _of_digits(most: int) -> dict[str, Any]:
    cut = keeps_digits(most)
    return {"parse_float": lambda text: float(cut(text))}


def _whole(number: float) -> Any:
    return int(number) if number.is_integer() else number


for _name, _options in _OPTIONS.items():
    variant("read_reward", _name, equivalent=_SAME_OPTIONS.get(_name))(loads(partial(_loads, options=_options)))
for _digits in (15, 17, 19, 20, 40, 100, 767, 768, 800, 1100):
    variant("read_reward", f"DoublesOf{_digits}Digits")(loads(partial(_loads, options=_of_digits(_digits))))
variant("read_reward", "JsonAsItIs", equivalent="This is the specified parser.")(loads(json.loads))


@_json
@loads
def Serde(text: str) -> Any:
    """Parses as serde_json does: no NaN, large ints are doubles, a range is checked, no unpaired surrogates."""
    json.loads(text, object_pairs_hook=_strings_checked)
    return json.loads(
        text,
        parse_constant=_refuse,
        parse_float=_range_checked,
        parse_int=_within(-(2**63), 2**64 - 1, _range_checked),
    )


@_json
@loads
def GoUnmarshal(text: str) -> Any:
    """Parses as Go does into a map of float64: null leaves 0, strings and booleans are errors."""
    document = json.loads(text, parse_constant=_refuse, parse_float=_range_checked, parse_int=_range_checked)
    if not isinstance(document, dict):
        return document or {}
    return {key.encode("utf-8", "replace").decode(): 0.0 if value is None else value for key, value in document.items()}


@_json
@loads
def JavaScriptParse(text: str) -> Any:
    """Parses as `JSON.parse` does: every number is a double, and keys that are integers come first."""
    document = json.loads(text, parse_constant=_refuse, parse_int=float)
    if not isinstance(document, dict):
        return document
    numeric = sorted((key for key in document if re.fullmatch("0|[1-9][0-9]{0,9}", key)), key=int)
    return {key: document[key] for key in [*numeric, *(key for key in document if key not in numeric)]}


@_json
@loads
def YamlLoad(text: str) -> Any:
    """Parses as YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError from error


@_json
@loads
def LiteralEval(text: str) -> Any:
    """Parses as `ast.literal_eval`."""
    return ast.literal_eval(text)


@_json
@loads
def LiteralEvalWithNames(text: str) -> Any:
    """Parses as `ast.literal_eval` after JSON's names were replaced."""
    for name, python in {"true": "True", "false": "False", "null": "None"}.items():
        text = re.sub(rf"\b{name}\b", python, text)
    return ast.literal_eval(text)


@_json
@loads_bytes
def PydanticJson(content: bytes) -> Any:
    """Parses with pydantic's own parser."""
    return TypeAdapter(Any).validate_json(content)


@_json
@loads_bytes
def DetectsTheEncoding(content: bytes) -> Any:
    """Calls `json.loads` with bytes, which detects UTF-16 and UTF-32, and skips a byte order mark."""
    return json.loads(content)


for _encoding, _errors in [
    ("utf-8-sig", "strict"),
    ("utf-8", "replace"),
    ("utf-8", "ignore"),
    ("utf-8", "surrogateescape"),
    ("utf-8", "surrogatepass"),
    ("latin-1", "strict"),
    ("cp1252", "strict"),
]:
    variant("read_reward", f"JsonIn {_encoding} {_errors}")(
        loads_bytes(lambda content, how=(_encoding, _errors): json.loads(content.decode(*how)))  # type: ignore[misc]
    )


@_json
@loads
def RawDecode(text: str) -> Any:
    """Parses the first value, and ignores the rest."""
    return json.JSONDecoder().raw_decode(text.lstrip(" \t\r\n"))[0]


@_json
@loads
def DecodedTwice(text: str) -> Any:
    """Parses a string in the file once more."""
    document = json.loads(text)
    return json.loads(document) if isinstance(document, str) else document


_TEXTS: dict[str, Callable[[str], str]] = {
    "FirstLine": lambda text: text.splitlines()[0],
    "LastLine": lambda text: text.splitlines()[-1],
    "StrStrip": lambda text: text.strip(),
    "UpToTheNull": lambda text: text.split("\0")[0],
    "WithoutNulls": lambda text: text.strip("\0"),
    "WithoutLineComments": lambda text: re.sub(r"//[^\n]*", "", text),
    "WithoutBlockComments": lambda text: re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL),
    "WithoutHashComments": lambda text: re.sub(r"(?m)#.*$", "", text),
    "WithoutTrailingCommas": lambda text: re.sub(r",(\s*[}\]])", r"\1", text),
    "SingleQuotes": lambda text: text.replace("'", '"'),
    "UnquotedKeys": lambda text: re.sub(r"([{,]\s*)([A-Za-z_]\w*)\s*:", r'\1"\2":', text),
    "LeadingPlus": lambda text: re.sub(r":\s*\+", ": ", text),
    "LeadingPoint": lambda text: re.sub(r":\s*\.", ": 0.", text),
    "TrailingPoint": lambda text: re.sub(r"(\d)\.(\s*[,}])", r"\1.0\2", text),
    "LeadingZeros": lambda text: re.sub(r":\s*0+(\d)", r": \1", text),
    "Hexadecimal": lambda text: re.sub(r":\s*(0x[0-9a-fA-F]+)", lambda match: f": {int(match[1], 16)}", text),
    "LowercaseNan": lambda text: re.sub(r":\s*nan\b", ": NaN", text),
    "PythonNames": lambda text: text.replace("True", "true").replace("False", "false").replace("None", "null"),
    "ShortInfinity": lambda text: re.sub(r":\s*(-?)inf\b", r": \1Infinity", text, flags=re.IGNORECASE),
    "CompletedBrace": lambda text: text if text.rstrip().endswith("}") else text + "}",
    "FirstObject": lambda text: text[text.find("{") : text.rfind("}") + 1] or text,
    "First4096Characters": lambda text: text[:4096],
    "First65536Characters": lambda text: text[:65536],
}
for _name, _change in _TEXTS.items():
    variant("read_reward", f"Json{_name}")(prepares_json(_change))


def _keys(change: Callable[[str], str]) -> Callable[[Any], Any]:
    return lambda document: (
        {change(key): value for key, value in document.items()} if isinstance(document, dict) else document
    )


_KEYS: dict[str, Callable[[str], str]] = {
    "Stripped": str.strip,
    "Lower": str.lower,
    "Casefolded": str.casefold,
    "Nfc": lambda key: unicodedata.normalize("NFC", key),
    "Nfkc": lambda key: unicodedata.normalize("NFKC", key),
    "WithReplacedSurrogates": lambda key: key.encode("utf-8", "replace").decode(),
    "WithoutNulls": lambda key: key.split("\0")[0],
    "CutAt20": lambda key: key[:20],
    "CutAt64": lambda key: key[:64],
    "CutAt255": lambda key: key[:255],
    "SnakeCase": lambda key: key.replace("-", "_"),
    "LastPart": lambda key: key.rpartition(".")[2],
    "AsNumbers": lambda key: str(int(key)) if key.isascii() and key.isdigit() else key,
}
for _name, _change in _KEYS.items():
    variant("read_reward", f"Keys{_name}")(changes_document(_keys(_change)))

_ORDERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "Sorted": lambda rewards: dict(sorted(rewards.items())),
    "Reversed": lambda rewards: dict(reversed(rewards.items())),
    "RewardFirst": lambda rewards: dict(sorted(rewards.items(), key=lambda item: item[0] != "reward")),
    "WithoutEmptyKey": lambda rewards: {key: value for key, value in rewards.items() if key},
    "WithoutPrivateKeys": lambda rewards: {key: value for key, value in rewards.items() if not key.startswith("_")},
    "WithoutProto": lambda rewards: {key: value for key, value in rewards.items() if key != "__proto__"},
    "RewardOnly": lambda rewards: {"reward": rewards["reward"]} if "reward" in rewards else rewards,
    "First100Keys": lambda rewards: dict(list(rewards.items())[:100]),
    "First1000Keys": lambda rewards: dict(list(rewards.items())[:1000]),
}
for _name, _order in _ORDERS.items():
    variant("read_reward", f"Rewards{_name}")(changes_rewards(_order))


def _objects(change: Callable[[dict[str, Any]], Any]) -> Callable[[Any], Any]:
    return lambda document: change(document) if isinstance(document, dict) else document


_DOCUMENTS: dict[str, Callable[[Any], Any]] = {
    "NullIsEmpty": lambda document: {} if document is None else document,
    "ListOfOneIsUnwrapped": lambda document: (
        document[0] if isinstance(document, list) and len(document) == 1 else document
    ),
    "PairsAreAnObject": lambda document: dict(document) if isinstance(document, list) else document,
    "ListsAreNumbered": lambda document: (
        {str(n): each for n, each in enumerate(document)} if isinstance(document, list) else document
    ),
    "NumbersAreRewards": lambda document: {"reward": document} if type(document) in (int, float) else document,
    "BooleansAreRewards": lambda document: {"reward": document} if isinstance(document, bool) else document,
    "StringsAreRewards": lambda document: {"reward": document} if isinstance(document, str) else document,
    "FalsyIsNone": lambda document: document or None,
    "FalsyIsEmpty": lambda document: document or {},
    "EmptyListIsEmpty": lambda document: {} if document == [] else document,
    "NullsAreDropped": _objects(lambda document: {k: v for k, v in document.items() if v is not None}),
    "NullsAreZero": _objects(lambda document: {k: 0 if v is None else v for k, v in document.items()}),
    "NullsAreNan": _objects(lambda document: {k: math.nan if v is None else v for k, v in document.items()}),
    "FalsyIsZero": _objects(lambda document: {k: v or 0 for k, v in document.items()}),
    "FalsyIsDropped": _objects(lambda document: {k: v for k, v in document.items() if v}),
    "EmptyStringsAreZero": _objects(lambda document: {k: 0 if v == "" else v for k, v in document.items()}),
    "ListsOfOneAreValues": _objects(
        lambda document: {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in document.items()}
    ),
    "NestedRewardsAreValues": _objects(
        lambda document: {
            k: next(iter(v.values())) if isinstance(v, dict) and len(v) == 1 else v for k, v in document.items()
        }
    ),
    "RewardsInside": _objects(lambda document: document.get("rewards", document)),
    "RewardInside": _objects(
        lambda document: document["reward"] if isinstance(document.get("reward"), dict) else document
    ),
    "ScoreIsReward": _objects(lambda document: {"reward" if k == "score" else k: v for k, v in document.items()}),
    "LowerTrue": _objects(
        lambda document: {k: v.lower() == "true" if v in ("true", "false") else v for k, v in document.items()}
    ),
    "BooleansAreInts": _objects(
        lambda document: {k: int(v) if v is True or v is False else v for k, v in document.items()}
    ),
    "BooleansAreRefused": _objects(
        lambda document: {k: None if v is True or v is False else v for k, v in document.items()}
    ),
    "StringsAreRefused": _objects(lambda document: {k: None if isinstance(v, str) else v for k, v in document.items()}),
    "StringsAreStripped": _objects(
        lambda document: {k: v.strip() if isinstance(v, str) else v for k, v in document.items()}
    ),
    "StringsWithoutCommas": _objects(
        lambda document: {k: v.replace(",", "") if isinstance(v, str) else v for k, v in document.items()}
    ),
    "StringsUpper": _objects(lambda document: {k: v.upper() if isinstance(v, str) else v for k, v in document.items()}),
    "StringsNfkc": _objects(
        lambda document: {k: unicodedata.normalize("NFKC", v) if isinstance(v, str) else v for k, v in document.items()}
    ),
}
for _name, _change in _DOCUMENTS.items():
    variant("read_reward", _name)(changes_document(_change))


def _number(value: Any) -> Any:
    """Convert as the scorer does."""
    number = float(value) if isinstance(value, bool) else value
    number = lax_number(number) if isinstance(number, str) else number
    if not isinstance(number, int | float):
        raise ValueError
    return number


def _strings(convert: Callable[[str], Any]) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        return _number(convert(value) if isinstance(value, str) else value)

    return converted


def _refused_if_none(number: Any) -> Any:
    if number is None:
        raise ValueError
    return number


def _as_json(value: str) -> Any:
    return json.loads(value, parse_constant=_refuse)


def _int_first(value: str) -> Any:
    number = lax_int(value)
    return lax_float(value) if number is None else number


def _python_int_first(value: str) -> Any:
    try:
        return int(value)
    except ValueError:
        return float(value)


def _float_first(value: str) -> Any:
    try:
        return float(value)
    except ValueError:
        return int(value)


def _by_points(value: str) -> Any:
    return float(value) if "." in value or "e" in value.lower() else int(value)


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "FloatOfAll": float,
    "FloatOfNumbers": lambda value: float(_number(value)),
    "IntOfAll": int,
    "IsInstanceOfInt": lambda value: value if isinstance(value, int | float) else _refuse(str(value)),
    "StringsByFloat": _strings(float),
    "StringsByInt": _strings(lambda value: int(value)),
    "StringsByFloatThenInt": _strings(_float_first),
    "StringsByIntThenFloat": _strings(_python_int_first),
    "StringsByPydanticIntFirst": _strings(_int_first),
    "StringsAsPydanticFloats": _strings(lambda value: _refused_if_none(lax_float(value))),
    "StringsAsPydanticInts": _strings(lambda value: _refused_if_none(lax_int(value))),
    "StringsByTheirPoint": _strings(_by_points),
    "StringsAsJson": _strings(_as_json),
    "StringsAsDecimals": _strings(lambda value: float(Decimal(value))),
    "StringsAsLiterals": _strings(lambda value: float(ast.literal_eval(value))),
    "StringsWithoutUnderscores": _strings(lambda value: _refused_if_none(lax_number(value.replace("_", "")))),
    "RoundedValues": lambda value: round(_number(value), 9) if isinstance(_number(value), float) else _number(value),
    "WholeValuesAreInts": lambda value: _whole_or_same(_number(value)),
    "AbsoluteZero": lambda value: _number(value) or 0.0,
    "TruthValues": lambda value: float(bool(_number(value))),
    "AtLeastHalf": lambda value: float(_number(value) >= 0.5),
    "ClampedValues": lambda value: min(max(_number(value), 0), 1),
    "FiniteValues": lambda value: _number(value) if math.isfinite(_number(value)) else 0.0,
    "HugeIntsAreInfinite": lambda value: _number(value) if abs(_number(value)) < 2**1024 else math.inf,
    "PydanticStrict": lambda value: TypeAdapter(float | int).validate_python(value, strict=True),
    "PydanticIntOrFloat": lambda value: TypeAdapter(int | float).validate_python(value),
    "PydanticFloat": lambda value: TypeAdapter(float).validate_python(value),
    "PydanticInt": lambda value: TypeAdapter(int).validate_python(value),
}


def _whole_or_same(number: Any) -> Any:
    return int(number) if isinstance(number, float) and number.is_integer() else number


for _name, _convert in _CONVERSIONS.items():
    variant("read_reward", _name)(converts(_convert))
variant("read_reward", "ConvertsAsItIs", equivalent="This is the specified conversion.")(converts(_number))
