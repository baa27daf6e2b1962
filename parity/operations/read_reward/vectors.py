"""Golden inputs of `read_reward`."""

import json
from collections.abc import Iterator

from parity.operations.files.decimal_digits import in_block
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.read_reward.case import RewardFolder, only_json, only_text
from parity.operations.vector import Vector, named

# By rule: contents of reward.txt that show it.
_TEXTS: dict[str, list[str]] = {
    "reward-text/float": ["0", "1", "0.0", "1.0", "0.5", "00", "007", "0.30000000000000004", "3", "1234567890", "9007199254740993", "18446744073709551616"],
    "reward-text/spelling": ["1e0", "1E0", "1e+0", "1e-0", "5e-1", ".5", "5.", "0.", ".0", "+1", "+.5", "1.e3", ".1e1", "-.5e-1", "1e05", "0e999", "1e-999"],
    "reward-text/underscore": ["1_0", "1_000.5", "1_0e1_0", "0_1", "0_0.0_1", "1_2_3"],
    "reward-text/padding": ["1\n", " 1", "1 ", "\t1\t", "\r\n1\r\n", "\x0b1\x0c", "\n\n0.25\n\n", " -1 "],
    "reward-text/unicode-padding": ["\xa01", "1\x85", "\u20281\u2029", "\u16801", "\u20031\u2009", "\u202f1\u205f", "\u30001\u3000", " \xa0 1"],
    "reward-text/separators": ["\x1c1", "1\x1f", "\x1d1\x1e", "\x1c1\xa0", "\xa01\x1f", "\x1c\u0661"],
    "reward-text/digits": ["\u0661", "\u0661\u0662.\u0665", "\uff11", "\U0001d7cf", "1\u0662", "\uff11_\uff10", "-\u0665e1", "\U00010d41", "\U00010d40.\U00010d45", "\U000116d1", "\U00011bf1", "\U0001ccf1", "\U0001e5f2", "1\U00010d41"],
    "reward-text/malformed": [
        "pass", "True", "true", "None", "null", "yes", "0,5", "1,000", "1'000", "1/2", "50%", "0x10", "0x1p3", "0b1", "0o7", "1__0", "_1", "1_", "1_.0", "1._0", "1e_1", "1_e1",
        "1e", "1e+", "e1", ".", "+", "-", "1.2.3", "1e5.0", "--1", "+-1", "- 1", "1 0", "1\n2\n", "1f", "1d", "1L", "1j", "1.5D3", "\u00bd", "\u00b2", "\u200b1", "1\u200b", "\u2212" + "1", "1\0", "\0" + "1",
        "reward: 1", "1;", "(1)", "[1]", "\"1\"", "{\"reward\": 1}", "1 # ok", "0.5 (passed)", "$1", "infin", "nan(1)", "1.#INF", "1\\n", "np.float64(0.5)", "```\n1\n```", "<reward>1</reward>", "\x1b[32m1\x1b[0m",
    ],
    "reward-number/non-finite": ["nan", "NaN", "+nan", "-nan", "inf", "-inf", "INF", "infinity", "Infinity", "-iNfInItY", "1e309", "1.7976931348623159e308"],
    "reward-number/rounding": [
        "0.1", "0.2999999999999999888977697537484345957636833190917968750", "0.1000000000000000055511151231257827021181583404541015625",
        "9007199254740992.5", "9007199254740993.0000000000000000000000001", "9007199254740994.9999999999999999999", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124", "1.00000000000000011102230246251565404236316680908203126", "2.2250738585072011e-308", "2.2250738585072014e-308",
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-323", "1.7976931348623157e308", "1.7976931348623158e308", "8.5e-1", "0.333333333333333333333333333333", "123456789012345678901234567890",
    ],
    "reward-number/sign-of-zero": ["-0", "-0.0", "-0e5", "-1e-400", "+0", " -0\n"],
    "reward-number/unit-interval": ["-1", "-0.5", "1.5", "2", "100", "1e16", "1e22", "-1e308", "1.0000000000000002"],
    "reward-file/white-space-is-not-empty": [" ", "\n", "\t", "\r\n", "\xa0", "\u2028", "\x1c", " \n "],
}  # fmt: skip

# Of blocks of digits: far from ASCII, not aligned, the last one, and those that Unicode gained in version 13, 15 and 16.
_BLOCKS = (0x104A0, 0x1D7F6, 0x1FBF0, 0x1E4F0, 0x116DA, 0x16130, 0x16D70)
_TEXTS["reward-text/digits"] += [in_block("2.75", zero) for zero in _BLOCKS] + ["\U00010d49"]
_TEXTS["reward-text/malformed"] += ["\U00010d4a"]  # the letter after the last new digit of its block

# By rule: contents of reward.json that show it.
_DOCUMENTS: dict[str, list[str]] = {
    "reward-json/float": ['{"reward": 0.5}', '{"reward": 1.0}', '{"reward": 1e0}', '{"reward": 1E+2}', '{"reward": 0.1}', '{"reward": 5e-1}', '{"reward": 1.50}', '{"reward":\t0.25}\n'],
    "reward-json/int-stays-int": ['{"reward": 0}', '{"reward": 1}', '{"reward": -0}', '{"reward": -1}', '{"reward": 7}', '{"a": 1, "b": 1.0}', '{"reward": 100}'],
    "reward-json/big-integers": ['{"reward": 9007199254740993}', '{"reward": -9007199254740993}', '{"reward": 9223372036854775808}', '{"reward": 18446744073709551617}', '{"reward": 1' + "0" * 40 + "}"],
    "reward-json/bool-is-float": ['{"reward": true}', '{"reward": false}', '{"a": true, "b": 0}', '{"a": false, "b": true}'],
    "reward-json/constants": ['{"reward": NaN}', '{"reward": Infinity}', '{"reward": -Infinity}', '{"a": NaN, "b": 1}'],
    "reward-number/non-finite": ['{"reward": 1e400}', '{"reward": -1e400}', '{"reward": 1.8e308}'],
    "reward-number/sign-of-zero": ['{"reward": -0.0}', '{"reward": -0e1}', '{"reward": -1e-400}'],
    "reward-number/rounding": ['{"reward": 0.1000000000000000055511151231257827021181583404541015625}', '{"reward": 9007199254740993.0}', '{"reward": 2.4703282292062328e-324}', '{"reward": 1.7976931348623158e308}'],
    "reward-number/unit-interval": ['{"reward": 1.5}', '{"reward": -0.5}', '{"reward": 1e22}'],
    "reward-json/null-is-none": ["null", " null\n"],
    "reward-json/empty-object": ["{}", " { } \n"],
    "reward-json/object-only": ["[]", "[1]", '[["reward", 1]]', '[{"reward": 1}]', "1", "0.5", "0", "true", "false", '"reward"', '"1"', '""', "NaN", "-1e400", '"{\\"reward\\": 1}"'],
    "reward-json/bad-value": [
        '{"reward": null}', '{"reward": []}', '{"reward": [1]}', '{"reward": {}}', '{"reward": {"value": 1}}', '{"reward": "x"}', '{"reward": ""}', '{"reward": " "}', '{"reward": "true"}', '{"reward": "pass"}',
        '{"reward": 1, "detail": "x"}', '{"reward": 1, "detail": null}', '{"reward": 1, "steps": []}', '{"a": null, "b": 1}', '{"a.b": 1, "a": {"b": 1}}', '{"reward": "\\ud800"}', '{"reward": "None"}', '{"rewards": {"reward": 1}}', '{"result": {"reward": 1}, "reward": 1}',
    ],
    "reward-json/duplicate-key": ['{"reward": 0, "reward": 1}', '{"reward": 1, "reward": 0}', '{"a": 1, "b": 2, "a": 3}', '{"a": null, "a": 1}', '{"a": 1, "a": null}', '{"a": 1, "\\u0061": 2}', '{"reward": 1, "reward": true, "reward": "2"}'],
    "reward-json/key-order": ['{"b": 1, "a": 2}', '{"z": 0, "é": 0, "a": 0}', '{"10": 1, "9": 1, "1": 1}', '{"b": 1, "2": 1, "a": 1, "1": 1}', '{"b": 0.5, "a": 0.25, "b": 1.5}', '{"speed": 1, "accuracy": 0.5, "cost": 2}'],
    "reward-json/keys-are-verbatim": ['{"reward": 1, "speed": 0.5}', '{"speed": 0.5, "reward": 1}', '{"a.b": 1}', '{"accuracy": 1}', '{"": 1}', '{"Reward": 1}', '{" reward": 1}', '{"reward ": 1}', '{"r\\u0065ward": 1}', '{"\\ud83d\\ude00": 1}', '{"\\ud800": 1}', '{"\\ude00\\ud83d": 1}', '{"é": 1}', '{"e\\u0301": 1}', '{"a\\u0000b": 1}', '{"__proto__": 1}', '{"score": 0.5, "rewards": 1}'],
    "reward-json/malformed": [
        "{", '{"reward": 1', '{"reward": 1,}', '{"reward": 1,, "speed": 1}', '{, "reward": 1}', '{"reward": 1}}', '{"reward": 1} {"reward": 0}', '{"reward": 1}\n{"speed": 1}', '{"reward": 1}\n\nDone.', '{"reward": 1};', '{"reward" 1}', '{"reward": }', '{"reward": 1, "reward"}', '{"reward"=1}', '{"reward": 1 "speed": 1}', '{"reward": 1; "speed": 1}', "{reward: 1}", "{'reward': 1}",
        '{"reward": 01}', '{"reward": -01}', '{"reward": +1}', '{"reward": .5}', '{"reward": 1.}', '{"reward": 1.e1}', '{"reward": 1e}', '{"reward": -}', '{"reward": - 1}', '{"reward": 0x1}', '{"reward": 1_0}', '{"reward": 1f}', '{"reward": 0,5}', '{"reward": nan}', '{"reward": inf}', '{"reward": -NaN}', '{"reward": infinity}', '{"reward": +Infinity}', '{"reward": True}', '{"reward": None}', '{"reward": np.float64(0.5)}', '{"reward": NULL}', '{"reward": undefined}',
        '// note\n{"reward": 1}', '{"reward": 1} # done', '/* */ {"reward": 1}', '{"reward": "\t"}', '{"re\tward": 1}', '{"re\nward": 1}', '{"re\x1fward": 1}', '{"reward": "\\x31"}', '{"re\\ward": 1}', '{"re\\\nward": 1}', '{"reward": "\\u00"}', '{"reward": "\\ud83d\\u"}',
        "[1,]", "[1", '"', "-", "nul", "reward", "reward: 1", "<reward>1</reward>", '```json\n{"reward": 1}\n```', 'Result: {"reward": 1}', 'data: {"reward": 1}\n\n', '({"reward": 1})', ')]}\'\n{"reward": 1}', '\x1e{"reward": 1}\n', "\xa0{}", '\x0c{"reward": 1}', '{"reward": 1}\x0c', '{"reward":\xa01}', '{"reward":\x0b1}', "{}\0",
    ],
    "reward-file/white-space-is-not-empty": [" ", "\n", "\t\r\n"],
}  # fmt: skip

# Other names than `reward`, and numbers that stand elsewhere: no name is taken for another.
_DOCUMENTS["reward-json/keys-are-verbatim"] += ['{"score": 1}', '{"value": 1}', '{"passed": true, "total": 4}', '{"total_reward": 2, "reward": 1}', '{"reward\x7f": 1}', '{"\u2028": 1}', '{"reward\ufeff": 1}', '{"\\treward": 1}', '{"1": 1, "01": 2}', '{"e\u0301": 1, "\u00e9": 2}', '{"\ufb01": 1}', '{"a\\/b": 1}', '{"a": 1, "A": 2}', '{"reward.value": 1}']  # fmt: skip

# Strings as the value of the key `reward`: rule to the strings that show it.
_STRINGS: dict[str, list[str]] = {
    "reward-json/number-string": [
        "1", "0.5", "-1", "+1", "1e3", "1E-3", ".5", "5.", "007", "-0", "-0.0", "1_0", "1_000.5", "1_.5", "1._5", "1e_5", "1_e5", "._5", "-_1", "1e5_0", " 1", "1 ", "\xa01\u2028", "\x851",
        "nan", "-nan", "inf", "-INF", "Infinity", "in_f", "1e400", "1e-400", "9007199254740993", "0.1000000000000000055511151231257827021181583404541015625", "2.4703282292062328e-324", "18446744073709551616", "0_1",
    ],
    "reward-json/integer-string": [" 1_0", "1_0 ", "\xa01_0", "0__0", "0__1", "00__1", "0-1", "0-0", "+0-1", "0_-1", "0-_1", "0-1_0", "0-1.0", "-0__1", "+0__1", " -1_0", " +1_0", " 1_0.0", " 0_1", " 0_0.0", " 9_223_372_036_854_775_808", " -9_007_199_254_740_993 ", "0__" + "9" * 25],
    "reward-json/bad-value": [
        "_1", "1_", "1__0", " 1_0_", " _1_0", "- 1", "1 0", "--1", "+-1", "-0-1", "0-01", "0-00", "0--1", "0+1", "0_.", " 1_0.", " 1_0.5", " 0_.0", " 1_0e1", "1e", "e1", ".", "0x10", "1,0", "50%", "\u0661", "\u200b1", "\ufeff1", "\x1c1", "1\0", "infin", "nan(1)",
    ],
}  # fmt: skip


def _content_vectors() -> Iterator[Vector]:
    for rule, texts in _TEXTS.items():
        for text in texts:
            yield Vector(rule, f"txt/{named(text)}", only_text(text.encode()))
    for rule, documents in _DOCUMENTS.items():
        for document in documents:
            yield Vector(rule, f"json/{named(document)}", only_json(document.encode()))
    for rule, strings in _STRINGS.items():
        for text in strings:
            document = json.dumps({"reward": text})
            yield Vector(rule, f"string/{named(text)}", only_json(document.encode()))


_LONG: list[tuple[str, str, RewardFolder]] = [
    ("reward-number/rounding", "txt/one-then-800-zeros-then-one", only_text(b"1." + b"0" * 800 + b"1")),
    ("reward-number/rounding", "txt/5000-nines", only_text(b"0." + b"9" * 5000)),
    ("reward-number/non-finite", "txt/400-nines", only_text(b"9" * 400)),
    ("reward-json/big-integers", "json/minus-one-and-309-zeros", only_json(b'{"reward": -1' + b"0" * 309 + b"}")),
    ("reward-json/digit-limit", "4300-digits", only_json(b'{"reward": ' + b"7" * 4300 + b"}")),
    ("reward-json/digit-limit", "4301-digits", only_json(b'{"reward": ' + b"7" * 4301 + b"}")),
    ("reward-json/digit-limit", "4301-digits-and-fraction", only_json(b'{"reward": ' + b"7" * 4301 + b".5}")),
    ("reward-json/digit-limit", "4301-digits-bare", only_json(b"7" * 4301)),
    ("reward-json/nesting", "100000-arrays", only_json(b"[" * 100_000)),
    (
        "reward-json/keys-are-verbatim",
        "twenty-keys",
        only_json(json.dumps({f"key-{n}": n for n in range(20)}).encode()),
    ),
    *(
        (
            "reward-json/keys-are-verbatim",
            f"{count}-keys",
            only_json(json.dumps({f"key-{n}": n % 3 for n in range(count)}).encode()),
        )
        for count in (65, 300, 1025)
    ),
    (
        "reward-json/keys-are-verbatim",
        "65-letters",
        only_json(json.dumps({"k" * 64 + "a": 1, "k" * 64 + "b": 2}).encode()),
    ),
    ("reward-json/keys-are-verbatim", "300-letters", only_json(json.dumps({"k" * 300: 0.5, "k" * 301: 1}).encode())),
    ("reward-json/nesting-held", "1300-arrays", only_json(b"[" * 1300 + b"]" * 1300)),
    ("reward-json/nesting-held", "1300-objects", only_json(b'{"reward":' * 1300 + b"1" + b"}" * 1300)),
    ("reward-json/nesting-held", "1300-open-arrays", only_json(b"[" * 1300)),
    (
        "reward-json/nesting-held",
        "1299-arrays-under-a-key-named-again",
        only_json(b'{"reward":' + b"[" * 1299 + b"]" * 1299 + b',"reward":1}'),
    ),
    ("reward-json/object-only", "300-arrays", only_json(b"[" * 300 + b"]" * 300)),
    ("reward-json/bad-value", "300-arrays-under-a-key", only_json(b'{"reward": ' + b"[" * 300 + b"]" * 300 + b"}")),
    ("reward-json/integer-string", "4300-digits", only_json(b'{"reward": " 1_' + b"0" * 4299 + b'"}')),
    ("reward-json/bad-value", "string/4301-digits", only_json(b'{"reward": " 1_' + b"0" * 4300 + b'"}')),
    ("reward-json/number-string", "5000-digits", only_json(b'{"reward": "' + b"7" * 5000 + b'"}')),
]

_UNDECODABLE = [
    b"\xa01",
    b"1\x85",
    b"\xa0\n0.5",
    b"\xff",
    b"1\xff",
    b"\x801",
    b"\xc0\xb1",
    b"1\xe2\x80",
    b"\xed\xa0\x80",
    "1é".encode("latin-1"),
]
_MARKED = [("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")]

_ONE_TEXT, _ONE_JSON = FileState("file", b"1"), FileState("file", b'{"reward": 0.25}')

# No name differs in case alone, because not every file system distinguishes upper from lower case.
_NEARLY_NAMES = ["reward.json.tmp", "reward.txt~", ".reward.json.swp", "rewards.json", "reward.jsonl", "reward", "reward.json ", "score.txt", "result.json"]  # fmt: skip
_FOLDER_NAMES = ["with blank", " ", "it's", '"quoted"', "two\nlines", "d\u00e9j\u00e0-vu", "\u65e5\u672c", "\U0001f600", "$HOME", "*", "%20", "back\\slash", "~", "-rf"]  # fmt: skip


def _byte_vectors() -> Iterator[Vector]:
    rule = "reward-file/undecodable-is-a-parse-error"
    for content in _UNDECODABLE:
        yield Vector(rule, f"txt/{content.hex()}", only_text(content))
        yield Vector(rule, f"json/{content.hex()}", only_json(b'{"' + content + b'": 1}'))
    rule = "reward-file/byte-order-mark-is-a-parse-error"
    for codec, mark in _MARKED:
        yield Vector(rule, f"txt/{codec}", only_text(mark + "1".encode(codec)))
        yield Vector(rule, f"json/{codec}", only_json(mark + '{"reward": 1}'.encode(codec)))
        yield Vector(rule, f"txt/{codec}-and-nothing", only_text(mark))


def _state_vectors() -> Iterator[Vector]:
    special = {
        "reward-file/dangling-link-is-absent": ["dangling-link", "looping-link"],
        "reward-file/directory-is-an-error": ["directory"],
        "reward-file/fifo-is-empty": ["fifo"],
        "reward-file/device-is-empty": ["device", "socket"],
        "reward-file/link-is-followed": ["link-to-directory"],
    }
    for rule, kinds in special.items():
        for kind in kinds:
            state = FileState(kind)  # type: ignore[arg-type]
            yield Vector(rule, f"json-{kind}", RewardFolder(state, ABSENT))
            yield Vector(rule, f"txt-{kind}", RewardFolder(ABSENT, state))
            yield Vector(rule, f"json-{kind}-beside-txt", RewardFolder(state, _ONE_TEXT))
            yield Vector(rule, f"txt-{kind}-beside-json", RewardFolder(_ONE_JSON, state))
    for kind, rule in (("link", "reward-file/link-is-followed"), ("unreadable", "reward-file/unreadable-is-an-error")):
        yield Vector(rule, "json", RewardFolder(FileState(kind, _ONE_JSON.content), ABSENT))  # type: ignore[arg-type]
        yield Vector(rule, "txt", RewardFolder(ABSENT, FileState(kind, b"1")))  # type: ignore[arg-type]
        yield Vector(rule, "json-beside-txt", RewardFolder(FileState(kind, _ONE_JSON.content), _ONE_TEXT))  # type: ignore[arg-type]
        yield Vector(rule, "empty-json", RewardFolder(FileState(kind), _ONE_TEXT))  # type: ignore[arg-type]
    for name, content in {
        "": _ONE_JSON.content,
        "-empty": b"",
        "-malformed": b"{",
        "-list": b"[]",
        "-null": b"null",
        "-blank": b" ",
        "-bad": b'{"reward": null}',
    }.items():
        yield Vector("reward-file/json-wins", f"json{name}", RewardFolder(FileState("file", content), _ONE_TEXT))
    yield Vector("reward-file/json-wins", "malformed-txt", RewardFolder(_ONE_JSON, FileState("file", b"pass")))
    yield Vector("reward-file/json-wins", "empty-txt", RewardFolder(_ONE_JSON, FileState("file")))
    yield Vector("reward-file/empty-is-zero-bytes", "txt", only_text(b""))
    yield Vector("reward-file/any-size", "digits", only_text(b"0" * ((1 << 20) + 1)))
    yield Vector("reward-file/any-size", "blanks", only_text(b" " * ((1 << 20) + 1)))
    yield Vector("reward-file/empty-is-zero-bytes", "json", only_json(b""))
    yield Vector("reward-file/empty-is-zero-bytes", "both", RewardFolder(FileState("file"), FileState("file")))
    yield Vector("reward-file/missing", "no-files", RewardFolder(ABSENT, ABSENT))
    yield Vector("reward-file/missing", "no-folder", RewardFolder(ABSENT, ABSENT, "absent"))
    yield Vector("reward-file/missing", "folder-is-a-file", RewardFolder(ABSENT, ABSENT, "file"))
    yield Vector("reward-file/unsearchable-folder", "with-txt", RewardFolder(ABSENT, _ONE_TEXT, "unsearchable"))
    yield Vector("reward-file/unsearchable-folder", "with-json", RewardFolder(_ONE_JSON, ABSENT, "unsearchable"))
    yield Vector("reward-file/unsearchable-folder", "with-nothing", RewardFolder(ABSENT, ABSENT, "unsearchable"))


def _vectors_of_folders() -> Iterator[Vector]:
    quarter, eighth = b'{"reward": 0.25}', b"0.125"
    for name in _NEARLY_NAMES:
        others = {name: eighth if "txt" in name.lower() else quarter}
        alone = RewardFolder(ABSENT, ABSENT, others=others)
        yield Vector("reward-file/other-files", f"alone/{named(name)}", alone)
    others = dict.fromkeys(_NEARLY_NAMES, quarter)
    yield Vector("reward-file/other-files", "all/beside-json", RewardFolder(_ONE_JSON, ABSENT, others=others))
    yield Vector("reward-file/other-files", "all/beside-txt", RewardFolder(ABSENT, _ONE_TEXT, others=others))
    yield Vector(
        "reward-file/other-files", "all/beside-empty-json", RewardFolder(FileState("file"), ABSENT, others=others)
    )
    for name in _FOLDER_NAMES:
        yield Vector("reward-file/any-path", f"json/{named(name)}", RewardFolder(_ONE_JSON, ABSENT, within=name))
    yield Vector("reward-file/any-path", "json/200-letters", RewardFolder(_ONE_JSON, ABSENT, within="x" * 200))
    yield Vector("reward-file/any-path", "json/linked", RewardFolder(_ONE_JSON, ABSENT, "link"))
    yield Vector("reward-file/any-path", "txt/linked", RewardFolder(ABSENT, _ONE_TEXT, "link"))
    yield Vector("reward-file/any-path", "nothing/linked", RewardFolder(ABSENT, ABSENT, "link"))


VECTORS: list[Vector] = [
    *_state_vectors(),
    *_vectors_of_folders(),
    *_byte_vectors(),
    *_content_vectors(),
    *(Vector(rule, name, case) for rule, name, case in _LONG),
]
