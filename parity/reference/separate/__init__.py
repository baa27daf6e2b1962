"""The reference in its own environment, asked over the same pipe as runners in other languages.

`client` is the kit's side of the pipe. In the other environment, `bootstrap` starts `server`. Both are copies of the
same kit, so values that have no form on the wire are pickled.
"""

import pickle
from base64 import b64decode, b64encode
from typing import Any


def pickled(value: object) -> str:
    """Encode a value as ASCII text."""
    return b64encode(pickle.dumps(value)).decode()


def unpickled(text: str) -> Any:
    """Decode a value; the inverse of `pickled`. Decode only text from the other side of the pipe, run by the same
    user.
    """
    return pickle.loads(b64decode(text))
