"""Write a document as Harbor writes it, and atomically, so that a killed process never leaves an incomplete file."""

import contextlib
import os
import re
import secrets
from datetime import datetime
from pathlib import Path

from parity.formats.document import Document
from parity.scorer.result_text import Tree, json_text

_DRAFT = re.compile(r"\..+\.json-[0-9a-f]{16}")


def remove_drafts(directory: Path) -> None:
    """Remove the unfinished files that killed processes left in a directory. No other process may write there.

    Raises:
        OSError: a file cannot be removed.
    """
    for entry in os.listdir(directory):
        if _DRAFT.fullmatch(entry):
            (directory / entry).unlink()


def write_document(path: Path, document: Document | Tree) -> None:
    """Replace a file atomically by a document: a reader sees either the old text or the whole new text.

    Raises:
        OSError: the file cannot be written; the old file has not changed.
        ValueError: a string contains an unpaired surrogate.
    """
    # Rules: run-trial/document-layout, run-trial/document-spelling, run-trial/duplicate-key, run-trial/texts
    # Rules: run-trial/time-format, run-job/document-layout, run-job/texts
    text = document.model_dump_json(indent=4) if isinstance(document, Document) else json_text(document)
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with open(draft, "xb") as file:
            file.write(text.encode())
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        raise


def time_text(moment: datetime) -> str:
    """Return a time in ISO format.

    Microseconds are written only if they are not zero; UTC is written as Z, and a local time without a zone.
    """
    # Rule: run-job/time-format
    text = moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
