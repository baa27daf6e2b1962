"""Masks the parts of JSON documents that differ between runs, so that documents can be compared.

Ids are numbered, the digits of times are replaced by 0, messages by their reason codes, and tracebacks by a
placeholder. Everything else is kept. A transcript contains each document's parsed content, and also its text if its
spelling or layout differs from that of Harbor's documents.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from parity.operations.scenarios.json_layout import harbor_text

_STRING = r'"(?:[^"\\]|\\.)*+"'
_ID = re.compile(r'"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"')
_TIME = re.compile(r'(_at"\s*:\s*")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([^"]*")', re.ASCII)
_TYPE = re.compile(rf'"exception_type"\s*:\s*({_STRING})')
_MESSAGE = re.compile(rf'("exception_message"\s*:\s*)({_STRING})')
_TRACEBACK = re.compile(r'("exception_traceback"\s*:\s*)"(?:[^"\\]|\\.)++"')
_SET = re.compile(r'"(?:in|ex)clude_exceptions"\s*:\s*\[([^\[\]]*)\]')
_STRINGS = re.compile(_STRING)
_INVOCATION = re.compile(rf'"invocation"\s*:\s*\[(?:\s*+{_STRING}\s*+,?)*\s*+\]\s*,?\s*')
_VERSIONS = re.compile(r'("harbor"\s*:\s*)\{[^{}]*\}')
SOMETHING = "…"
"""The placeholder for a string that is compared by its presence alone."""


class Masks:
    """Replaces the parts that differ between runs in the texts of one directory.

    Args:
        roots: the names that replace directories on the host in texts, by the path of the directory.
        ids: the numbers that replace ids, shared by all directories in a transcript.
    """

    def __init__(self, roots: Mapping[str, str], ids: dict[str, str]) -> None:
        self._roots, self._ids = roots, ids

    def text(self, text: str) -> str:
        """Replace the paths of directories on the host by the directories' names."""
        for root, name in self._roots.items():
            text = text.replace(root, name)
        return text

    def document(self, text: str) -> str:
        """Mask directories, ids, times, messages, the order of sets, the invocation, and versions in a document."""
        text = _with_sorted_sets(_without_messages(_without_times(self.text(text))))
        text = _VERSIONS.sub(r"\1{}", _INVOCATION.sub("", text))
        return _ID.sub(lambda match: f'"{self._numbered(match[1])}"', text)

    def _numbered(self, name: str) -> str:
        """Return the number that replaces an id. It is the same in all documents, so that references stay valid."""
        return self._ids.setdefault(name, f"00000000-0000-0000-0000-{len(self._ids) + 1:012}")


def _without_times(text: str) -> str:
    """Mask the digits of times.

    A time without a fraction, which is on a full second, gets a fraction if other times have one.
    """
    fractions = [match[2] for match in _TIME.finditer(text)]
    usual = ".000000" if len(fractions) == 1 or any(fractions) else ""

    def masked(match: re.Match[str]) -> str:
        fraction = re.sub(r"\d", "0", match[2], flags=re.ASCII) if match[2] else usual
        return f"{match[1]}0000-00-00T00:00:00{fraction}{match[3]}"

    return _TIME.sub(masked, text)


def _without_messages(text: str) -> str:
    if '"exception_message"' not in text:
        return text
    types = [(match.start(), match[1]) for match in _TYPE.finditer(text)]

    def masked(match: re.Match[str]) -> str:
        kind = next((kind for start, kind in reversed(types) if start < match.start()), '""')
        return match[1] + json.dumps(masked_message(_read(kind), _read(match[2])), ensure_ascii=False)

    return _TRACEBACK.sub(rf'\1"{SOMETHING}"', _MESSAGE.sub(masked, text))


def _read(string: str) -> str:
    """Parse a JSON string. Return the unparsed string if it is invalid."""
    try:
        return str(json.loads(string, strict=False))
    except ValueError:
        return string


def masked_message(kind: str, message: str) -> str:
    """Return the form of an error message in transcripts, which contains only the message's reason codes.

    There may be two different codes: for the message alone, and for the message after the error's class.
    """
    if not message:
        return ""
    alone, with_kind = _reason_code(message), _reason_code(f"{kind}: {message}")
    return alone or SOMETHING if alone == with_kind else f"{alone or SOMETHING}, after the type {with_kind}"


def _reason_code(message: str) -> str | None:
    """Return the code that the scoring description derives from words in a message; None if there is none."""
    lower = message.lower()
    codes = [code for word, code in _CODES if "reward" in lower and word in lower]
    return codes[0] if codes else None


_CODES = (
    ("missing", "harbor_reward_missing"),
    ("empty", "harbor_reward_empty"),
    ("parse", "harbor_reward_parse_error"),
    ("malformed", "harbor_reward_parse_error"),
)
"""Words and their codes. The first word that a message contains counts."""


def _with_sorted_sets(text: str) -> str:
    """Sort the sets of names, which Harbor writes in an arbitrary order."""

    def masked(match: re.Match[str]) -> str:
        names: Iterator[str] = iter(sorted(_STRINGS.findall(match[1])))
        start, end = (place - match.start() for place in match.span(1))
        return match[0][:start] + _STRINGS.sub(lambda _: next(names), match[1]) + match[0][end:]

    return _SET.sub(masked, text)


def parsed(text: str) -> Any:
    """Parse a document. Return the text if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@lru_cache(1024)
def is_plain(text: str) -> bool:
    """Return whether a document has the spelling and layout of Harbor's documents, so that its values suffice."""
    try:
        return harbor_text(json.loads(text)) == text
    except (ValueError, RecursionError):
        return False
