"""Compare two JSON texts: the paths where they differ, with both values to the last bit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from parity.scorer.result_text import ObjectPairs


@dataclass(frozen=True)
class DocumentDifference:
    """One place where two documents differ."""

    path: str
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"{self.path}: should be {self.expected}, is {self.actual}"


@dataclass(frozen=True)
class NameDifference(DocumentDifference):
    """A name that is missing from a list of names, or should not be in the list."""

    name: str
    list_path: str
    is_missing: bool
    """True if the name is missing from the list; False if it should not be in the list."""


_NOTHING = object()
"""The placeholder for a missing value, if only one of the two documents has a value at a path."""


def parse(text: str) -> object:
    """Parse a JSON text, and keep repeated keys."""
    return json.loads(text, object_pairs_hook=ObjectPairs)


def difference_lines(expected: str, actual: str) -> list[str]:
    """Return a line for each difference between the values of two JSON texts; if there is none, for the layout.

    Raises:
        ValueError: the actual text is not JSON that Python reads.
    """
    return value_lines(expected, actual) or layout_lines(expected, actual)


def value_lines(expected: str, actual: str) -> list[str]:
    """Return a line for each trial that is in the wrong lists, then a line for each other difference between values.

    Raises:
        ValueError: the actual text is not JSON that Python reads.
    """
    if expected == actual:
        return []
    trials: dict[str, list[NameDifference]] = {}
    others = []
    for difference in differences(parse(expected), parse(actual)):
        if isinstance(difference, NameDifference):
            trials.setdefault(difference.name, []).append(difference)
        else:
            others.append(str(difference))
    return [*(_line_of_trial(name, places) for name, places in trials.items()), *others]


def _line_of_trial(name: str, places: list[NameDifference]) -> str:
    missing, extra = ([each.list_path for each in places if each.is_missing is side] for side in (True, False))
    if not missing:
        return f"{name}: should not be in {some_of(extra)}, but is"
    return f"{name}: should be in {some_of(missing)}, is {'in ' + some_of(extra) if extra else 'not'}"


def layout_lines(expected: str, actual: str) -> list[str]:
    """Return a line about the first difference between the lines of two texts with the same values; else nothing."""
    lines = zip_longest(expected.splitlines(keepends=True), actual.splitlines(keepends=True), fillvalue="")
    for number, (left, right) in enumerate(lines, 1):
        if left != right:
            return [f"the same values, but another text: line {number} should be {left!r}, is {_cut(repr(right))}"]
    return []


def some_of(names: list[str]) -> str:
    """Return the first three names, and the number of further names."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def differences(expected: object, actual: object, path: str = "") -> Iterator[DocumentDifference]:
    """Yield the differences between two documents that `parse` returned, in document order.

    Keys of objects and lists of strings are compared in order, because their order is part of the text. A missing or
    extra key or string is a single difference, and does not affect the comparison of what follows it.
    """
    names, others = _names(expected), _names(actual)
    if isinstance(expected, ObjectPairs) and isinstance(actual, ObjectPairs):
        yield from _of_objects(expected, actual, path)
    elif names is not None and others is not None and (names or others):
        yield from _of_names(names, others, path)
    elif isinstance(expected, list) and isinstance(actual, list):
        for number, (left, right) in enumerate(zip_longest(expected, actual, fillvalue=_NOTHING)):
            yield from differences(left, right, f"{path}[{number}]")
    elif (
        isinstance(expected, ObjectPairs | list)
        or isinstance(actual, ObjectPairs | list)
        or bits(expected) != bits(actual)
    ):
        yield DocumentDifference(path or "the document", _described(expected), _described(actual))


def bits(value: object) -> object:
    """Return a key for comparison. Keys are equal only for equal values of one type; floats must have equal bits."""
    return type(value), value.hex() if isinstance(value, float) else value


def _of_objects(expected: ObjectPairs, actual: ObjectPairs, path: str) -> Iterator[DocumentDifference]:
    left, right = _by_key(expected), _by_key(actual)
    for key, value in left.items():
        yield from differences(value, right.get(key, _NOTHING), _join(path, key))
    for key, value in right.items():
        if key not in left:
            yield from differences(_NOTHING, value, _join(path, key))
    if list(left) != list(right) and left.keys() == right.keys():
        order = ", ".join(_name(key) for key in left), ", ".join(_name(key) for key in right)
        yield DocumentDifference(f"{path or 'the document'}, order of keys", *map(_cut, order))


def _names(value: object) -> list[str] | None:
    """Return a list of strings unchanged, an empty list for a missing value, and None for any other value."""
    if value is _NOTHING:
        return []
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else None


def _of_names(expected: list[str], actual: list[str], path: str) -> Iterator[DocumentDifference]:
    left, right = ([*_numbered(names)] for names in (expected, actual))
    left_keys, right_keys = set(left), set(right)
    for number, key in enumerate(left):
        if key not in right_keys:
            yield _difference_of_name(key, path, number, is_missing=True)
    for number, key in enumerate(right):
        if key not in left_keys:
            yield _difference_of_name(key, path, number, is_missing=False)
    common = [key for key in left if key in right_keys], [key for key in right if key in left_keys]
    first = next((number for number, (one, other) in enumerate(zip(*common, strict=True)) if one != other), None)
    if first is not None:
        order = ("..., " * bool(first) + ", ".join(map(_name, names[first:])) for names in common)
        yield DocumentDifference(f"{path or 'the document'}, order of names", *map(_cut, order))


def _difference_of_name(key: tuple[str, int], path: str, number: int, *, is_missing: bool) -> NameDifference:
    sides = (_described(key[0]), _described(_NOTHING))
    expected, actual = sides if is_missing else sides[::-1]
    return NameDifference(f"{path}[{number}]", expected, actual, _name(key), path, is_missing)


def _by_key(document: ObjectPairs) -> dict[tuple[str, int], object]:
    keys = _numbered([key for key, _ in document.pairs])
    return dict(zip(keys, (value for _, value in document.pairs), strict=True))


def _numbered(names: list[str]) -> Iterator[tuple[str, int]]:
    """Yield each name with the number of its previous occurrences in the list."""
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


def _described(value: object) -> str:
    if value is _NOTHING:
        return "nothing"
    if isinstance(value, float):
        return f"{value!r} ({value.hex()})"
    if isinstance(value, ObjectPairs):
        return f"an object of {len(value.pairs)}"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
