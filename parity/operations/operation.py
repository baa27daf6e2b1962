"""What every operation defines."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parity import compare
from parity.answers import Answer, Value
from parity.compare import Difference, Ordered, compare_answers, everywhere, settled
from parity.wire import Json, WireError, decode

HARBOR = "harbor"
DESCRIPTION = "the scoring description"
"""Whose word counts where no wheel implements an operation."""


@dataclass(frozen=True)
class Operation[Case]:
    """One question that a runner can be asked.

    The runner's method has the operation's name, and takes the arguments that `arguments` prepares from a
    case. They are made anew for every case, and the reference is asked before the runner, so that a runner that
    changes what it was given harms nobody.
    """

    name: str
    arguments: Callable[[Case], AbstractContextManager[tuple[Any, ...]]]
    """Prepares one call, the files on disk included, and cleans up afterwards."""

    describe: Callable[[Case], str]
    """The case in one line, for people; exact but for the payload of a nan."""

    flags: Callable[[Case], frozenset[str]]
    """Why the case is hard; slugs from `parity.flags`."""

    encode: Callable[[Case], Json]
    decode: Callable[[Any], Case]
    """Inverse of `encode`; raises `WireError` on anything else."""

    decode_value: Callable[[Json], Any] = decode
    """A value from the wire, where its keys are not all strings; raises `WireError` too."""

    case_of: Callable[..., Case] = lambda case: case
    """The case again, from the arguments of a call; not where the argument is a path."""

    path_member: str | None = None
    """Where the argument is a path: what it is called in a question that goes over a pipe."""

    ordered: Callable[[Case], Ordered] = lambda case: everywhere
    """Where in an answer to the case the order of keys counts."""

    shuffled: Callable[[Case], compare.Path | None] = lambda case: None
    """Where the reference itself gives keys in an order that changes from one run to the next, if anywhere."""

    locate: Callable[[str, str], Difference | None] | None = None
    """Where two answers that are whole texts part, if they part in what they say and not in how."""

    refine: Callable[[Difference, Any, Any], Difference] = lambda difference, expected, actual: difference
    """Given the whole values too, says more exactly where two answers part, in the terms of the operation's rules."""

    authority: Callable[[frozenset[str]], str] = lambda flags: HARBOR
    """Whose word the reference's answer to a case with these flags is."""

    hear: Callable[[Case, Answer], None] = lambda case, answer: None
    """Takes the reference's answer to a case, from which flags can be told that would have to be played for."""

    def question(self, *arguments: Any) -> Json:
        """What is asked over a pipe, from the arguments of a call."""
        return {self.path_member: str(arguments[0])} if self.path_member else self.encode(self.case_of(*arguments))

    @contextmanager
    def asked(self, question: Any) -> Iterator[tuple[Any, ...]]:
        """The arguments of a call, from what was asked over a pipe.

        Raises:
            WireError: it is no question of this operation.
        """
        if self.path_member is None:
            with self.arguments(self.decode(question)) as arguments:
                yield arguments
            return
        match question:
            case {self.path_member: str(path)} if len(question) == 1:
                yield (Path(path),)
            case _:
                raise WireError(f"a question for {self.name} takes {self.path_member}, a path")

    def settle(self, case: Case, answer: Answer) -> Answer:
        """The answer as it can be written down: always the same."""
        path = self.shuffled(case)
        if path is None or not isinstance(answer, Value):
            return answer
        return replace(answer, value=settled(answer.value, path))

    def compare(self, case: Case, expected: Answer, actual: Answer) -> Difference | None:
        """The first difference between two answers to the case, or None."""
        difference = compare_answers(expected, actual, ordered=self.ordered(case))
        if difference is None or difference.aspect == "input":
            return difference
        if self.locate is None or difference.aspect != "text":
            whole = (answer.value if isinstance(answer, Value) else None for answer in (expected, actual))
            return self.refine(difference, *whole)
        return self.locate(str(difference.expected), str(difference.actual)) or replace(difference, aspect="layout")
