"""Write a document as Harbor writes it, and atomically, so that a killed process never leaves an incomplete file."""

import contextlib
import os
import re
import secrets
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

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
        UnicodeEncodeError: a string contains an unpaired surrogate.
    """
    tree = tree_of(document) if isinstance(document, Document) else document
    content = json_text(tree).encode()
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        with open(draft, "xb") as file:
            file.write(content)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        raise


def tree_of(document: Document) -> dict[str, Tree]:
    """Return a document's fields as JSON values."""
    return {name: _json(value) for name, value in document.model_dump().items()}


def _json(value: Any) -> Tree:
    match value:
        case dict():
            return {name: _json(item) for name, item in value.items()}
        case list():
            return [_json(item) for item in value]
        case datetime():
            return time_text(value)
        case Path() | UUID():
            return str(value)
    tree: Tree = value
    return tree


def time_text(moment: datetime) -> str:
    """Return a time in ISO format.

    Microseconds are written only if they are not zero; UTC is written as Z, and a local time without a zone.
    """
    # Rules: run-trial/time-format, run-job/time-format
    text = moment.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
