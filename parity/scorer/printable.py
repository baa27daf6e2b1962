"""Make strings from tasks, runners and sandboxes safe to print."""


def printable(text: str, max_length: int | None = None) -> str:
    """Return a string as one line: unprintable characters are escaped, and the middle of a long string is cut out.

    Args:
        text: any string.
        max_length: the largest length of the result, in characters; None for no limit.
    """
    escaped = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if max_length is None or len(escaped) <= max_length:
        return escaped
    head = (max_length - 1) // 2
    return f"{escaped[:head]}…{escaped[len(escaped) - (max_length - 1 - head) :]}"
