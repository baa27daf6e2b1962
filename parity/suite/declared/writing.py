"""Writes the entries of a file of declared divergences in TOML, with long contents of files folded."""

import re
from collections.abc import Iterable, Iterator

from parity.operations import OPERATIONS
from parity.operations.wire import Json, canonical, decode_bytes
from parity.suite.declared.declaration import Declaration

HEAD = "[[divergence]]"
_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def entry_text(entry: Declaration, comments: Iterable[str] = ()) -> str:
    """Return the text of an entry, with comments above it and an empty line before it."""
    lines = [
        *(f"# {comment}" for comment in comments),
        HEAD,
        f'operation = "{entry.operation}"',
        flags_line(entry.flags),
        difference_line(entry.difference),
        f'class = "{entry.class_}"',
        f"reason = {toml_text(entry.reason)}",
        f"witness = {toml_json(OPERATIONS[entry.operation].encode(entry.witness))}",
        f"reference = {toml_json(entry.reference)}",
        f"runner = {toml_json(entry.runner)}",
    ]
    return "\n".join(["", *lines, ""])


def flags_line(flags: Iterable[str]) -> str:
    """Return the line with the flags of the region."""
    return f"flags = [{', '.join(f'"{flag}"' for flag in sorted(flags))}]"


def difference_line(kind: str) -> str:
    """Return the line with the kind of difference that passes."""
    return f'difference = "{kind}"'


def toml_json(value: Json) -> str:
    """Return a JSON value as a one-line text in TOML, with long contents of files shortened."""
    text = canonical(folded(value))
    return toml_text(text) if "'" in text or "\x7f" in text else f"'{text}'"


def toml_text(text: str) -> str:
    """Return a text as a one-line text in TOML. Lone surrogates, which TOML cannot hold, become escapes in the text."""
    sound = text.encode(errors="backslashreplace").decode()
    return '"' + "".join(_TOML_ESCAPES.get(each) or _toml_escaped(each) for each in sound) + '"'


def _toml_escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"


_REPEATED = re.compile(r"(.{1,8}?)\1{99,}", re.DOTALL)


def folded(value: Json) -> Json:
    """Return a JSON value, with each text of bytes that repeats itself replaced by a list of its pieces.

    Such lists, as in `{"utf8": [{"utf8": "{"}, {"utf8": " ", "times": 1000}]}`, are used only in files of
    declarations. The wire can only repeat a text as a whole.
    """
    match value:
        case {"utf8": str(text), **rest} if not rest and _REPEATED.search(text):
            return {"utf8": list(_pieces(text))}
        case dict():
            return {key: folded(each) for key, each in value.items()}
        case list():
            return [folded(each) for each in value]
    return value


def _pieces(text: str) -> Iterator[Json]:
    end = 0
    for found in _REPEATED.finditer(text):
        if found.start() > end:
            yield {"utf8": text[end : found.start()]}
        yield {"utf8": found[1], "times": len(found[0]) // len(found[1])}
        end = found.end()
    if end < len(text):
        yield {"utf8": text[end:]}


def unfolded(value: Json) -> Json:
    """Return the JSON value that `folded` shortened.

    Raises:
        WireError: a piece has another form.
    """
    match value:
        case {"utf8": list(pieces), **rest} if not rest:
            return {"utf8": b"".join(map(decode_bytes, pieces)).decode()}
        case dict():
            return {key: unfolded(each) for key, each in value.items()}
        case list():
            return [unfolded(each) for each in value]
    return value
