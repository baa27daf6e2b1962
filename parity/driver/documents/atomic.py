"""Writing a document so that a process that is killed never leaves half of it."""

import contextlib
import os
import re
import secrets
from pathlib import Path

_DRAFT = re.compile(r"\..+\.json-[0-9a-f]{16}")


def remove_drafts(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder; no other may be writing there.

    Raises:
        OSError: one cannot be removed.
    """
    for entry in os.listdir(folder):
        if _DRAFT.fullmatch(entry):
            (folder / entry).unlink()


def write_text(path: Path, text: str) -> None:
    """Put a text in the place of a file, as UTF-8 and whole: whoever reads it gets the old text or the new one.

    Raises:
        OSError: it cannot be written; the old file is still there.
        UnicodeEncodeError: half of a surrogate pair is in the text.
    """
    content = text.encode()
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with open(draft, "xb") as file:
            file.write(content)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        raise
