"""Nesting depth of JSON documents, and the depth that every interpreter can parse."""

import re
from itertools import accumulate

HELD_LEVELS = 1300
"""The nesting depth of arrays and objects that every interpreter can parse, whatever the depth of its stack is."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def nesting(text: str) -> int:
    """Return the nesting depth of arrays and objects in a text, which may be invalid JSON.

    Counting stops at the first depth beyond `HELD_LEVELS`.
    """
    deepest = 0
    for depth in accumulate(_STEPS.get(character, 0) for character in _STRING.sub("", text)):
        deepest = max(deepest, depth)
        if deepest > HELD_LEVELS:
            break
    return deepest
