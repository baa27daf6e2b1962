"""The reference in its own environment, which answers over the same pipe as runners.

`environments` makes a release's environment, and `client` is the kit's side of the pipe. In the other environment,
`bootstrap` starts `server` from the same copy of the kit. A reference extends PROTOCOL.md:

- Its hello has a key `reference`: `identity` (the release of Harbor and its hash, the interpreter and pydantic),
  `unpinned` packages, `lacking` operations with the reasons, and `is_as_recorded`: whether golden vectors come from
  such an environment. A reference that cannot be asked has `problem` and `repair` instead, and no operations.
- It answers `stored_job`, too, whose input and value are strings: Python's pickle in base64.
- There is no time limit. If the reference is lost, the questions are asked once more. If it is lost again, the run ends
  without a verdict.
"""

import pickle
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class PickledOperation:
    """An operation that only a reference answers.

    Both sides are the same copy of the kit, so values without a form on the wire are pickled.
    """

    def question(self, *arguments: Any) -> str:
        """Encode the arguments for a call."""
        return pickled(arguments)

    @contextmanager
    def decoded_arguments(self, question: str) -> Iterator[Any]:
        """Decode and yield the arguments for a call."""
        yield self.decode_value(question)

    def decode_value(self, value: str) -> Any:
        """Decode a value. Decode only text from the other side of the pipe, run by the same user."""
        return pickle.loads(b64decode(value))


def pickled(value: object) -> str:
    """Encode a value as ASCII text."""
    return b64encode(pickle.dumps(value)).decode()


OWN_OPERATIONS = {"stored_job": PickledOperation()}
"""The operations that only a reference answers; see `parity.reference.stored_jobs`."""
