"""Text that comes from runners and cases, made fit for HTML and SVG: it stays text, and shows what it is."""

from html import escape

from parity.scorer.printable import printable


def escaped(text: object) -> str:
    """The printable text as the content of an element, or of an attribute in quotes."""
    return escape(printable(str(text)), quote=True)
