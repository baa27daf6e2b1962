"""Text that comes from tasks, runners and what ran in sandboxes, made fit to be printed."""


def printable(text: str, longest: int | None = None) -> str:
    """The text on one line: what cannot be printed is escaped, and its middle is left out where it is too long.

    Args:
        text: any text.
        longest: characters that the result may have; None for any number.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if longest is None or len(shown) <= longest:
        return shown
    head = (longest - 1) // 2
    return f"{shown[:head]}…{shown[len(shown) - (longest - 1 - head) :]}"
