"""Restates a difference between two stats texts as the difference that the rules describe.

The documents are compared before their texts, so texts that differ have a different spelling or layout.
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
    """A number in the spelling of its JSON text."""


def restated(difference: Difference) -> Difference:
    """Restate a difference between two texts as a difference between documents, or as one in layout at `text`.

    The spelling of numbers is part of the documents here.
    """
    expected, actual = str(difference.expected), str(difference.actual)
    try:
        inside = compare(_read(expected), _read(actual))
    except (ValueError, RecursionError):
        inside = _difference_of_numbers(expected, actual)
    return inside or replace(difference, path=("text",), aspect="layout")


def _read(text: str) -> Any:
    return json.loads(
        text, parse_int=_Spelling, parse_float=_Spelling, parse_constant=_Spelling, object_pairs_hook=_members
    )


def _members(pairs: list[tuple[str, Any]]) -> Any:
    """Build a dict from the items of a JSON object, or a list of one-item dicts if a key is repeated."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else [{key: value} for key, value in pairs]


def _difference_of_numbers(expected: str, actual: str) -> Difference | None:
    """Return the first difference between two texts if a number or null is expected there, else None.

    At least one of the texts is not JSON.
    """
    for (path, left), (_, right) in zip_longest(tokens_of(expected), tokens_of(actual), fillvalue=((), "")):
        if left != right:
            return Difference(path, "text", left, right) if _NUMBER.fullmatch(left) else None
    return None
