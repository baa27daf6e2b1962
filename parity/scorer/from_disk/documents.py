"""Read the JSON files of a job's directory by the models of Harbor's formats."""

from pathlib import Path

import pydantic

from parity.formats.document import Document
from parity.formats.errors import explain_json
from parity.scorer.from_disk.files import LIMIT, FileError, read_bytes

JOB_LIMIT = 1 << 30
"""The most bytes of lock.json and of a job's result.json: enough for a million trials."""


def read_document[Model: Document](path: Path | str, model: type[Model], *, limit: int = LIMIT) -> Model:
    """Return a file as its model.

    Args:
        path: the file.
        model: the model of the file's format.
        limit: the most bytes of the file.

    Raises:
        FileError: the file cannot be read, or does not fit the model.
    """
    return document_of(path, model, read_bytes(path, limit=limit))


def document_of[Model: Document](path: Path | str, model: type[Model], content: bytes) -> Model:
    """Return the content of a file as its model; see `read_document`."""
    try:
        return model.model_validate_json(content)
    except pydantic.ValidationError as error:
        raise FileError(path, explain_json(error, content)) from None
