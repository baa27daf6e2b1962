"""The base class for all models of JSON files."""

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """A JSON object with known fields. Unknown fields are ignored; numbers may be written as strings."""

    model_config = ConfigDict(defer_build=True, protected_namespaces=())
