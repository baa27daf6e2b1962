"""Documents in the layout that Harbor gives them, parsed part by part: what many of them have in common is parsed once.

A text is cut at the names of certain members. If what follows each name is the rest of an object that begins with it,
the text is an object of all these members; any other text is parsed in one. So what is read depends on no layout.
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from parity.scorer.from_disk.files import may_have_half_pairs, parse_object
from parity.scorer.from_disk.reading import SURE_TIME, agent

_DECODER = json.JSONDecoder()

_TIMINGS = "environment_setup", "agent_setup", "agent_execution", "verifier"
_AT = f'"{SURE_TIME.pattern}"'
_TIMING = rf'(?:null|\{{\n        "started_at": {_AT},\n        "finished_at": {_AT}\n    \}})'
_SURE_TIMINGS = re.compile(_TIMING + "".join(f',\n    "{name}": {_TIMING}' for name in _TIMINGS[1:]))

_RESULT = (
    '{\n    "id": ',
    ',\n    "config": {\n        "task": ',
    ',\n        "timeout_multiplier": ',
    '\n    },\n    "agent_info": ',
    f',\n    "{_TIMINGS[0]}": ',
    ',\n    "step_results": ',
    "\n}",
)
_FIRST_PLANNED = '\n    "trials": [\n        {\n            "task": '
_PLANNED = (',\n            "timeout_multiplier": ',)
_NEXT_PLANNED = '\n        },\n        {\n            "task": '
_END_OF_LOCK = "\n        }\n    ]\n}"


def parse_trial(path: Path | str, text: str) -> dict[str, Any]:
    """The object in a trial's result.json, in which timings that are sure to fit are null.

    Raises:
        FolderError: as `parse_object`.
    """
    try:
        start, identity, task, settings, outcome, timings, steps, end = _cut(text, _RESULT)
        if start == end == "" and _SURE_TIMINGS.fullmatch(timings) and not may_have_half_pairs(text):
            return {
                **_members("id", identity),
                "config": {**_members("task", task), **_settings(settings)},
                **_members("agent_info", outcome),
                **dict.fromkeys(_TIMINGS),
                **_members("step_results", steps),
            }
    except (ValueError, RecursionError):
        pass
    return parse_object(path, text)


def parse_lock(path: Path | str, text: str) -> dict[str, Any]:
    """The object in a job's lock.json.

    Raises:
        FolderError: as `parse_object`.
    """
    try:
        if text.endswith(_END_OF_LOCK) and not may_have_half_pairs(text):
            head, end = text.index(_FIRST_PLANNED), len(text) - len(_END_OF_LOCK)
            start, trials = head + len(_FIRST_PLANNED), []
            while start <= end:
                stop = text.find(_NEXT_PLANNED, start)
                stop = end if stop < 0 else stop
                task, settings = _cut(text[start:stop], _PLANNED)
                trials.append({**_members("task", task), **_settings(settings)})
                start = stop + len(_NEXT_PLANNED)
            return {**json.loads(text[:head] + '"trials": []}'), "trials": trials}
    except (ValueError, RecursionError):
        pass
    return parse_object(path, text)


def _cut(text: str, marks: Iterable[str]) -> list[str]:
    """What is before, between and after the marks.

    Raises:
        ValueError: a mark is missing.
    """
    parts, start = [], 0
    for mark in marks:
        end = text.index(mark, start)
        parts.append(text[start:end])
        start = end + len(mark)
    return [*parts, text[start:]]


def _members(name: str, text: str) -> dict[str, Any]:
    """An object's members, given the name of the first and what follows that.

    Raises:
        ValueError, RecursionError: they are none.
    """
    whole = f'{{"{name}": {text}}}'
    members, end = _DECODER.raw_decode(whole)
    if end != len(whole):
        raise ValueError
    return members  # type: ignore[no-any-return]


@lru_cache(256)
def _settings(text: str) -> dict[str, Any]:
    """Members of a trial's configuration that most trials of a job have in common."""
    settings = _members("timeout_multiplier", text)
    return {**settings, "agent": agent(settings["agent"])} if "agent" in settings else settings
