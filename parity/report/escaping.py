"""Escapes text from runners and cases for HTML and SVG, so that it is shown and never read as markup."""

from html import escape

from parity.scorer.printable import printable


def escaped(text: object) -> str:
    """Return the printable text, escaped for the content of an element or of a quoted attribute."""
    return escape(printable(str(text)), quote=True)
