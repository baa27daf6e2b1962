"""The operation `reason_code`, which derives the code for a missing score from the text of an error."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from parity.operations.codec import Codec
from parity.operations.operation import DESCRIPTION, Operation
from parity.operations.reason_code.rules import RULES


@dataclass(frozen=True)
class ErrorText:
    """The text of an error, or None if there is none."""

    text: str | None


class ReasonCode(Operation[ErrorText]):
    """The operation `reason_code`, which derives the code for a missing score from the text of an error."""

    name = "reason_code"
    rules = RULES
    codec = Codec(ErrorText, "a reason_code case", unknown="ignore")

    @contextmanager
    def arguments(self, case: ErrorText) -> Iterator[tuple[str | None]]:
        yield (case.text,)

    def describe(self, case: ErrorText) -> str:
        return repr(case.text)

    def case_of(self, *arguments: Any) -> ErrorText:
        return ErrorText(*arguments)

    def authority(self, case: ErrorText) -> str:
        return DESCRIPTION


REASON_CODE = ReasonCode()
