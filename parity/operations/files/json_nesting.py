"""How deep arrays and objects are nested in JSON, and how deep every interpreter parses them."""

import re
from itertools import accumulate

HELD_LEVELS = 1300
"""The depth of nested arrays and objects that every interpreter parses, however deep its own stack is."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def nesting(text: str) -> int:
    """Return the depth of nested arrays and objects in JSON, or in almost JSON; at most one beyond `HELD_LEVELS`."""
    deepest = 0
    for depth in accumulate(_STEPS.get(character, 0) for character in _STRING.sub("", text)):
        deepest = max(deepest, depth)
        if deepest > HELD_LEVELS:
            break
    return deepest
