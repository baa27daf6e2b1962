"""Make strings from tasks, runners and sandboxes safe to print."""


def printable(text: str, max_length: int | None = None) -> str:
    """Return a string on one line: unprintable characters are escaped, and a long string loses its middle.

    Args:
        text: any string.
        max_length: the most characters that are returned; None for no limit.
    """
    escaped = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if max_length is None or len(escaped) <= max_length:
        return escaped
    head = (max_length - 1) // 2
    return f"{escaped[:head]}…{escaped[len(escaped) - (max_length - 1 - head) :]}"
