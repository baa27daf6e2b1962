"""Tables in Markdown."""

from collections.abc import Iterable


def table(head: str, rows: Iterable[str]) -> str:
    """A table from its head, such as `| a | b |`, and its rows."""
    columns = head.count("|") - 1
    return "\n".join([head, "|" + "---|" * columns, *rows]) + "\n"
