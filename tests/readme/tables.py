"""Makes tables in Markdown."""

from collections.abc import Iterable


def table(head: str, rows: Iterable[str]) -> str:
    """Return a table with this head, such as `| a | b |`, and these rows."""
    columns = head.count("|") - 1
    return "\n".join([head, "|" + "---|" * columns, *rows]) + "\n"
