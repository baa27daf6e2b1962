"""Writes entries of a file of declared divergences, in TOML."""

from collections.abc import Iterable

from parity.judging.declared.declaration import Declaration
from parity.judging.declared.folding import folded
from parity.operations import OPERATIONS
from parity.operations.wire import Json, canonical

HEAD = "[[divergence]]"
_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def entry_text(entry: Declaration, comments: Iterable[str] = ()) -> str:
    """An entry with an empty line before it, and comments above it."""
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
    """The line that says what the region is."""
    return f"flags = [{', '.join(f'"{flag}"' for flag in sorted(flags))}]"


def difference_line(kind: str) -> str:
    """The line that says which kind of difference passes."""
    return f'difference = "{kind}"'


def toml_json(value: Json) -> str:
    """A JSON value as a text in TOML, on one line; long contents of files in short."""
    text = canonical(folded(value))
    return toml_text(text) if "'" in text or "\x7f" in text else f"'{text}'"


def toml_text(text: str) -> str:
    """A text in TOML, on one line. TOML has no halves of surrogate pairs; they stand as text."""
    sound = text.encode(errors="backslashreplace").decode()
    return '"' + "".join(_TOML_ESCAPES.get(each) or _toml_escaped(each) for each in sound) + '"'


def _toml_escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"
