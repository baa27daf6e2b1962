"""Writes entries of a file of declared divergences in TOML."""

import textwrap
from collections.abc import Iterable

from parity.operations.goldens import vector_names
from parity.operations.rules import RULES
from parity.operations.wire import canonical
from parity.suite.declared.declaration import EFFECTS, Declaration, Row, effect_of
from parity.suite.divergence import Divergence

_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_WIDTH = 120
_INDENT = " " * 4
_WRAPPER = textwrap.TextWrapper(
    _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False
)


def entry_text(entry: Declaration, comment: str = "") -> str:
    """Return the text of an entry, with an empty line before it, and a comment above it if there is one."""
    lines = [
        "",
        *([f"# {comment}"] if comment else []),
        "[[divergence]]",
        f'class = "{entry.class_}"',
        f"reason = {toml_string(entry.reason)}",
        "[divergence.rules]",
        *(row_text(rule, entry.rules[rule]) for rule in RULES if rule in entry.rules),
        "",
    ]
    return "\n".join(lines)


def row_text(rule: str, row: Row) -> str:
    """Return the row of a rule: one line if it fits; otherwise, names of vectors on lines of at most 120 columns."""
    lists = [(effect, _in_order(rule, row.vectors[effect])) for effect in EFFECTS if effect in row.vectors]
    strings = [f"{effect} = {toml_string(canonical(row.cases[effect]))}" for effect in EFFECTS if effect in row.cases]
    cases = [f"cases = {{ {', '.join(strings)} }}"] if strings else []
    line = _row(rule, [*(f"{effect} = [{', '.join(names)}]" for effect, names in lists), *cases])
    if len(line) <= _WIDTH or not lists:
        return line
    return _row(rule, [*(f"{effect} = [\n{_wrapped(names)}\n]" for effect, names in lists), *cases])


def case_row(divergence: Divergence) -> str:
    """Return a row that declares a case that is no golden vector, or how to get it if the case is long."""
    row = Row.model_construct(vectors={}, cases={effect_of(divergence): divergence.wire_form})
    text = row_text(divergence.rule.slug, row)
    return text if len(text) <= 2 * _WIDTH else "revise the file with --write-divergences"


def _row(rule: str, parts: Iterable[str]) -> str:
    return f"{toml_string(rule)} = {{ {', '.join(parts)} }}"


def _in_order(rule: str, names: Iterable[str]) -> list[str]:
    """Return the names of vectors as strings in TOML, in the order of the golden file."""
    return [toml_string(name) for name in sorted(names, key=vector_names(rule).index)]


def _wrapped(strings: list[str]) -> str:
    return "\n".join(_WRAPPER.wrap(f"{', '.join(strings)},"))  # no id of a vector contains a blank


def toml_string(text: str) -> str:
    """Return a string on one line in TOML, between the quotes that need no escapes, if possible.

    Lone surrogates, which TOML cannot hold, become escapes in the string.
    """
    sound = text.encode(errors="backslashreplace").decode()
    if sound.isprintable() and "'" not in sound and ('"' in sound or "\\" in sound):
        return f"'{sound}'"
    return '"' + "".join(_TOML_ESCAPES.get(each) or _escaped(each) for each in sound) + '"'


def _escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"
