"""Make text from tasks, runners and sandboxes safe to print."""


def printable(text: str, longest: int | None = None) -> str:
    """Return the text on one line, with unprintable characters escaped and the middle of a long text left out.

    Args:
        text: any text.
        longest: the most characters of the result; None for no limit.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if longest is None or len(shown) <= longest:
        return shown
    head = (longest - 1) // 2
    return f"{shown[:head]}…{shown[len(shown) - (longest - 1 - head) :]}"
