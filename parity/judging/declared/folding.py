"""Shortens long contents of files: a repeated piece is written once, with a count."""

import re
from collections.abc import Iterator

from parity.operations.wire import Json, decode_bytes

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
