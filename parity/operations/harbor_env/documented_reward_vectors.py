"""Golden inputs of `harbor_env` under the documented scoring: numbers in all spellings, and JSON documents."""

from parity.operations.harbor_env.recorded.scenario import Files

HUGE = b"1" + b"0" * 400


def in_text(content: bytes) -> Files:
    """Return a verifier's folder with this reward.txt alone."""
    return {"reward.txt": content}


def in_json(content: bytes) -> Files:
    """Return a verifier's folder with this reward.json alone."""
    return {"reward.json": content}


def _each(*lefts: Files) -> tuple[Files, ...]:
    """Return the files that the tests of each task in a dataset leave."""
    return lefts


_NUMBERS = {
    "no-leading-digit": ".5", "no-trailing-digit": "5.", "plus": "+1", "negative-exponent": "1e-3",
    "capital-exponent": "5E-1", "leading-zeros": "007.50", "17-digits": "0.30000000000000004",
    "more-digits": "0.1000000000000000055511151231257827021181583404541015625", "point-and-underscores": "1_0.2_5",
    "other-digits": "٣.٥", "no-break-space": "\xa01\u2028", "form-feed": "\x0c1\x0b",
    "file-separator": "\x1c0.5\x1f", "capital-infinity": "-INFINITY", "mixed-case-nan": "+NaN",
}  # fmt: skip
"""Contents of reward.txt that spell a number."""

_NO_NUMBERS = {
    "hexadecimal": "0x10", "comma": "0,5", "thousands": "1,000", "percent": "50%", "fraction": "1/2", "suffix": "0.5f",
    "words-after": "0.5 points", "words-before": "reward: 0.5", "two-lines": "0\n1", "two-points": "1.2.3",
    "two-signs": "+-1", "no-exponent": "1e", "two-underscores": "1__0", "underscore-first": "_1",
    "underscore-at-the-point": "1_.5", "zero-width-space": "\u200b1", "word-infinity": "infinit",
}  # fmt: skip
"""Contents that look like a number, but are not one."""

_DOCUMENTS = {
    "negative-exponent": (b'{"reward": 1e-3}', "value"),
    "text-plus": (b'{"reward": "+1"}', "value"),
    "text-no-leading-digit": (b'{"reward": ".5"}', "value"),
    "text-exponent": (b'{"reward": "1e-3"}', "value"),
    "text-nan": (b'{"reward": "nan"}', "unbounded"),
    "text-other-digits": ('{"reward": "\u0663"}'.encode(), "value"),
    "false": (b'{"reward": false}', "value"),
    "zero": (b'{"reward": 0, "accuracy": 1}', "reward-key"),
    "above-one": (b'{"reward": 100}', "unbounded"),
    "infinite": (b'{"reward": -Infinity}', "unbounded"),
    "overflowing": (b'{"reward": 1e400}', "unbounded"),
    "17-digits": (b'{"reward": 0.30000000000000004}', "value"),
    "last-of-two": (b'{"reward": 0.25, "reward": 0.75}', "reward-key"),
    "escaped-key": (b'{"\\u0072eward": 0.5}', "reward-key"),
    "other-case": (b'{"Reward": 1, "REWARD": 1}', "reward-key"),
    "padded-key": (b'{" reward": 1, "reward ": 1}', "reward-key"),
    "plural": (b'{"rewards": 1, "score": 1, "value": 1}', "reward-key"),
    "nested": (b'{"result": {"reward": 1}}', "reward-key"),
    "beside-nested": (b'{"detail": {"reward": 1}, "reward": 0.5}', "reward-key"),
    "beside-text": (b'{"note": "\xff", "reward": 0.5}', "reward-key"),
    "lines": (b'{\n\t"reward" :\r\n 0.5\n}\n', "json-in-text"),
    "no-leading-digit": (b'{"reward": .5}', "zero"),
    "no-trailing-digit": (b'{"reward": 5.}', "zero"),
    "plus": (b'{"reward": +1}', "zero"),
    "trailing-comma": (b'{"reward": 1,}', "zero"),
    "single-quotes": (b"{'reward': 1}", "zero"),
    "comment": (b'{"reward": 1} // done', "zero"),
    "two-documents": (b'{"reward": 1}\n{"reward": 0.5}', "zero"),
    "cut-off": (b'{"reward": 1', "zero"),
    "python-true": (b'{"reward": True}', "zero"),
}
"""JSON documents, each with the rule that decides its reward."""

LEFT: dict[str, dict[str, tuple[Files, ...]]] = {
    "no-error": {"no-file": _each({}), "no-number": _each(in_text(b"pass"))},
    "empty-text": {
        "both": _each({**in_text(b"0.25"), **in_json(b'{"reward": 1}')}),
        "empty": _each({**in_text(b""), **in_json(b'{"reward": 1}')}),
        "blank": _each({**in_text(b"\n"), **in_json(b'{"reward": 1}')}),
        "no-number": _each({**in_text(b"pass"), **in_json(b'{"reward": 1}')}),
        "both-empty": _each({**in_text(b""), **in_json(b"")}),
        "zero": _each({**in_text(b"0"), **in_json(b'{"reward": 1}')}),
        "no-reward-key": _each({**in_text(b'{"accuracy": 1}'), **in_json(b'{"reward": 1}')}),
        "json-empty": _each({**in_text(b"1"), **in_json(b"")}),
        "higher": _each({**in_text(b"0.5"), **in_json(b"0.25")}),
    },
    "json-in-text": {
        "object-in-text": _each(in_text(b'{"reward": 0.5}')),
        "number-in-json": _each(in_json(b"0.75\n")),
        "nan-in-json": _each(in_json(b"NaN")),
    },
    "reward-key": {
        "other": _each(in_json(b'{"accuracy": 1}')),
        "several": _each(in_json(b'{"accuracy": 1, "reward": 0.5}')),
        "none": _each(in_json(b"{}")),
    },
    "value": {
        "true": _each(in_json(b'{"reward": true}')),
        "string": _each(in_json(b'{"reward": " 1_0.5 "}')),
        "int": _each(in_json(b'{"reward": 9007199254740993}')),
    },
    "zero": {
        "no-file": _each({}, in_text(b"1")),
        "word": _each(in_text(b"true")),
        "null": _each(in_json(b"null")),
        "list": _each(in_json(b"[1]")),
        "string": _each(in_json(b'"1"')),
        "null-value": _each(in_json(b'{"reward": null}')),
        "word-value": _each(in_json(b'{"reward": "high"}')),
        "huge-int": _each(in_json(b'{"reward": ' + HUGE + b"}")),
        "many-digits": _each(in_json(b'{"reward": 1' + b"0" * 4400 + b"}")),
        "no-utf8": _each(in_text(b"1\xff")),
        "folder": _each({"reward.txt/": b""}),
        "byte-order-mark": _each(in_text(b"\xef\xbb\xbf1")),
    },
    "unbounded": {
        "nan": _each(in_text(b"nan")),
        "infinite": _each(in_text(b"1e400")),
        "negative": _each(in_text(b"-3")),
    },
    "number": {
        **{name: _each(in_text(text.encode())) for name, text in _NUMBERS.items()},
        **{
            f"json-{name}": _each(in_json(_NUMBERS[name].encode()))
            for name in ("no-leading-digit", "plus", "no-break-space")
        },
    },
    "reward": {
        "padded": _each(in_text(b" \t0.5\n")),
        "underscore": _each(in_text(b"1_0")),
        "negative-zero": _each(in_text(b"-0.0")),
        "int": _each(in_text(b"1")),
    },
    "never-raises": {
        "list": _each(in_json(b"[]")),
        "deep": _each(in_json(b"[" * 100_000)),
        "value": _each(in_json(b'{"reward": []}')),
    },
    "average": {
        "two": _each(in_text(b"0.5"), in_text(b"1")),
        "with-none": _each(in_text(b"1"), {}, in_text(b"1")),
        "tenths": _each(*[in_text(b"0.1")] * 10),
    },
}
"""Named datasets for each rule, each given by the files that the tests of its tasks leave."""

for _name, (_document, _rule) in _DOCUMENTS.items():
    LEFT[_rule][f"document-{_name}"] = _each(in_json(_document), in_text(_document))
LEFT["zero"] |= {f"number-{name}": _each(in_text(text.encode())) for name, text in _NO_NUMBERS.items()}
