"""Pieces of markup that all parts of the page use. All text goes through `escaped`."""

import re
from collections.abc import Iterable
from html import escape

from parity.judging.records import RuleVerdict
from parity.report.verdicts import shown
from parity.scorer.printable import printable


def escaped(text: object) -> str:
    """Return the printable text, escaped for the content of an element or of a quoted attribute."""
    return escape(printable(str(text)), quote=True)


def code(text: object, tag: str = "code") -> str:
    """Return text from a runner or a case as an element whose writing direction does not affect its surroundings."""
    return f'<{tag} dir="auto">{escaped(text)}</{tag}>'


def block(text: str, name: str) -> str:
    """Return a long text in a box that scrolls; its lines stay lines."""
    shown = "\n".join(map(escaped, text.split("\n")))
    return f'<pre dir="auto" tabindex="0" role="group" aria-label="{escaped(name)}">{shown}</pre>'


def verdict(kind: RuleVerdict | None, word: str = "", *, wordless: bool = False) -> str:
    """Return a verdict's symbol with its word, or another word; `wordless` shows the word to screen readers only."""
    look = shown(kind)
    hidden = ' class="unseen"' if wordless else ""
    name = kind or "unknown"
    symbol = f'<span aria-hidden="true">{look.symbol}</span>'
    return f'<span class="verdict {name}">{symbol} <b{hidden}>{word or look.word}</b></span>'


def sentence(text: str) -> str:
    """Return a sentence of the kit, with the text between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))


def rule_name(slug: str, rules_page: str) -> str:
    """Return a rule's name, as a link to its paragraph on the page of all rules if there is such a page."""
    return f'<a href="{escaped(rules_page)}#{escaped(slug)}">{code(slug)}</a>' if rules_page else code(slug)


def label(text: str) -> str:
    """Return a label that stands above the labelled element."""
    return f'<p class="label">{text}</p>'


def table(name: str, head: Iterable[str], bodies: Iterable[str], kind: str) -> str:
    """Return a table in a container that scrolls; the cells of the head and the bodies are markup."""
    cells = "".join(f'<th scope="col">{each}</th>' for each in head)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(name)}">'
        f'<table class="{kind}"><thead><tr>{cells}</tr></thead>{"".join(bodies)}</table></div>'
    )


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Return a list of names and values; the values are markup."""
    return f'<dl class="facts">{"".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows)}</dl>'
