"""`outcome`: from a job's result.json to the outcome that is reported for the job."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from parity.operations.compare import Ordered, below_the_top
from parity.operations.files.file_states import (
    decode_state,
    describe_folder,
    encode_state,
    folder_as_left,
)
from parity.operations.operation import DESCRIPTION, Operation
from parity.operations.outcome.case import ResultFile, result_file
from parity.operations.outcome.equivalents import EQUIVALENTS
from parity.operations.outcome.flags import FLAGS, FOLDER_FLAGS, flags_of
from parity.operations.outcome.rules import RULES
from parity.operations.wire import Json, WireError

_NAME = "result.json"


_FOLDERS = ("folder", *FOLDER_FLAGS)


_KINDS = ("absent", "file", "link", "dangling-link", "looping-link", "directory", "unreadable")


class OutcomeOperation(Operation[ResultFile]):
    """The operation `outcome`: from a job's result.json to the outcome that is reported for the job."""

    name = "outcome"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(flags_of)
    equivalents = EQUIVALENTS
    path_member = "result"

    @contextmanager
    def arguments(self, case: ResultFile) -> Iterator[tuple[Path]]:
        with folder_as_left("job", case.folder, {_NAME: case.state}) as folder:
            yield (folder / _NAME,)

    def encode(self, case: ResultFile) -> Json:
        return {"folder": case.folder, _NAME: encode_state(case.state)}

    def decode(self, value: Any) -> ResultFile:
        match value:
            case {"folder": folder, "result.json": {"kind": kind} as state} if folder in _FOLDERS and kind in _KINDS:
                return ResultFile(decode_state(state), folder)
        raise WireError(
            f"an outcome case takes result.json as {', '.join(_KINDS)}, and a folder as {', '.join(_FOLDERS)}"
        )

    def describe(self, case: ResultFile) -> str:
        return describe_folder(case.folder, {_NAME: case.state})

    def authority(self, flags: frozenset[str]) -> str:
        return DESCRIPTION

    def ordered(self, case: ResultFile) -> Ordered:
        return below_the_top  # the fields may come in any order; the order in the printed line is compared as text


OUTCOME = OutcomeOperation()

__all__ = ["OUTCOME", "ResultFile", "result_file"]
