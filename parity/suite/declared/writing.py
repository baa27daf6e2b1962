"""Writes the entries of a file of declared divergences in TOML."""

import textwrap
from collections.abc import Iterable

from parity.operations.wire import Json, canonical
from parity.suite.declared.declaration import Declaration

HEAD = "[[divergence]]"
KEYS = ("rule", "difference", "harm", "class", "reason", "witness", "reference", "runner", "vectors")
_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_WIDTH = 120
_INDENT = " " * 4
_WRAPPER = textwrap.TextWrapper(
    _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False
)


def entry_text(entry: Declaration) -> str:
    """Return the text of an entry, with an empty line before it."""
    lines = [
        HEAD,
        f'rule = "{entry.rule}"',
        f'difference = "{entry.kind}"',
        f'harm = "{entry.harm}"',
        f'class = "{entry.class_}"',
        f"reason = {toml_string(entry.reason)}",
        f"witness = {toml_json(entry.witness)}",
        f"reference = {toml_json(entry.reference)}",
        f"runner = {toml_json(entry.runner)}",
        *([] if entry.vectors is None else vectors_lines(entry.vectors)),
    ]
    return "\n".join(["", *lines, ""])


def vectors_lines(ids: Iterable[str]) -> list[str]:
    """Return the lines of the key `vectors`, with the ids of golden vectors; one line if they fit.

    Ids contain no blanks.
    """
    strings = [toml_string(each) for each in sorted(ids)]
    line = f"vectors = [{', '.join(strings)}]"
    if len(line) <= _WIDTH:
        return [line]
    return ["vectors = [", *_WRAPPER.wrap(f"{', '.join(strings)},"), "]"]


def toml_json(value: Json) -> str:
    """Return a JSON value as a one-line string in TOML."""
    text = canonical(value)
    return toml_string(text) if "'" in text or "\x7f" in text else f"'{text}'"


def toml_string(text: str) -> str:
    """Return a string on one line in TOML. Lone surrogates, which TOML cannot hold, become escapes in the string."""
    sound = text.encode(errors="backslashreplace").decode()
    return '"' + "".join(_TOML_ESCAPES.get(each) or _toml_escaped(each) for each in sound) + '"'


def _toml_escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"
