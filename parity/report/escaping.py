"""Text that comes from runners and cases, made fit for HTML and SVG: it stays text, and shows what it is."""

from html import escape


def visible(text: str) -> str:
    """The text with controls, lone surrogates and marks that turn its direction written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def escaped(text: object) -> str:
    """The visible text as the content of an element, or of an attribute in quotes."""
    return escape(visible(str(text)), quote=True)
