"""Values of the kit's own types as text, between two copies of the same kit."""

import pickle
from base64 import b64decode, b64encode
from typing import Any


def pickled(value: object) -> str:
    """The value as ASCII."""
    return b64encode(pickle.dumps(value)).decode()


def unpickled(text: str) -> Any:
    """The inverse; only for what the other side of the pipe has written, which runs as the same user."""
    return pickle.loads(b64decode(text))
