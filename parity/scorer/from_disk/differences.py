"""Where two JSON texts differ: the paths, with both sides' values to the last bit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from parity.scorer.result_text import Members


@dataclass(frozen=True)
class DocumentDifference:
    """One place where two documents differ."""

    path: str
    wanted: str
    found: str

    def __str__(self) -> str:
        return f"{self.path}: should be {self.wanted}, is {self.found}"


_NOTHING = object()
"""What stands where one side has no more."""


def parse(text: str) -> object:
    """A JSON text with repeated keys kept."""
    return json.loads(text, object_pairs_hook=Members)


def differences(wanted: object, found: object, path: str = "") -> Iterator[DocumentDifference]:
    """The differences between two documents from `parse`, in the order of the document.

    Members are compared in order, because their order is part of the text; a member that is missing or strange is one
    difference, and does not make all that follow differ.
    """
    if isinstance(wanted, Members) and isinstance(found, Members):
        yield from _of_objects(wanted, found, path)
    elif isinstance(wanted, list) and isinstance(found, list):
        for number, (left, right) in enumerate(zip_longest(wanted, found, fillvalue=_NOTHING)):
            yield from differences(left, right, f"{path}[{number}]")
    elif isinstance(wanted, Members | list) or isinstance(found, Members | list) or _bits(wanted) != _bits(found):
        yield DocumentDifference(path or "the document", _shown(wanted), _shown(found))


def _of_objects(wanted: Members, found: Members, path: str) -> Iterator[DocumentDifference]:
    left, right = _by_key(wanted), _by_key(found)
    for key, value in left.items():
        yield from differences(value, right.get(key, _NOTHING), _join(path, key))
    for key, value in right.items():
        if key not in left:
            yield from differences(_NOTHING, value, _join(path, key))
    if list(left) != list(right) and left.keys() == right.keys():
        order = ", ".join(_name(key) for key in left), ", ".join(_name(key) for key in right)
        yield DocumentDifference(f"{path or 'the document'}, order of members", *map(_cut, order))


def _by_key(members: Members) -> dict[tuple[str, int], object]:
    """A repeated key is distinguished by how often it has come before."""
    seen: dict[str, int] = {}
    table: dict[tuple[str, int], object] = {}
    for key, value in members.pairs:
        table[key, seen.setdefault(key, 0)] = value
        seen[key] += 1
    return table


def _join(path: str, key: tuple[str, int]) -> str:
    return f"{path}.{_name(key)}" if path else _name(key)


def _name(key: tuple[str, int]) -> str:
    text, times = key
    plain = text.replace("_", "").replace("-", "").isalnum()
    return (text if plain else json.dumps(text, ensure_ascii=False)) + (f"#{times + 1}" if times else "")


def _bits(value: object) -> object:
    return (type(value), value.hex() if isinstance(value, float) else value)


def _shown(value: object) -> str:
    if value is _NOTHING:
        return "nothing"
    if isinstance(value, float):
        return f"{value!r} ({value.hex()})"
    if isinstance(value, Members):
        return f"an object of {len(value.pairs)}"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
