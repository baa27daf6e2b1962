"""Documents in the layout that Harbor gives them: values that need no JSON parser, and parts that are parsed once.

What has another layout, or a value that is not sure to fit, is parsed and checked in full (`reading`), so what is read
depends on no layout.
"""

import json
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


@lru_cache(256)
def configured_agent(settings: str) -> AgentText:
    """The agent in a trial's configuration, which most trials of a job have in common.

    Args:
        settings: the text of the configuration after the name of its member `timeout_multiplier`.

    Raises:
        KeyError, ValueError, RecursionError: it is no such text, or there is no agent, or a second task.
    """
    members = parse(f'{{"timeout_multiplier": {settings}}}')
    if "task" in members:
        raise ValueError
    return agent(members["agent"])
