"""Writes the entries of a file of declared divergences in TOML."""

from collections.abc import Iterable

from parity.judging.declared.declaration import Declaration
from parity.judging.declared.folding import folded
from parity.operations import OPERATIONS
from parity.operations.wire import Json, canonical

HEAD = "[[divergence]]"
_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def entry_text(entry: Declaration, comments: Iterable[str] = ()) -> str:
    """Return the text of an entry, with comments above it and an empty line before it."""
    lines = [
        *(f"# {comment}" for comment in comments),
        HEAD,
        f'operation = "{entry.operation}"',
        flags_line(entry.flags),
        difference_line(entry.difference),
        f'class = "{entry.class_}"',
        f"reason = {toml_text(entry.reason)}",
        f"witness = {toml_json(OPERATIONS[entry.operation].encode(entry.witness))}",
        f"reference = {toml_json(entry.reference)}",
        f"runner = {toml_json(entry.runner)}",
    ]
    return "\n".join(["", *lines, ""])


def flags_line(flags: Iterable[str]) -> str:
    """Return the line with the flags of the region."""
    return f"flags = [{', '.join(f'"{flag}"' for flag in sorted(flags))}]"


def difference_line(kind: str) -> str:
    """Return the line with the kind of difference that passes."""
    return f'difference = "{kind}"'


def toml_json(value: Json) -> str:
    """Return a JSON value as a one-line text in TOML, with long contents of files shortened."""
    text = canonical(folded(value))
    return toml_text(text) if "'" in text or "\x7f" in text else f"'{text}'"


def toml_text(text: str) -> str:
    """Return a text as a one-line text in TOML. Lone surrogates, which TOML cannot hold, become escapes in the text."""
    sound = text.encode(errors="backslashreplace").decode()
    return '"' + "".join(_TOML_ESCAPES.get(each) or _toml_escaped(each) for each in sound) + '"'


def _toml_escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"
