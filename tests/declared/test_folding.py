"""Long contents of files in a file of declarations: repeated parts are written once, and nothing is lost."""

import json
import tomllib

import pytest

from parity.operations.read_reward import READ_REWARD, only_text
from parity.operations.wire import Json, WireError
from parity.suite.declared.writing import toml_json, unfolded


@pytest.mark.parametrize(
    "content",
    [b'{"reward": 0.5' + b" " * 2000 + b"}", b'{"a":' * 1000, "é\n".encode() * 700 + b"1", b"1" * 70, b"0.5"],
    ids=lambda content: content[:9],
)
def test_what_repeats_itself_is_written_once(content: bytes) -> None:
    """Folded content is short, and unfolds to the same bytes."""
    case = only_text(content)

    text = toml_json(READ_REWARD.encode(case))

    assert len(text) < 200
    assert READ_REWARD.decode(unfolded(json.loads(tomllib.loads(f"witness = {text}")["witness"]))) == case


def test_what_is_short_is_as_on_the_wire() -> None:
    """Short contents, and texts that are not contents of files, stay unchanged."""
    value: Json = {
        "reward": [{"utf8": "0.5"}, {"utf8": "1", "times": 70}, {"f64": "3ff0000000000000"}, None, "1" * 200]
    }

    assert json.loads(toml_json(value).strip("'")) == unfolded(value) == value


@pytest.mark.parametrize("piece", ["1", 1, {"utf8": "1", "times": 0}, {"hex": "f"}, {"utf8": ["1"]}], ids=repr)
def test_a_piece_that_is_none(piece: Json) -> None:
    """A piece that is not valid bytes on the wire is refused."""
    with pytest.raises(WireError, match=r"^(bytes|times|hex) takes? "):
        unfolded({"content": {"utf8": [piece]}})
