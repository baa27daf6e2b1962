"""The operation `outcome`, which derives the outcome that is reported for a job from the job's result.json."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from parity.operations.codec import Codec, Form
from parity.operations.compare import Ordered, below_the_top
from parity.operations.files.file_states import (
    STATE_FORMS,
    DirectoryKind,
    FileState,
    describe_directory,
    directory_as_left,
    need_modes,
)
from parity.operations.operation import DESCRIPTION, Operation
from parity.operations.outcome.rules import RULES
from parity.operations.wire import WireError

_NAME = "result.json"
_DIRECTORIES = ("folder", "absent", "file", "unsearchable")
_KINDS = ("absent", "file", "link", "dangling-link", "looping-link", "directory", "unreadable")


@dataclass(frozen=True)
class ResultFile:
    """The state of result.json, and of the job's directory. A FIFO is not allowed, because reading it would block."""

    state: FileState
    directory: DirectoryKind = "folder"


def _check(case: ResultFile) -> None:
    if case.directory not in _DIRECTORIES or case.state.kind not in _KINDS:
        raise WireError(
            f"must have a result.json of kind {', '.join(_KINDS)}, and a folder of kind {', '.join(_DIRECTORIES)}"
        )


_FORM = Form(names={"directory": "folder", "state": _NAME}, check=_check)


class OutcomeOperation(Operation[ResultFile]):
    """The operation `outcome`, which derives the outcome that is reported for a job from the job's result.json."""

    name = "outcome"
    rules = RULES
    codec = Codec(ResultFile, "an outcome case", {ResultFile: _FORM, **STATE_FORMS}, unknown="ignore")
    path_member = "result"

    @contextmanager
    def arguments(self, case: ResultFile) -> Iterator[tuple[Path]]:
        with directory_as_left("job", case.directory, {_NAME: case.state}) as directory:
            yield (directory / _NAME,)

    def needs_modes(self, case: ResultFile) -> bool:
        return need_modes(case.directory, [case.state])

    def describe(self, case: ResultFile) -> str:
        return describe_directory(case.directory, {_NAME: case.state})

    def authority(self, case: ResultFile) -> str:
        return DESCRIPTION

    def ordered(self, case: ResultFile) -> Ordered:
        return below_the_top  # fields may be in any order; the order within the printed line is compared as text


OUTCOME = OutcomeOperation()
