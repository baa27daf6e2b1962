"""Documents in the layout that Harbor gives them: values that need no JSON parser, and parts that are parsed once.

What has another layout, or a value that is not sure to fit, is parsed and checked in full (`reading`), so what is read
depends on no layout.
"""

import json
from collections import deque
from functools import lru_cache
from typing import Any

from parity.scorer.from_disk.reading import AgentText, agent

TEXT = r'"([^"\\\x00-\x1f]*)"'
"""A string without escapes."""

ANY_TEXT = TEXT.replace("(", "").replace(")", "")

MISFITS = KeyError, ValueError, RecursionError
"""What is raised for text that has the layout and does not fit."""

_DECODER = json.JSONDecoder()


def or_null(pattern: str) -> str:
    """A regular expression for a value that may be null."""
    return f"(?:null|{pattern})"


def parse(text: str) -> Any:
    """The JSON value that is all of a text.

    Raises:
        ValueError, RecursionError: it is none.
    """
    value, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise ValueError
    return value


class CommonPart:
    """A part that many texts have in common: found again without a search, and one string in all of them.

    Args:
        end: what it ends with, and holds nowhere else.
    """

    def __init__(self, end: str) -> None:
        self._end = end
        self._last = deque[str](maxlen=4)

    def at(self, text: str, start: int) -> str:
        """The part of a text that begins at `start`.

        Raises:
            ValueError: it does not end.
        """
        for part in self._last:
            if text.startswith(part, start):
                return part
        part = text[start : text.index(self._end, start) + len(self._end)]
        self._last.append(part)
        return part


@lru_cache(256)
def configured_agent(settings: str) -> AgentText:
    """The agent in a trial's configuration, which most trials of a job have in common.

    Args:
        settings: the text of the configuration after the name of its member `timeout_multiplier`, up to its end.

    Raises:
        KeyError, ValueError, RecursionError: it is no such text, or there is no agent, or a second task.
    """
    members = parse(f'{{"timeout_multiplier": {settings}')
    if "task" in members:
        raise ValueError
    return agent(members["agent"])
