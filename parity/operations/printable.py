"""Makes strings from cases, runners and files safe to print."""


def printable(text: str) -> str:
    """Return a string as one line, with its unprintable characters as Python's escapes."""
    return text if text.isprintable() else "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]
