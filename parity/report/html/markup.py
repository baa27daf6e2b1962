"""The few pieces of markup that every part of the page uses. All text goes through `escaped`."""

import re
from collections.abc import Iterable

from parity.judging.records import RuleVerdict
from parity.report.escaping import escaped
from parity.report.verdicts import shown


def code(text: object, tag: str = "code") -> str:
    """Text from a runner or a case, kept apart from the direction of what stands around it."""
    return f'<{tag} dir="auto">{escaped(text)}</{tag}>'


def block(text: str, name: str) -> str:
    """A long text in a box of its own, which scrolls."""
    return f'<pre dir="auto" tabindex="0" role="group" aria-label="{escaped(name)}">{escaped(text)}</pre>'


def verdict(kind: RuleVerdict | None, word: str = "", *, wordless: bool = False) -> str:
    """A verdict's symbol and its word, or another; the word for those alone who cannot see, where there is no room."""
    look = shown(kind)
    hidden = ' class="unseen"' if wordless else ""
    name = kind or "unknown"
    symbol = f'<span aria-hidden="true">{look.symbol}</span>'
    return f'<span class="verdict {name}">{symbol} <b{hidden}>{word or look.word}</b></span>'


def sentence(text: str) -> str:
    """A sentence of the kit, in which backquotes set off code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))


def label(text: str) -> str:
    """A line above what it names."""
    return f'<p class="label">{text}</p>'


def table(name: str, head: Iterable[str], bodies: Iterable[str], kind: str) -> str:
    """A table in a container that scrolls; the head's cells and the bodies are markup."""
    cells = "".join(f'<th scope="col">{each}</th>' for each in head)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(name)}">'
        f'<table class="{kind}"><thead><tr>{cells}</tr></thead>{"".join(bodies)}</table></div>'
    )


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values; the values are markup."""
    return f'<dl class="facts">{"".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows)}</dl>'
