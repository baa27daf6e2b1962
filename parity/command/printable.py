"""Text that comes from tasks and from what ran in sandboxes, made fit to be printed."""


def printable(text: str, longest: int | None = None) -> str:
    """The text with nothing in it that a terminal would obey, cut in its middle where it is too long."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if longest is None or len(shown) <= longest:
        return shown
    head = (longest - 1) // 2
    return f"{shown[:head]}…{shown[len(shown) - (longest - 1 - head) :]}"
