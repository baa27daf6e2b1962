"""Compare two JSON texts: the paths where they differ, with both values to the last bit."""

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


@dataclass(frozen=True)
class NameDifference(DocumentDifference):
    """A name that is missing from a list of names, or that should not be in it."""

    name: str
    list_path: str
    lacks: bool
    """Whether the name is missing; if not, it should not be there."""


_NOTHING = object()
"""Stands for the missing value of the side that has none at a path."""


def parse(text: str) -> object:
    """Parse a JSON text, with repeated keys kept."""
    return json.loads(text, object_pairs_hook=Members)


def differences(wanted: object, found: object, path: str = "") -> Iterator[DocumentDifference]:
    """Yield the differences between two documents from `parse`, in the order of the document.

    Members, and lists of strings, are compared in order, because their order is part of the text. A missing or extra
    member or string is a single difference: what follows it is compared as usual.
    """
    names, others = _names(wanted), _names(found)
    if isinstance(wanted, Members) and isinstance(found, Members):
        yield from _of_objects(wanted, found, path)
    elif names is not None and others is not None and (names or others):
        yield from _of_names(names, others, path)
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


def _names(value: object) -> list[str] | None:
    """Return the strings of a list of strings, an empty list for a missing list, and None for any other value."""
    if value is _NOTHING:
        return []
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else None


def _of_names(wanted: list[str], found: list[str], path: str) -> Iterator[DocumentDifference]:
    left, right = ([*_numbered(names)] for names in (wanted, found))
    kept, known = set(left), set(right)
    for number, key in enumerate(left):
        if key not in known:
            yield NameDifference(f"{path}[{number}]", _shown(key[0]), _shown(_NOTHING), _name(key), path, lacks=True)
    for number, key in enumerate(right):
        if key not in kept:
            yield NameDifference(f"{path}[{number}]", _shown(_NOTHING), _shown(key[0]), _name(key), path, lacks=False)
    common = [key for key in left if key in known], [key for key in right if key in kept]
    first = next((number for number, (one, other) in enumerate(zip(*common, strict=True)) if one != other), None)
    if first is not None:
        order = ("..., " * bool(first) + ", ".join(map(_name, names[first:])) for names in common)
        yield DocumentDifference(f"{path or 'the document'}, order of names", *map(_cut, order))


def _by_key(members: Members) -> dict[tuple[str, int], object]:
    keys = _numbered([key for key, _ in members.pairs])
    return dict(zip(keys, (value for _, value in members.pairs), strict=True))


def _numbered(names: list[str]) -> Iterator[tuple[str, int]]:
    """Yield each name with the number of its earlier occurrences."""
    seen: dict[str, int] = {}
    for name in names:
        yield name, seen.setdefault(name, 0)
        seen[name] += 1


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
