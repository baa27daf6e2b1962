"""What every operation defines."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from parity.operations import compare
from parity.operations.answers import Answer, Value
from parity.operations.compare import Difference, Ordered, compare_answers, everywhere, settled
from parity.operations.rule import Rule
from parity.operations.wire import Json, WireError, decode

HARBOR = "harbor"
DESCRIPTION = "the scoring description"
"""Whose word counts where no wheel implements an operation."""


class Operation[Case](ABC):
    """One question that a runner can be asked.

    The runner's method has the operation's name, and takes the arguments that `arguments` prepares from a
    case. They are made anew for every case, and the reference is asked before the runner, so that a runner that
    changes its arguments affects no other call.
    """

    name: ClassVar[str]
    rules: ClassVar[Sequence[Rule]]
    """In the order in which divergences are put down to them: special ones before general ones."""

    flag_sentences: ClassVar[Mapping[str, str]]
    """Each flag that a case can carry, with the sentence that explains it."""

    equivalents: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    """Slug of a rule to a function that turns a case into one that counts the same by that rule alone."""

    path_member: ClassVar[str | None] = None
    """Where the argument is a path: what it is called in a question that goes over a pipe."""

    def __init_subclass__(cls) -> None:
        """Refuse a rule that names a flag which no case of the operation carries.

        Raises:
            ValueError: there is one; it says which rule, and which flag.
        """
        for rule in getattr(cls, "rules", ()):
            if unknown := rule.flags - cls.flag_sentences.keys():
                raise ValueError(f"{rule.slug} names {', '.join(sorted(unknown))}, which is no flag of {cls.name}")

    @contextmanager
    def arguments(self, case: Case) -> Iterator[tuple[Any, ...]]:
        """Prepares one call, the files on disk included, and cleans up afterwards.

        Unless an operation says otherwise, a call is given the case, as a copy that is quicker than a deep one.
        """
        yield (pickle.loads(pickle.dumps(case)),)

    @abstractmethod
    def describe(self, case: Case) -> str:
        """The case in one line, for people; exact but for the payload of a nan."""

    @abstractmethod
    def flags(self, case: Case) -> frozenset[str]:
        """Why the case is hard: some of `flag_sentences`."""

    @abstractmethod
    def encode(self, case: Case) -> Json:
        """The case on the wire, in files of replays and in golden vectors."""

    @abstractmethod
    def decode(self, value: Any) -> Case:
        """The inverse of `encode`.

        Raises:
            WireError: it is no case of this operation.
        """

    def decode_value(self, value: Json) -> Any:
        """A value from the wire, where its keys are not all strings.

        Raises:
            WireError: it is no value of this operation.
        """
        return decode(value)

    def case_of(self, *arguments: Any) -> Case:
        """The case again, from the arguments of a call; not where the argument is a path."""
        (case,) = arguments
        return case  # type: ignore[no-any-return]

    def ordered(self, case: Case) -> Ordered:
        """Where in an answer to the case the order of keys counts."""
        return everywhere

    def shuffled(self, case: Case) -> compare.Path | None:
        """Where the reference itself gives keys in an order that changes from one run to the next, if anywhere."""
        return None

    def refine(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Given the whole values too, says more exactly where two answers part, in the terms of the rules."""
        return difference

    def authority(self, flags: frozenset[str]) -> str:
        """Whose word the reference's answer to a case with these flags is."""
        return HARBOR

    def remember(self, case: Case, answer: Answer) -> None:  # noqa: B027
        """Keep the reference's answer to a case, where flags follow from it."""

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
        whole = (answer.value if isinstance(answer, Value) else None for answer in (expected, actual))
        return self.refine(difference, *whole)
