"""Describes a trial's result.json by its own text, without the members that are as in a plain result."""

import json
from collections.abc import Iterator
from functools import cache

from parity.operations.trial_score.case import trial_text

_AROUND = 80
"""The number of characters that are shown before and after a mistake."""

_SPACE = " \t\n\r"


def described(text: str) -> str:
    """Return the text without what does not decide.

    Of an object, the members are left out that are written as in a plain result; `…` takes their place. Of any other
    text, the part around its first mistake is shown.
    """
    try:
        members = list(_members(text))
    except json.JSONDecodeError as error:
        return f"result.json: {_around(text, error.pos)}"
    except (ValueError, RecursionError):  # an int that Python does not read, or deep nesting
        return f"result.json: {_around(text, 0)}"
    parts: list[str] = []
    for member in members:
        part = "…" if member in _plain_members() else member
        if part != "…" or parts[-1:] != ["…"]:
            parts.append(part)
    lacking = [json.loads(name) for name in _plain_names() - {member.partition(":")[0] for member in members}]
    without = f" without {', '.join(sorted(lacking))}" if lacking else ""
    return f"result.json: {{{', '.join(parts)}}}{without}"


def _members(text: str) -> Iterator[str]:
    """Yield the text of each member of the object, as it is written.

    Raises:
        json.JSONDecodeError: the text is not an object.
    """
    decoder = json.JSONDecoder()
    place = _after_space(text, 0)
    separator = "{"
    while text[place : place + 1] == separator:
        start = _after_space(text, place + 1)
        if separator == "{" and text[start : start + 1] == "}":
            place = start
            break
        name, end = decoder.raw_decode(text, start)
        colon = _after_space(text, end)
        if not isinstance(name, str) or text[colon : colon + 1] != ":":
            raise json.JSONDecodeError("not a member", text, start)
        _, end = decoder.raw_decode(text, _after_space(text, colon + 1))
        yield text[start:end]
        place, separator = _after_space(text, end), ","
    if text[place : place + 1] != "}" or _after_space(text, place + 1) < len(text):
        raise json.JSONDecodeError("not an object", text, place)


def _after_space(text: str, place: int) -> int:
    return len(text) - len(text[place:].lstrip(_SPACE))


def _around(text: str, place: int) -> str:
    start, end = max(0, place - _AROUND), place + _AROUND
    before, after = "…" if start else "", "…" if end < len(text) else ""
    return f"{before}{text[start:end]!r}{after} ({len(text):,} characters)"


@cache
def _plain_members() -> frozenset[str]:
    return frozenset(_members(trial_text({"rewards": None}).text)) - {'"verifier_result": {"rewards": null}'}


@cache
def _plain_names() -> frozenset[str]:
    return frozenset(member.partition(":")[0] for member in _members(trial_text().text))
