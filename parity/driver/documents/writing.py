"""Write a document whole, so that a killed process never leaves half of it, and times as Harbor writes them."""

import contextlib
import os
import re
import secrets
from datetime import datetime
from pathlib import Path

_DRAFT = re.compile(r"\..+\.json-[0-9a-f]{16}")


def remove_drafts(folder: Path) -> None:
    """Remove the unfinished files of killed writers from a folder. No other process may write there.

    Raises:
        OSError: a file cannot be removed.
    """
    for entry in os.listdir(folder):
        if _DRAFT.fullmatch(entry):
            (folder / entry).unlink()


def write_text(path: Path, text: str) -> None:
    """Replace a file as a whole by a text in UTF-8: a reader sees the old text or the new one, never half of one.

    Raises:
        OSError: the text cannot be written; the old file is still there.
        UnicodeEncodeError: the text has half of a surrogate pair.
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


def time_text(moment: datetime | None) -> str | None:
    """Return a time in ISO format, or None for None.

    Microseconds are written only if they are not zero; UTC is written as Z, and a local time without a zone.
    """
    # Rules: run-trial/time-format, run-job/time-format
    text = None if moment is None else moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text and text.endswith("+00:00") else text
