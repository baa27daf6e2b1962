"""Hypothesis strategies for reward.json: documents, strings that pydantic converts to numbers, and almost JSON."""

import json

from hypothesis import strategies as st

from parity.operations.files.json_nesting import HELD_LEVELS
from parity.operations.files.number_strategies import choose, finite_floats, halfway_decimals, hard_ints
from parity.operations.files.text_strategies import (
    NO_PADDING,
    UNICODE_PADDING,
    encoded,
    invalid_bytes,
    mutated,
    refused,
    spelled,
    words,
)

keys = choose(
    st.sampled_from(["reward", "accuracy", "speed", "score", "reward", "Reward", "a", "b", "é", "e\u0301"]),
    st.sampled_from(["1", "10", "9", "-1", "2.0", ""]),
    st.sampled_from(["\uff5e", "\U0001f600", "\ud800", "a\0b", "rewards", "__proto__", "constructor", "f64", "int"]),
    st.text(max_size=3),
)

_literals = st.sampled_from(["true", "false", "null", "NaN", "Infinity", "-Infinity"])
_number_tokens = st.one_of(
    st.sampled_from(
        [
            "0", "1", "-0", "-0.0", "0.0", "1.0", "1e0", "1E+2", "1e-7", "1e400", "-1e400", "5e-324", "1e-400", "0.1",
            "1e65537", "1e4294967297", "-1e18446744073709551617", "1e-4294967297", "0e4294967297",
            "0.30000000000000004", "2", "-1",
        ]
    ),
    finite_floats.map(repr),
    st.integers(-3, 9).map(str),
    hard_ints.map(str),
    halfway_decimals,
)  # fmt: skip
_nested = st.sampled_from(["[]", "{}", "[1]", '{"reward":1}', "[[0.5]]", '{"a":null}'])

_padding = "".join([" \t\n", UNICODE_PADDING])
_zeros = st.text("0_", max_size=3)
_number_like = st.one_of(
    st.text("01_. +-", min_size=1, max_size=7),
    st.builds(
        "{}0{}{}{}".format, st.sampled_from(["", "-", "+", " "]), _zeros, st.sampled_from(["", "-", "_"]), spelled
    ),
    st.builds(
        "{}_{}{}".format, st.integers(0, 99), st.integers(0, 99), st.sampled_from(["", ".0", ".", ".5", "e1", " "])
    ),
)
number_strings = choose(
    spelled,
    words,
    refused,
    _number_like,
    mutated(spelled, "0_.e+- "),
    st.builds(
        "{}{}{}".format, st.text(_padding, max_size=2), st.one_of(_number_like, spelled), st.text(_padding, max_size=2)
    ),
    st.builds("{}{}".format, st.sampled_from(NO_PADDING + "\ud800\u0661\uff11"), spelled),
    halfway_decimals,
    st.builds(lambda digits: " 1_" + "0" * digits, st.integers(4297, 4301)),
)
"""Strings that are numbers, or almost numbers, by pydantic's grammars, which differ from Python's grammar."""

_string_tokens = number_strings.map(json.dumps)
_values = choose(_number_tokens, _number_tokens, _literals, _string_tokens)
_any_values = choose(_number_tokens, _literals, _nested)

_blanks = st.sampled_from(["", "", " ", "\n", "\t\r\n "])


def _object(pairs: list[tuple[str, str]], blank: str) -> str:
    inner = f",{blank}".join(f"{json.dumps(key)}:{blank}{value}" for key, value in pairs)
    return f"{blank}{{{inner}{blank}}}{blank}"


def _repeating(pairs: list[tuple[str, str]], again: str) -> list[tuple[str, str]]:
    return [*pairs, (pairs[0][0], again)]


def _objects(values: st.SearchStrategy[str], sizes: tuple[int, int] = (0, 4)) -> st.SearchStrategy[str]:
    pairs = st.lists(st.tuples(keys, values), min_size=sizes[0], max_size=sizes[1])
    doubled = st.builds(_repeating, st.lists(st.tuples(keys, values), min_size=1, max_size=3), values)
    return st.builds(_object, choose(pairs, pairs, pairs, doubled), _blanks)


def _many(count: int, value: str) -> list[tuple[str, str]]:
    return [(f"key-{number}", value) for number in range(count)]


def _long(length: int, ends: list[str], value: str) -> list[tuple[str, str]]:
    return [("k" * length + end, value) for end in ends]


_key_ends = st.lists(st.sampled_from(["", "a", "b", "\u00e9"]), min_size=1, max_size=3, unique=True)
_wide = st.builds(
    _object,
    st.one_of(
        st.builds(_many, st.one_of(st.integers(1, 40), st.integers(60, 300)), _number_tokens),
        st.builds(_long, st.integers(1, 300), _key_ends, _number_tokens),
    ),
    _blanks,
)
"""Objects with many keys, or with long keys that differ only at the end."""

_SHAPES = (
    _objects(_values),
    _objects(_number_tokens, (1, 4)),
    _objects(choose(_number_tokens, _literals), (1, 3)),
    _objects(_any_values),
    choose(st.just("null"), st.one_of(_literals, _number_tokens, _string_tokens, _nested)),
)
_documents = choose(*_SHAPES, *_SHAPES, _wide)

json_documents: st.SearchStrategy[bytes] = _documents.map(lambda text: text.encode("utf-8", "surrogatepass"))
"""JSON documents of every shape. Most of them are objects with numbers."""

json_strings: st.SearchStrategy[bytes] = _objects(_string_tokens, (1, 1)).map(str.encode)
"""Objects with one string that is a number, or almost a number."""

_commas = st.builds("{}{}".format, st.just('{"reward": 1'), st.sampled_from([",}", ", }", ",\n}", ",,}"]))
_beside = st.sampled_from(
    [
        "{'reward': 1}",
        '{"reward": 1,}',
        "{reward: 1}",
        '{"reward": 01}',
        '{"reward": +1}',
        '{"reward": .5}',
        '{"reward": 1.}',
        '{"reward": 0x1}',
        '{"reward": 1_0}',
        '{"reward": 1} {"reward": 0}',
        '{"reward": 1}\n# done',
        '// note\n{"reward": 1}',
        '{"reward": nan}',
        '{"reward": inf}',
        '{"reward": -NaN}',
        '{"reward": True}',
        '{"reward": None}',
        '{"reward" 1}',
        '{"reward": "\t"}',
        '{"reward": "\\x31"}',
        '{"reward": "\\u00"}',
        '{"reward": 1',
        "{",
        "}",
        "reward",
        "\u2028",
        "\xa0{}",
        "{}\0",
    ]
)
_wrapped = st.builds(
    "{0[0]}{1}{0[1]}".format,
    st.sampled_from(
        [("```json\n", "\n```"), ("```\n", "\n```"), ("(", ")"), ("Result: ", ""), ("", ";"), ("\x1e", "\n")]
    ),
    _objects(_number_tokens, (1, 2)),
)
"""JSON objects inside text that people or protocols often write around JSON."""

_too_deep = st.sampled_from(["[" * 100_000, '{"a":' * 100_000])
_HELD = [
    lambda levels: "[" * levels + "]" * levels,
    lambda levels: '{"reward":' * levels + "1" + "}" * levels,
    lambda levels: '{"reward":' + "[" * levels + "]" * levels + "}",
    lambda levels: '{"reward":' + "[" * levels + "]" * levels + ',"reward":1}',
    lambda levels: "[" * levels,
]
_nested_levels = st.one_of(st.integers(1, 4), st.integers(600, HELD_LEVELS - 1))
_held = st.builds(lambda nest, levels: nest(levels), st.sampled_from(_HELD), _nested_levels)
_long_ints = st.integers(4297, 4303).map(lambda digits: '{"reward": ' + "7" * digits + "}")
_blank = st.sampled_from([" ", "\n", "\t \n", "\xa0"])

json_neighbours: st.SearchStrategy[bytes] = choose(
    mutated(_objects(_values, (1, 2)), "{}[]:,\"'\\ 01-+.eNI#/\0\n").map(
        lambda text: text.encode("utf-8", "surrogatepass")
    ),
    choose(_beside, _beside, _wrapped, _commas).map(str.encode),
    choose(_too_deep, _held, _long_ints, _long_ints, _blank, st.just("")).map(str.encode),
    encoded(_objects(_number_tokens, (0, 2))),
    invalid_bytes,
)
"""Text that is almost JSON, or JSON that exceeds the limits of a parser."""

json_files: st.SearchStrategy[bytes] = choose(json_documents, json_documents, json_strings, json_neighbours)
"""Contents that a test script might write to reward.json."""
