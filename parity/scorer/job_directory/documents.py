"""Read the JSON files in a job's directory with the models of Harbor's formats."""

from pathlib import Path

import pydantic

from parity.formats.document import Document
from parity.formats.errors import explain_json
from parity.scorer.job_directory.files import LIMIT, FileError, read_bytes

JOB_LIMIT = 1 << 30
"""Size limit for lock.json and for a job's result.json, in bytes: enough for a million trials."""


def read_document[Model: Document](path: Path | str, model: type[Model], *, limit: int = LIMIT) -> Model:
    """Read a JSON file, and return it as an instance of a model.

    Args:
        path: the file.
        model: the model for the file's format.
        limit: the largest accepted size of the file, in bytes.

    Raises:
        FileError: the file cannot be read, or does not fit the model.
    """
    return document_of(path, model, read_bytes(path, limit=limit))


def document_of[Model: Document](path: Path | str, model: type[Model], content: bytes) -> Model:
    """Return the content of a JSON file as an instance of a model; see `read_document`."""
    try:
        return model.model_validate_json(content)
    except pydantic.ValidationError as error:
        raise FileError(path, explain_json(error, content)) from None
