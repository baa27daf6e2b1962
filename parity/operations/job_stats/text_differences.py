"""Differences between two texts of stats, in the terms of the rules.

The documents are compared before their texts, so a difference of texts is one of layout.
"""

import json
import re
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from parity.operations.compare import Difference, compare
from parity.operations.scenarios.document_differences import tokens_of

_NUMBER = re.compile("null|-?[0-9].*")


class _Spelling(str):
    """A number, kept as the text that spells it."""


def restated(difference: Difference) -> Difference:
    """Restate a difference of two texts as that of their documents, spelling of numbers included, or as layout."""
    expected, actual = str(difference.expected), str(difference.actual)
    try:
        found = compare(_read(expected), _read(actual))
    except (ValueError, RecursionError):
        found = _difference_of_numbers(expected, actual)
    return found or replace(difference, aspect="layout")


def _read(text: str) -> Any:
    return json.loads(
        text, parse_int=_Spelling, parse_float=_Spelling, parse_constant=_Spelling, object_pairs_hook=_members
    )


def _members(pairs: list[tuple[str, Any]]) -> Any:
    """Return an object as a dict, or as a list of its items if it has repeated keys."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else [{key: value} for key, value in pairs]


def _difference_of_numbers(expected: str, actual: str) -> Difference | None:
    """Return the first difference of two texts if a number or null is expected there. One of them is not JSON."""
    for (path, left), (_, right) in zip_longest(tokens_of(expected), tokens_of(actual), fillvalue=((), "")):
        if left != right:
            return Difference(path, "text", left, right) if _NUMBER.fullmatch(left) else None
    return None
